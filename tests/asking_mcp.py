"""Asking the MCP server in memory, as a client does."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import Client

from backstory.mcp.server import make_server


def ask(folder: Path, question: Callable[[Client], Awaitable[Any]], **client: Any) -> Any:
    """Connect to a server that was started in a folder, and return what a question got."""

    async def run() -> Any:
        server = make_server(folder)
        try:
            async with Client(server, **client) as connected:
                return await question(connected)
        finally:
            server.workspace.close()

    return asyncio.run(run())


def called(folder: Path, tool: str, **given: object) -> Any:
    """Call a tool, and return its structured answer."""
    result = ask(folder, lambda client: client.call_tool(tool, given))
    assert not result.is_error, result.content
    return result.structured_content


def failed(folder: Path, tool: str, **given: object) -> str:
    """Call a tool that has to fail, and return what it says."""
    result = ask(folder, lambda client: client.call_tool(tool, given))
    assert result.is_error, result.structured_content
    return str(result.content[0].text)
