"""`backstory mcp`: memory for agents that speak MCP."""

import importlib.util
import shlex

from backstory.adapters.installing.entries import program_path
from backstory.cli.place import Command, Invocation
from backstory.cli.render import print_json
from backstory.model.errors import UsageError


def mcp(invocation: Invocation) -> None:
    """Serve memory over MCP on standard input and output.

    Agents start it themselves, as `backstory install` tells them to. It needs the extra `mcp`.
    With `--json` it does not serve, but shows what to enter in the settings of another client.
    """
    if invocation.as_json:
        command, *arguments = shlex.split(program_path())
        print_json(
            {"mcpServers": {"backstory": {"command": command, "args": [*arguments, "mcp"]}}}
        )
        return
    if importlib.util.find_spec("mcp") is None:
        raise UsageError("the MCP server needs an extra: install `backstory[mcp]`")
    from backstory.mcp.server import serve  # noqa: PLC0415 - a second to load

    serve(invocation.folder)


COMMANDS = {"mcp": Command(run=mcp)}
