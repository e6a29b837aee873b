"""What a call is about: the folders that the client has open, and who the client is."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, cast

from mcp.server.mcpserver import Context, ListRoots, MCPServer, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import (
    ListRootsRequest,
    ListRootsResult,
    Prompt,
    Resource,
    ResourceTemplate,
    Tool,
)

from backstory.mcp.quota import Quota
from backstory.mcp.shelf import Shelf
from backstory.mcp.workspace import Workspace
from backstory.model.errors import BackstoryError

# A client that does not answer must not hold a call up; the server's own folder is taken then.
_ROOTS_S = 2.0
_CLIENT_CHARS_MAX = 40
# The first revision of the protocol without sessions; revisions are dates.
_STATELESS = "2026-07-28"


class MemoryServer(MCPServer):
    """A server, the workspace that its tools are about, and what its sessions may propose.

    While memory is off it lists nothing, since a client pays for each text that is listed.
    """

    workspace: Workspace
    quota: Quota
    connection: str  # names the session where the transport is one connection: a pipe

    async def list_tools(self) -> list[Tool]:
        """Return the tools; none while memory is off."""
        return [] if self.workspace.is_off else await super().list_tools()

    async def list_resources(self) -> list[Resource]:
        """Return the resources; none while memory is off."""
        return [] if self.workspace.is_off else await super().list_resources()

    async def list_resource_templates(self) -> list[ResourceTemplate]:
        """Return the templates; none while memory is off."""
        return [] if self.workspace.is_off else await super().list_resource_templates()

    async def list_prompts(self) -> list[Prompt]:
        """Return the prompts; none while memory is off."""
        return [] if self.workspace.is_off else await super().list_prompts()


async def find_roots(ctx: Context) -> ListRootsResult | ListRoots:
    """Return the folders that the client has open; none where it does not tell.

    They are asked for at every call, so that a change counts at once. In the stateless revision
    of the protocol asking takes another round, so it is done only where there is need.
    """
    nowhere = ListRootsResult(roots=[])
    capabilities = ctx.client_capabilities
    if capabilities is None or capabilities.roots is None:
        return nowhere
    if (ctx.protocol_version or "") >= _STATELESS:
        return nowhere if server_of(ctx).workspace.is_in_project else ListRoots()
    try:
        told_by_client: ListRootsResult = await ctx.session.send_request(
            ListRootsRequest(), ListRootsResult, request_read_timeout_seconds=_ROOTS_S
        )
    except (MCPError, ValueError):  # it cannot say, is silent, or says what makes no sense
        return nowhere
    return told_by_client


def find_shelf(
    ctx: Context, project: str, roots: Annotated[ListRootsResult, Resolve(find_roots)]
) -> Shelf:
    """Return the memory that a call is about."""
    with told():
        return shelf_for(ctx, roots, project=project)


def shelf_for(ctx: Context, roots: ListRootsResult, *, project: str) -> Shelf:
    """Return the memory of the project that is named, or the one there is."""
    return server_of(ctx).workspace.shelf([str(root.uri) for root in roots.roots], project=project)


def server_of(ctx: Context) -> MemoryServer:
    """Return the server that a call came to."""
    return cast("MemoryServer", ctx.mcp_server)


def client_of(ctx: Context) -> str:
    """Return the name of the client, as far as it is one word; it is kept with what it says."""
    params = ctx.session.client_params
    name = "" if params is None else params.client_info.name
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:_CLIENT_CHARS_MAX].strip("-")


def session_of(ctx: Context) -> str:
    """Return the name of the connection, or "" where the transport has one or none."""
    headers = ctx.headers
    return "" if headers is None else headers.get("mcp-session-id", "")


def connection_of(ctx: Context) -> str:
    """Return what names the client's session in memory: its connection, or "" where it has none.

    A client cannot know its own session, so it is never asked. Over HTTP the revision of the
    protocol without sessions has none.
    """
    return server_of(ctx).connection if ctx.headers is None else session_of(ctx)


@contextmanager
def told() -> Iterator[None]:
    """Hand an expected error to the client as the tool's own, with its text."""
    try:
        yield
    except BackstoryError as error:
        raise ToolError(str(error)) from error


Here = Annotated[Shelf, Resolve(find_shelf)]
"""A tool's parameter that is filled with the memory it is about."""
