"""`backstory list`, `show` and `why`: seeing what is remembered and what proves it."""

from typing import Annotated

import typer

from backstory.cli.place import opened
from backstory.cli.render import Screen, day, print_json
from backstory.cli.words import (
    candidate_row,
    item_row,
    show_candidate,
    show_item,
    show_story,
    story_row,
)
from backstory.model.answers import Explanation
from backstory.model.words import Kind, Status

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def list_(
    context: typer.Context,
    kind: Annotated[
        list[Kind] | None, typer.Option("--kind", help="Only this kind; repeat.")
    ] = None,
    status: Annotated[
        list[Status] | None, typer.Option("--status", help="Items of this status; repeat.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Items of every status.")] = False,
    as_json: AsJson = False,
) -> None:
    """List what is remembered: active items, and stale ones marked as such."""
    chosen = tuple(Status) if every else tuple(status or (Status.ACTIVE, Status.STALE))
    with opened(context) as memory:
        items = memory.list(kinds=tuple(kind or ()), statuses=chosen)
    if as_json:
        print_json([item_row(item) for item in items])
        return
    screen = Screen()
    for item in items:
        show_item(screen, item)
    if not items:
        screen.line("Nothing is remembered yet. `backstory import` reads the project's sessions.")


def show(
    context: typer.Context,
    item: Annotated[str, typer.Argument(help="An item's id, or the beginning of it.")],
    as_json: AsJson = False,
) -> None:
    """Show an item with its sources and history, whatever its status."""
    with opened(context, strict=False) as memory:
        story = memory.show(item)
    if as_json:
        print_json(story_row(story))
    else:
        show_story(Screen(), story)


def why(
    context: typer.Context,
    words: Annotated[list[str], typer.Argument(help="An item's id, or words that were said.")],
    as_json: AsJson = False,
) -> None:
    """Tell why something is remembered, or why it was not.

    Examples: backstory why tabs; backstory why 为什么没记住 Redis
    """
    text = " ".join(words)
    with opened(context) as memory:
        answer = memory.why(text)
    if as_json:
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
        return
    _explain(Screen(), answer)


COMMANDS = {"list": list_, "show": show, "why": why}


def _explain(screen: Screen, answer: Explanation) -> None:
    if answer.remembered:
        screen.line(("Remembered, because this was said:", "bold"))
    for story in answer.remembered:
        show_story(screen, story)
    if answer.waiting:
        screen.heading("Waiting for your approval (backstory review)")
    for candidate in answer.waiting:
        show_candidate(screen, candidate)
    if answer.refused:
        screen.heading("Said, but not remembered")
    for candidate in answer.refused:
        show_candidate(screen, candidate)
    if answer.said_only:
        screen.heading("Said, and nothing in it asked to be kept")
    for hit in answer.said_only:
        screen.line((f"{day(hit.said_at_ms)}  ", "dim"), hit.excerpt.replace("\n", " "))
    if not (answer.remembered or answer.waiting or answer.refused or answer.said_only):
        screen.line("Nothing like it was said in what this project has recorded.")
