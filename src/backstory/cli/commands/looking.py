"""`backstory list`, `show` and `why`: seeing what is remembered and what proves it."""

from typing import Annotated

import typer
from rich.cells import cell_len

from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, day, one_line, print_json
from backstory.cli.words import (
    KINDS,
    candidate_row,
    item_row,
    kind_word,
    show_candidate,
    show_item,
    show_story,
    story_row,
)
from backstory.model.answers import Explanation
from backstory.model.candidate import StoredCandidate
from backstory.model.words import Kind, Status
from backstory.speaking import said

_VISIBLE = (Status.ACTIVE, Status.STALE)


def list_(
    invocation: Invocation,
    kind: Annotated[
        list[Kind] | None,
        typer.Option("--kind", metavar="KIND", help=f"Only this kind; repeat. One of {KINDS}."),
    ] = None,
    status: Annotated[
        list[Status] | None,
        typer.Option(
            "--status",
            metavar="STATUS",
            help=f"Items of this status; repeat. One of {', '.join(Status)}.",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Items of every status.")] = False,
) -> None:
    """List what is remembered.

    Active items, and stale ones marked as such; `--all` adds what was replaced or forgotten.
    """
    chosen = tuple(Status) if every else tuple(status or _VISIBLE)
    with opened(invocation) as memory:
        items = memory.list(kinds=tuple(kind or ()), statuses=chosen)
    if invocation.as_json:
        print_json([item_row(item) for item in items])
        return
    screen = Screen()
    width = max((cell_len(kind_word(item.kind)) for item in items), default=0)
    order = list(Kind)
    for item in sorted(items, key=lambda item: order.index(item.kind)):
        show_item(screen, item, kind_width=width)
    if not items:
        narrowed = bool(kind or status)
        screen.line(said("Nothing is remembered of this sort." if narrowed else _EMPTY))


def show(
    invocation: Invocation,
    item: Annotated[str, typer.Argument(help="An item's id, or the beginning of it.")],
) -> None:
    """Show an item with its sources and history.

    Whatever its status, and as far as it can be read in a damaged store, too.
    """
    with opened(invocation, strict=False) as memory:
        story = memory.show(item)
    if invocation.as_json:
        print_json(story_row(story))
    else:
        show_story(Screen(), story)


def why(
    invocation: Invocation,
    words: Annotated[list[str], typer.Argument(help="An item's id, or words that were said.")],
) -> None:
    """Tell why something is remembered, or why it was not."""
    with opened(invocation) as memory:
        answer = memory.why(" ".join(words))
    if invocation.as_json:
        print_json(
            {
                "remembered": [story_row(story) for story in answer.remembered],
                "waiting": [candidate_row(row) for row in answer.waiting],
                "refused": [candidate_row(row) for row in answer.refused],
                "said_only": [
                    {"turn": hit.turn_id, "excerpt": hit.excerpt, "said_at_ms": hit.said_at_ms}
                    for hit in answer.said_only
                ],
            }
        )
    else:
        _tell(Screen(), answer)


COMMANDS = {
    "list": Command(
        run=list_,
        examples=("backstory list --kind project_decision",),
        isolated_answer=[],
    ),
    "show": Command(run=show),
    "why": Command(
        run=why, examples=("backstory why PostgreSQL", 'backstory why "为什么没记住 Redis"')
    ),
}

_EMPTY = "Nothing is remembered yet. `backstory import` reads the sessions you had here."


def _tell(screen: Screen, answer: Explanation) -> None:
    if answer.remembered:
        screen.line((said("Remembered, because this was said:"), "bold"))
    for story in answer.remembered:
        show_story(screen, story)
    waiting = said("Waiting for your approval (backstory review)")
    _tell_proposals(screen, answer.waiting, heading=waiting)
    _tell_proposals(screen, answer.refused, heading=said("Said, but not remembered"))
    if answer.said_only:
        screen.heading(said("Said, and nothing in it asked to be kept"))
    for hit in answer.said_only:
        screen.line((f"{day(hit.said_at_ms)}  ", "dim"), one_line(hit.excerpt))
    if not (answer.remembered or answer.waiting or answer.refused or answer.said_only):
        screen.line(said("Nothing like it was said in what this project has recorded."))


def _tell_proposals(
    screen: Screen, proposals: tuple[StoredCandidate, ...], *, heading: str
) -> None:
    if proposals:
        screen.heading(heading)
    for candidate in proposals:
        show_candidate(screen, candidate)
