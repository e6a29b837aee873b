"""`backstory mcp`: memory for agents that speak MCP."""

import importlib.util
import os
import shlex
import sys
from typing import Annotated

import typer

from backstory.adapters.installing.entries import program_path
from backstory.adapters.project import require_project
from backstory.adapters.tokens import TOKEN_FILE, TOKEN_VARIABLE
from backstory.cli.place import Command, Invocation
from backstory.cli.render import print_json
from backstory.mcp.guard import LOOPBACK
from backstory.mcp.wire import Seal
from backstory.model.errors import UsageError
from backstory.speaking import said

_PORT = 8642


def mcp(
    invocation: Invocation,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP, to programs of this machine.")
    ] = False,
    port: Annotated[int, typer.Option(help="The port for --http.", min=1, max=65_535)] = _PORT,
) -> None:
    """Serve memory over MCP on standard input and output.

    Agents start it themselves, as `backstory install` tells them to. It needs the extra `mcp`.
    With `--http` many agents can share one server; each needs the token that is kept beside the
    memory, or in BACKSTORY_MCP_TOKEN. With `--json` it does not serve, but shows what to enter
    in the settings of another client.
    """
    if invocation.as_json:
        print_json({"mcpServers": {"backstory": _http_entry(port) if http else _entry()}})
        return
    # Before anything is loaded that could print.
    seal = None if http else Seal()
    if importlib.util.find_spec("mcp") is None:
        raise UsageError("the MCP server needs an extra: install `backstory[mcp]`")
    if seal is not None:
        from backstory.mcp.stdio import serve  # noqa: PLC0415 - a second to load

        serve(invocation.folder, seal)
    from backstory.mcp.loopback import serve_http  # noqa: PLC0415 - a second to load

    serve_http(invocation.folder, port=port, announce=lambda: _welcome(invocation, port))


COMMANDS = {
    "mcp": Command(
        run=mcp,
        examples=("backstory mcp --json", "backstory mcp --http --port 8642"),
    )
}


def _entry() -> dict[str, object]:
    command, *arguments = shlex.split(program_path())
    return {"command": command, "args": [*arguments, "mcp"]}


def _http_entry(port: int) -> dict[str, object]:
    return {
        "type": "http",
        "url": _address(port),
        "headers": {"Authorization": f"Bearer ${{{TOKEN_VARIABLE}}}"},
    }


def _address(port: int) -> str:
    return f"http://{LOOPBACK}:{port}/mcp"


def _welcome(invocation: Invocation, port: int) -> None:
    if os.environ.get(TOKEN_VARIABLE):
        place = TOKEN_VARIABLE
    else:
        state_dir = require_project(invocation.folder, env=os.environ).state_dir
        place = str(state_dir / TOKEN_FILE)
    told = said(f"Serving at {_address(port)}; the token is in {place}.")
    sys.stderr.write(f"{told}\n")
    sys.stderr.flush()
