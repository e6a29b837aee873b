"""The tools, resources and prompts, and the server that offers them."""

from pathlib import Path
from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from backstory import __version__
from backstory.api import Memory, NullMemory
from backstory.mcp import answers
from backstory.mcp.shelf import Shelf, is_said
from backstory.model.errors import BackstoryError

INSTRUCTIONS = (
    "Memory of this project, proved by the user's words. Recall before you decide something "
    "that may have been decided. It is no evidence about the code: read that. What the user "
    "says now wins."
)
_KINDS = Literal[
    "user_preference",
    "project_decision",
    "code_convention",
    "project_fact",
    "reference",
    "tool_lesson",
    "failure_lesson",
]
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


def make_server(folder: Path) -> tuple[MCPServer, Shelf]:
    """Return a server for the project that a directory lies in, and the memory it holds."""
    shelf = Shelf(folder)
    server = MCPServer(
        "backstory", title="Backstory", instructions=INSTRUCTIONS, version=__version__
    )
    _offer_reading(server, shelf)
    _offer_telling(server, shelf)
    _offer_changing(server, shelf)
    _offer_resources(server, shelf)
    _offer_prompts(server)
    return server, shelf


def serve(folder: Path) -> None:
    """Serve over standard input and output until the client closes them."""
    server, shelf = make_server(folder)
    try:
        server.run("stdio")
    except* (BrokenPipeError, ConnectionError):
        pass
    finally:
        shelf.close()


def _offer_reading(server: MCPServer, shelf: Shelf) -> None:
    @server.tool(
        title="Recall",
        description="Find what was decided, preferred or learnt here, for a question or files.",
        annotations=_READS,
        meta={"anthropic/alwaysLoad": True},
    )
    def recall(
        query: Annotated[str, Field(description="a question or a few words")] = "",
        files: Annotated[list[str], Field(description="paths at hand")] = [],  # noqa: B006
    ) -> answers.Found:
        try:
            return answers.found(shelf.memory().recall(query, files=files))
        except BackstoryError as error:
            raise ToolError(str(error)) from error

    @server.tool(title="Read", description="Read one item with its proof.", annotations=_READS)
    def read(id: Annotated[str, Field(description="its id, m_…")]) -> answers.Read:  # noqa: A002
        try:
            return answers.read(shelf.memory().read(id))
        except BackstoryError as error:
            raise ToolError(str(error)) from error

    @server.tool(title="Status", description="Tell whether memory is well.", annotations=_READS)
    def status() -> answers.State:
        try:
            return _state(shelf.memory())
        except BackstoryError as error:
            raise ToolError(str(error)) from error


def _offer_telling(server: MCPServer, shelf: Shelf) -> None:
    @server.tool(
        title="Story",
        description="Tell how a path, branch or ticket came to be; without one, the project.",
        annotations=_READS,
    )
    def story(place: str = "") -> answers.Story:
        try:
            episodes = shelf.memory().story(place, limit=_STORY_MAX)
        except BackstoryError as error:
            raise ToolError(str(error)) from error
        return answers.Story(episodes=[answers.told(episode) for episode in episodes])

    @server.tool(title="To do", description="List what was left open.", annotations=_READS)
    def todo() -> answers.Todos:
        try:
            left = shelf.memory().todos()
        except BackstoryError as error:
            raise ToolError(str(error)) from error
        return answers.Todos(open=[f"{one.todo.text} ({one.episode_id})" for one in left])


def _offer_changing(server: MCPServer, shelf: Shelf) -> None:
    @server.tool(
        title="Remember",
        description="Keep what the user said, in their exact words. Your own words are no proof.",
        annotations=_ADDS,
    )
    def remember(
        user_words: Annotated[str, Field(description="copied from the user's message")],
        kind: _KINDS | None = None,
    ) -> answers.Kept:
        try:
            return _remembered(shelf.memory(), user_words, kind=kind)
        except BackstoryError as error:
            raise ToolError(str(error)) from error

    @server.tool(
        title="Forget",
        description="Hide an item for good. Only when the user asks for it.",
        annotations=_REMOVES,
    )
    def forget(id: Annotated[str, Field(description="its id, m_…")]) -> str:  # noqa: A002
        try:
            item = shelf.memory().forget(id)
        except BackstoryError as error:
            raise ToolError(str(error)) from error
        return f"forgotten: {item.id}. `backstory undo` takes it back."


def _remembered(memory: Memory | NullMemory, words: str, *, kind: str | None) -> answers.Kept:
    """Keep the user's words, if it is theirs: an agent's own are refused, with what to do."""
    if not is_said(memory, words):
        because = (
            "no recorded message of the user holds these words; copy them exactly, or ask the "
            "user to say it or to run `backstory remember`"
        )
        return answers.Kept(remembered=[], refused_because=[because])
    return answers.kept(memory.remember(words, kind=kind))


def _state(memory: Memory | NullMemory) -> answers.State:
    report = memory.status()
    return answers.State(
        health=report.health,
        purpose=report.purpose,
        items=sum(sum(counts.values()) for counts in report.items.values()),
        turns=sum(report.turns.values()),
        waiting_jobs=len(report.jobs),
        problem=report.problem,
    )


def _offer_resources(server: MCPServer, shelf: Shelf) -> None:
    @server.resource(
        "backstory://index",
        title="Index",
        description="All items, a line each",
        mime_type="text/plain",
    )
    def index() -> str:
        return shelf.memory().context().index

    @server.resource(
        "backstory://item/{id}",
        title="Item",
        description="One item in full",
        mime_type="text/plain",
    )
    def item(id: str) -> str:  # noqa: A002
        return shelf.memory().read(id).content


def _offer_prompts(server: MCPServer) -> None:
    @server.prompt(title="Catch me up", description="What was done and decided, what is open")
    def catch_me_up() -> str:
        return (
            "Catch me up on this project: call `story` and `todo`, then tell me in ten lines "
            "what was done, what was decided and why, and what is open. Cite the ids."
        )

    @server.prompt(title="Record this decision", description="Keep what I just decided")
    def record_this_decision() -> str:
        return (
            "Find in my messages of this conversation the sentence in which I decided, and "
            "call `remember` with exactly these words and the kind project_decision. Tell me "
            "what was kept, or why nothing was."
        )
