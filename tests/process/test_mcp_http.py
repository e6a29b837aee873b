"""Over HTTP the server answers programs of this machine that hold the token, and nobody else."""

import asyncio
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from backstory.api import Memory
from hosting import a_repository, state_of
from serving import a_free_port, serving

PATIENCE_S = 60
TOKEN = "a-token-of-the-test-0123456789"
DECIDED = "We decided to use PostgreSQL for the main database."
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project in which something was decided."""
    folder = a_repository(tmp_path_factory.mktemp("http") / "shop")
    with Memory.open(folder) as memory:
        memory.remember(DECIDED)
    return folder


@pytest.fixture(scope="module")
def port(project: Path) -> Iterator[int]:
    """Return the port of a server."""
    number = a_free_port()
    with serving(project, number, BACKSTORY_MCP_TOKEN=TOKEN):
        yield number


def status_of(port: int, **headers: str) -> int:
    """Greet the server with these headers, and return how it answers."""
    given = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "Authorization": f"Bearer {TOKEN}",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        connection.putrequest("POST", "/mcp", skip_host="Host" in given)
        body = json.dumps(HELLO).encode()
        for name, value in {**given, "Content-Length": str(len(body))}.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders(body)
        return connection.getresponse().status
    finally:
        connection.close()


def recalled(port: int, token: str) -> str:
    """Return what a real client recalls."""

    async def run() -> str:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as web,
            Client(
                streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=web)
            ) as client,
        ):
            result: Any = await client.call_tool("recall", {"query": "Which database?"})
            return " ".join(entry["text"] for entry in result.structured_content["entries"])

    return asyncio.run(run())


def test_a_client_that_holds_the_token_is_answered(port: int) -> None:
    assert "PostgreSQL" in recalled(port, TOKEN)
    assert status_of(port) == 200


@pytest.mark.case("C83")
@pytest.mark.parametrize(
    "given",
    ["", "Bearer wrong", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, "Bearer ", "Bearer é"],
)
def test_without_the_token_nobody_is(port: int, given: str) -> None:
    assert status_of(port, Authorization=given) == 401


@pytest.mark.case("C83")
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1.evil.example:{port}",
    ],
)
def test_a_name_that_leads_here_is_not_answered_even_with_the_token(port: int, host: str) -> None:
    assert status_of(port, Host=host.format(port=port)) == 403


@pytest.mark.case("C83")
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://evil.example:{port}", "null", "http://127.0.0.1:1"]
)
def test_a_page_of_another_origin_is_not_answered(port: int, origin: str) -> None:
    assert status_of(port, Origin=origin.format(port=port)) == 403


def test_a_page_of_this_machine_is_answered(port: int) -> None:
    assert status_of(port, Origin=f"http://localhost:{port}", Host=f"localhost:{port}") == 200


def test_every_path_is_guarded(port: int) -> None:
    for path in ("/", "/mcp", "/.well-known/oauth-protected-resource", "/docs"):
        for method in ("GET", "POST", "DELETE", "OPTIONS"):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
            connection.request(method, path)
            assert connection.getresponse().status == 401
            connection.close()


@pytest.mark.case("C83")
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux tells it in a file")
def test_only_the_loopback_interface_listens(port: int) -> None:
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    listening = "0A"  # the state of a socket that listens, in proc(5)
    at = [row[1] for row in rows if row[3] == listening and row[1].endswith(f":{port:04X}")]

    assert at == [f"0100007F:{port:04X}"]
    v6 = Path("/proc/net/tcp6").read_text() if Path("/proc/net/tcp6").exists() else ""
    assert f":{port:04X} 00000000000000000000000000000000:0000 0A" not in v6


def test_a_token_is_made_for_its_owner_alone_and_kept(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "till")
    port = a_free_port()
    for _ in range(2):
        with serving(project, port) as server:
            file = state_of(project) / "mcp-token"
            token = file.read_text().strip()
            assert recalled(port, token) == ""
            server.send_signal(signal.SIGTERM)
            server.wait(PATIENCE_S)
            assert server.stdout is not None
            assert server.stderr is not None
            printed = server.stdout.read() + server.stderr.read()
        assert token not in printed
        assert "Traceback" not in printed
        assert len(token) >= 40
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text().strip() == token


def test_an_open_stream_does_not_hold_the_end_up(project: Path) -> None:
    port = a_free_port()
    with serving(project, port, BACKSTORY_MCP_TOKEN=TOKEN) as server:
        session = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        given = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "Authorization": f"Bearer {TOKEN}",
        }
        session.request("POST", "/mcp", json.dumps(HELLO), given)
        answer = session.getresponse()
        name = answer.headers["mcp-session-id"]
        answer.read()
        stream = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        stream.request("GET", "/mcp", headers={**given, "mcp-session-id": name})
        events = stream.getresponse()
        assert events.status == 200
        begun = time.monotonic()
        server.send_signal(signal.SIGTERM)
        server.wait(PATIENCE_S)
        for left in (events, stream, session):
            left.close()

    assert time.monotonic() - begun < 20


@pytest.mark.skipif(os.name != "posix", reason="other systems keep other rights")
def test_a_token_that_others_can_read_is_refused(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "till")
    state_of(project).mkdir(parents=True)
    file = state_of(project) / "mcp-token"
    file.write_text("x" * 40)
    file.chmod(0o644)

    ran = failed(project, a_free_port())
    assert ran.returncode == 2
    assert "remove it" in ran.stderr


def test_a_port_that_is_taken_and_a_token_that_is_short_are_errors(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "till")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        assert "cannot be used" in failed(project, port, BACKSTORY_MCP_TOKEN=TOKEN).stderr
    assert "fewer than" in failed(project, a_free_port(), BACKSTORY_MCP_TOKEN="short").stderr


def failed(project: Path, port: int, **env: str) -> "subprocess.CompletedProcess[str]":
    """Start a server that has to fail."""
    ran = subprocess.run(
        [sys.executable, "-m", "backstory.cli.app", "mcp", "--http", "--port", str(port)],
        check=False,
        cwd=project,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, **env},
    )
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    return ran
