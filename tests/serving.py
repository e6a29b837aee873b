"""Running the MCP server over HTTP, in a process of its own."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def a_free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def serving(project: Path, port: int, **env: str) -> Iterator["subprocess.Popen[str]"]:
    """Run a server until the block ends."""
    command = [sys.executable, "-m", "backstory.cli.app", "mcp", "--http", "--port", str(port)]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=project, stdout=pipe, stderr=pipe, text=True, env={**os.environ, **env}
    ) as server:
        try:
            assert server.stderr is not None
            said = server.stderr.readline()
            assert said.startswith("Serving at "), said
            yield server
        finally:
            server.kill()
