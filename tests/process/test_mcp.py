"""The MCP server speaks over pipes, prints nothing else, and ends when its client does."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from backstory.adapters.locking import LOCK_NAME, is_held
from backstory.api import Memory, Opening
from hosting import a_repository, state_of
from processes import PATIENCE_S, until
from recorded import files_in

DECIDED = "We decided to use PostgreSQL for the main database."
SERVE = [sys.executable, "-m", "backstory.cli.app", "mcp"]
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
# A server whose tool prints, warns, and starts a child that writes to descriptor 1.
NOISY = """
import os, subprocess, sys
print("before anything is loaded")
from backstory.cli.commands.agents import serving
from backstory.mcp import shelf
from backstory.cli.place import Invocation
plain = shelf.Shelf.memory
def noisy(self):
    print("printed, without an end", end="")
    os.write(1, b"written to the descriptor\\n")
    subprocess.run([sys.executable, "-c", "print('said by a child')"], check=True)
    return plain(self)
shelf.Shelf.memory = noisy
serving.mcp(Invocation())
"""


class Session:
    """A client's end of the pipe."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self._asked = 0

    def send(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> None:
        """Send one message."""
        assert self.process.stdin is not None
        message = {"jsonrpc": "2.0", "method": method, "params": params or {}, **more}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """Send a request, and return its answer; every line before it is a message as well."""
        self._asked += 1
        self.send(method, params, id=self._asked)
        return self.answer_to(self._asked)

    def answer_to(self, number: int) -> Any:
        """Read until a request is answered."""
        assert self.process.stdout is not None
        while True:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == number:
                return message["result"]

    def call(self, tool: str, **given: object) -> Any:
        """Call a tool, and return its structured answer."""
        result = self.ask("tools/call", {"name": tool, "arguments": given})
        assert not result.get("isError"), result
        return result["structuredContent"]

    def leave(self) -> tuple[str, str, float]:
        """Close the pipe, and return what was still written and how long the end took."""
        begun = time.monotonic()
        rest, errors = self.process.communicate(timeout=PATIENCE_S)
        return rest, errors, time.monotonic() - begun


@contextmanager
def served(project: Path, command: list[str] = SERVE) -> Iterator[Session]:
    """Start a server as a host does, and greet it."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=project, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as process:
        session = Session(process)
        try:
            hello = session.ask("initialize", HELLO)
            assert hello["serverInfo"]["name"] == "backstory"
            session.send("notifications/initialized")
            yield session
        finally:
            process.kill()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project in which something was decided."""
    folder = a_repository(tmp_path / "shop")
    with Memory.open(folder) as memory:
        memory.remember(DECIDED)
    return folder


def test_a_server_whose_client_leaves_ends_well_and_at_once(project: Path) -> None:
    with served(project) as session:
        assert session.call("recall", query="Which database?")["entries"]
        rest, errors, took_s = session.leave()

    assert session.process.returncode == 0
    assert rest == ""
    assert "Traceback" not in errors
    assert took_s < 1 or os.environ.get("CI")


@pytest.mark.skipif(os.name != "posix", reason="Windows ends programs without asking them")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_well(project: Path, number: int) -> None:
    with served(project) as session:
        session.call("recall", query="Which database?")
        session.process.send_signal(number)
        session.process.wait(PATIENCE_S)
        assert session.process.stderr is not None
        errors = session.process.stderr.read()

    assert session.process.returncode == 0
    assert "Traceback" not in errors
    assert not is_held(state_of(project) / LOCK_NAME)


@pytest.mark.case("C17")
def test_whatever_prints_stays_off_the_wire(project: Path) -> None:
    begin = NOISY.replace('print("before anything is loaded")\n', "")
    with served(project, [sys.executable, "-c", begin]) as session:
        for _ in range(3):
            assert session.call("recall", query="Which database?")["entries"]
        rest, errors, _ = session.leave()

    assert rest == ""
    assert all(words in errors for words in ("printed", "written to", "said by a child"))


@pytest.mark.case("C17")
def test_a_library_that_prints_while_it_is_loaded_stays_off_the_wire(
    project: Path, tmp_path: Path
) -> None:
    (tmp_path / "libraries").mkdir()
    (tmp_path / "libraries" / "anyio.py").write_text(
        'print("hello from a library")\n'
        "import importlib.util, sys\n"
        "sys.path.remove(__file__.rpartition('/')[0])\n"
        "del sys.modules['anyio']\n"
        "import anyio\n"
    )
    begin = (
        "import sys; sys.path.insert(0, sys.argv[1]); from backstory.cli.commands.agents import "
        "serving; from backstory.cli.place import Invocation; serving.mcp(Invocation())"
    )
    command = [sys.executable, "-c", begin, str(tmp_path / "libraries")]
    with served(project, command) as session:
        assert session.call("status")["health"] == "ok"
        _, errors, _ = session.leave()

    assert "hello from a library" in errors


def test_a_call_that_is_cancelled_breaks_nothing(project: Path) -> None:
    with served(project) as session:
        for number in range(900, 920):
            asked = {"name": "story", "arguments": {}}
            session.send("tools/call", asked, id=number)
            session.send("notifications/cancelled", {"requestId": number, "reason": "test"})

        assert session.call("recall", query="Which database?")["entries"]
        assert session.leave()[0] == "" or session.process.returncode == 0


@pytest.mark.case("C17")
def test_lines_that_are_no_messages_break_nothing(project: Path) -> None:
    with served(project) as session:
        assert session.process.stdin is not None
        session.process.stdin.write("this is no message\n{}\n[1, 2]\n\n")
        session.process.stdin.flush()

        assert session.call("status")["health"] == "ok"


def test_waiting_work_is_done_by_one_worker_inside(project: Path) -> None:
    memory = Memory.open(project, opening=Opening(works_inline=False))
    with served(project) as one, served(project) as other:
        one.call("status")
        for session in (one, other):
            session.call("recall", query="anything")
        for text in ("From now on all handlers return JSON.", "We use four spaces here."):
            memory.complete_turn(memory.begin_turn(text), "Fine.")
        until(lambda: len(memory.list()) == 3)

        assert one.call("recall", query="handlers JSON")["entries"]
        assert memory.status().jobs == ()
    memory.close()
    assert not is_held(state_of(project) / LOCK_NAME)


@pytest.mark.case("C115")
def test_an_idle_server_writes_nothing_and_holds_no_lock(project: Path) -> None:
    folder = state_of(project)
    with served(project) as session:
        session.call("recall", query="Which database?")
        before = files_in(folder)
        time.sleep(2.5)
        after = files_in(folder)
        lock_is_free = not is_held(folder / LOCK_NAME)

    shared = {"memory.db-shm"}  # readers note there what they read
    assert {n: b for n, b in after.items() if n not in shared} == {
        n: b for n, b in before.items() if n not in shared
    }
    assert lock_is_free


def test_settings_for_another_client_are_shown(project: Path) -> None:
    def shown(*more: str) -> Any:
        ran = subprocess.run(
            [*SERVE, "--json", *more], cwd=project, capture_output=True, text=True, check=True
        )
        return json.loads(ran.stdout)["mcpServers"]["backstory"]

    assert shown()["args"][-1] == "mcp"
    assert shown("--http", "--port", "9000") == {
        "type": "http",
        "url": "http://127.0.0.1:9000/mcp",
        "headers": {"Authorization": "Bearer ${BACKSTORY_MCP_TOKEN}"},
    }
