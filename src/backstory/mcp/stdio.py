"""Serving one client over standard input and output, until it leaves."""

import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

from backstory.mcp.server import make_server
from backstory.mcp.wire import Seal
from backstory.mcp.workspace import Workspace


def serve(folder: Path, seal: Seal) -> NoReturn:
    """Serve until the client closes the pipe, or a signal ends it; and end the process.

    To be called in the main thread. What was asked last may not be answered then; whatever was
    stored is whole.
    """
    server = make_server(folder)
    _end_by_signals(server.workspace)
    try:
        seal.hand_over()
        server.run("stdio")
    except* (BrokenPipeError, ConnectionError):
        pass  # the client has gone
    finally:
        server.workspace.close()
    # What is left is taking the interpreter apart, for which the client would wait.
    sys.stderr.flush()
    os._exit(0)


def _end_by_signals(workspace: Workspace) -> None:
    def end(*_: object) -> None:
        workspace.close()
        # The thread that reads from the client cannot be interrupted; nothing waits for it.
        os._exit(0)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
