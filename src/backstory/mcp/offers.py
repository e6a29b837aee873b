"""What a client can offer its user: the index and items as resources, and two prompts."""

from collections.abc import Iterator
from contextlib import contextmanager

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.types import ListRootsResult

from backstory.mcp.asking import MemoryServer, find_roots, shelf_for
from backstory.mcp.shelf import Shelf, Silent
from backstory.model.errors import BackstoryError, NoProjectError, NotFoundError

_TEXT = "text/plain"


def offer_resources(server: MemoryServer) -> None:
    """Offer the index, and each item by its id; with a project's name where several are open."""

    @server.resource(
        "backstory://index",
        title="Index",
        description="All items, a line each",
        mime_type=_TEXT,
    )
    def index() -> str:
        with said():
            return _index_of(server.workspace.shelf())

    @server.resource(
        "backstory://index/{project}",
        title="Index of a project",
        description="The same, where several projects are open",
        mime_type=_TEXT,
    )
    async def index_of(project: str, ctx: Context) -> str:
        roots = await _roots(ctx)
        with said():
            return _index_of(shelf_for(ctx, roots, project=project))

    @server.resource(
        "backstory://item/{id}{?project}",
        title="Item",
        description="One item in full",
        mime_type=_TEXT,
    )
    async def item(*, id: str, ctx: Context, project: str = "") -> str:  # noqa: A002
        roots = await _roots(ctx)
        with said():
            return _item_of(shelf_for(ctx, roots, project=project), id)


def offer_prompts(server: MemoryServer) -> None:
    """Offer what a person can ask with one word."""

    @server.prompt(title="Catch me up", description="What was done and decided, what is open")
    def catch_me_up() -> str:
        return (
            "Catch me up on this project: call `story` and `todo`, then tell me in ten lines "
            "what was done, what was decided and why, and what is open. Cite the ids."
        )

    @server.prompt(title="Record this decision", description="Keep what I just decided")
    def record_this_decision() -> str:
        return (
            "Find in my messages the sentence in which I decided, and call `remember` with the "
            "decision as `statement`, that sentence word for word as `user_words`, and the kind "
            "project_decision. Tell me whether it was remembered or waits for my review."
        )


@contextmanager
def said() -> Iterator[None]:
    """Hand an expected error to the client, with its text."""
    try:
        yield
    except (NotFoundError, NoProjectError) as error:
        raise ResourceNotFoundError(str(error)) from error
    except BackstoryError as error:
        raise ResourceError(str(error)) from error


async def _roots(ctx: Context) -> ListRootsResult:
    found = await find_roots(ctx)
    return found if isinstance(found, ListRootsResult) else ListRootsResult(roots=[])


def _index_of(shelf: Shelf) -> str:
    memory = shelf.memory()
    return memory.because if isinstance(memory, Silent) else memory.context().index


def _item_of(shelf: Shelf, name: str) -> str:
    memory = shelf.memory()
    if isinstance(memory, Silent):
        raise ResourceError(memory.because)
    return memory.read(name).content
