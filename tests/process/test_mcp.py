"""The MCP server speaks over pipes, prints nothing else, and ends when its client does."""

import json
import subprocess
import sys
from pathlib import Path

from hosting import a_repository

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


def test_a_server_whose_client_leaves_ends_well(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    with subprocess.Popen(
        [sys.executable, "-m", "backstory.cli.app", "mcp"],
        cwd=project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(HELLO) + "\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        rest = server.communicate(timeout=60)[0]

    assert answer["result"]["serverInfo"]["name"] == "backstory"
    assert all(json.loads(line) for line in rest.splitlines())
    assert server.returncode == 0


def test_settings_for_another_client_are_shown(tmp_path: Path) -> None:
    project = a_repository(tmp_path / "shop")
    ran = subprocess.run(
        [sys.executable, "-m", "backstory.cli.app", "mcp", "--json"],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(ran.stdout)["mcpServers"]["backstory"]["args"][-1] == "mcp"
