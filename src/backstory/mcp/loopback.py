"""Serving many clients of this machine over HTTP, until a signal ends it."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from backstory.adapters.project import require_project
from backstory.adapters.tokens import token_for
from backstory.mcp.guard import LOOPBACK, Guard
from backstory.mcp.server import make_server
from backstory.model.errors import UsageError

# An open stream of events would hold the end up for ever.
_GOODBYE_S = 1
_WAITING_MAX = 128


def serve_http(folder: Path, *, port: int, announce: Callable[[], None]) -> None:
    """Serve on the loopback interface, and nowhere else. To be called in the main thread.

    `announce` is called once clients can connect. Raises `UsageError` where the port is taken or
    the token cannot be used, and `NoProjectError` where the directory is in no project.
    """
    env = dict(os.environ)
    token = token_for(require_project(folder, env=env).state_dir, env=env)
    with _listening(port) as listener:
        server = make_server(folder)
        app = server.streamable_http_app(host=LOOPBACK)
        app.add_middleware(Guard, token=token, port=port)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GOODBYE_S,
        )
        announce()
        try:
            uvicorn.Server(config).run(sockets=[listener])
        finally:
            server.workspace.close()


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
    except OSError as error:
        listener.close()
        raise UsageError(f"port {port} of {LOOPBACK} cannot be used: {error.strerror}") from error
    listener.listen(_WAITING_MAX)
    return listener
