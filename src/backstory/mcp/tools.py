"""The seven tools: each translates a call for the library, and its answer for the client."""

from typing import TYPE_CHECKING, Annotated, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from backstory.adapters.system import system_clock
from backstory.mcp import answers
from backstory.mcp.asking import (
    Here,
    MemoryServer,
    client_of,
    connection_of,
    server_of,
    session_of,
    told,
)
from backstory.mcp.shelf import Shelf, Silent

if TYPE_CHECKING:
    from backstory.api import Memory

Kind = Literal[
    "user_preference",
    "project_decision",
    "code_convention",
    "project_fact",
    "reference",
    "tool_lesson",
    "failure_lesson",
]
Id = Annotated[str, Field(description="m_…")]

_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_REMOVES = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)
_STORY_MAX = 20


def recall(
    *,
    here: Here,
    query: Annotated[str, Field(description="a question or a few words")] = "",
    files: Annotated[list[str], Field(description="paths at hand")] = [],  # noqa: B006
    project: str = "",
) -> answers.Found:
    """Find what was decided, preferred or learnt here, for a question or files."""
    with told():
        memory = here.memory()
        if isinstance(memory, Silent):
            return answers.Found(entries=[], nothing_because=memory.because)
        return answers.found(memory.recall(query, files=files))


def read(*, here: Here, id: Id, project: str = "") -> answers.Read:  # noqa: A002
    """Read one item with the words that prove it."""
    with told():
        return answers.read(_memory_of(here).read(id))


def remember(
    *,
    here: Here,
    ctx: Context,
    statement: Annotated[str, Field(description="one lasting statement")],
    user_words: Annotated[
        str, Field(description="the user's words for it, copied, if others")
    ] = "",
    kind: Kind | None = None,
    project: str = "",
) -> answers.Kept:
    """Keep what the user decided or stated. Without their exact words it waits for review."""
    with told():
        memory = here.memory()
        if isinstance(memory, Silent):
            return answers.Kept(because=[memory.because])
        server_of(ctx).quota.take(session_of(ctx), now_ms=system_clock())
        made = memory.entrust(
            statement,
            user_words=user_words,
            kind=kind,
            agent=client_of(ctx),
            session=connection_of(ctx),
        )
        return answers.kept(made)


def forget(*, here: Here, id: Id, project: str = "") -> answers.Gone:  # noqa: A002
    """Hide an item for good. Only when the user asks for it."""
    with told():
        item = _memory_of(here).forget(id)
        return answers.Gone(forgotten=item.id)


def story(
    *,
    here: Here,
    place: Annotated[str, Field(description="a path, branch or ticket")] = "",
    project: str = "",
) -> answers.Story:
    """Tell how a place, or the whole project, came to be."""
    with told():
        memory = here.memory()
        if isinstance(memory, Silent):
            return answers.Story(episodes=[], nothing_because=memory.because)
        episodes = memory.story(place, limit=_STORY_MAX)
        return answers.Story(episodes=[answers.told(episode) for episode in episodes])


def todo(*, here: Here, project: str = "") -> answers.Todos:
    """List what was left open, newest first."""
    with told():
        memory = here.memory()
        if isinstance(memory, Silent):
            return answers.Todos(open=[], nothing_because=memory.because)
        return answers.Todos(
            open=[f"{one.todo.text} ({one.episode_id})" for one in memory.todos()]
        )


def status(*, here: Here, project: str = "") -> answers.State:
    """Tell whether memory is well, and what waits for the user."""
    with told():
        report = here.status()
    if isinstance(report, Silent):
        return answers.State(health=report.health, problem=report.because)
    return answers.state(report)


def offer_tools(server: MemoryServer) -> None:
    """Let a server offer them."""
    for run, annotations in (
        (recall, _READS),
        (read, _READS),
        (remember, _ADDS),
        (forget, _REMOVES),
        (story, _READS),
        (todo, _READS),
        (status, _READS),
    ):
        server.add_tool(
            run,
            title=run.__name__.capitalize(),
            description=(run.__doc__ or "").strip(),
            annotations=annotations,
            # Claude Code shows others by name alone, until they are searched for.
            meta={"anthropic/alwaysLoad": True} if run is recall else None,
        )


def _memory_of(shelf: Shelf) -> "Memory":
    memory = shelf.memory()
    if isinstance(memory, Silent):
        raise ToolError(memory.because)
    return memory
