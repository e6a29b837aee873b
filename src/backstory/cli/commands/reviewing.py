"""`backstory review`: what waits for a person's approval."""

from enum import StrEnum
from typing import Annotated

import typer

from backstory.api import Memory, NullMemory
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, print_json
from backstory.cli.words import candidate_row, item_row, show_candidate, show_item
from backstory.model.answers import Remembered
from backstory.model.candidate import StoredCandidate
from backstory.model.errors import UsageError
from backstory.model.ids import meant
from backstory.model.item import Item

_LISTED_MAX = 8


class Verdict(StrEnum):
    """What to do with proposals that wait."""

    APPROVE = "approve"
    DISCARD = "discard"


def review(
    invocation: Invocation,
    verdict: Annotated[
        Verdict | None, typer.Argument(help="What to do with the proposals named; or list them.")
    ] = None,
    proposals: Annotated[list[str] | None, typer.Argument(help="Ids of proposals.")] = None,
    on: Annotated[
        bool | None, typer.Option("--on/--off", help="Let new items wait for approval, or not.")
    ] = None,
) -> None:
    """List, approve or discard what waits for approval.

    Nothing is approved by waiting, and no agent is asked.
    """
    if verdict is not None and not proposals:
        raise UsageError(f"say which proposals to {verdict.value}, by their ids")
    with opened(invocation) as memory:
        if on is not None:
            memory.set_review(on=on)
        approved = _decided(memory, proposals or [], verdict=verdict)
        waiting = memory.waiting()
        is_on = memory.status().review
    if invocation.as_json:
        print_json(
            {
                "review": is_on,
                "approved": [item_row(item) for item in approved],
                "waiting": [candidate_row(row) for row in waiting],
            }
        )
    else:
        _tell(Screen(), approved, waiting=waiting, is_on=is_on)


COMMANDS = {
    "review": Command(
        run=review,
        examples=(
            "backstory review --on",
            "backstory review approve c_4k2xq c_9m1zr",
            "backstory review discard c_7h3ad",
        ),
    )
}


def _decided(
    memory: Memory | NullMemory, names: list[str], *, verdict: Verdict | None
) -> list[Item]:
    """Approve or discard the proposals named, and return the items that came of it."""
    waiting = memory.waiting()
    chosen = [_named(name, waiting) for name in names]  # all are known before any is decided
    approved: list[Item] = []
    for proposal in chosen:
        if verdict is Verdict.APPROVE:
            made: Remembered = memory.approve(proposal)
            approved += made.items
        else:
            memory.discard(proposal)
    return approved


def _named(name: str, waiting: tuple[StoredCandidate, ...]) -> str:
    found = [row.id for row in waiting if row.id.startswith(name)]
    # An unknown one is told by what decides on it: it may have been decided before.
    return meant(name, found[:_LISTED_MAX], what="proposal") if found else name


def _tell(
    screen: Screen, approved: list[Item], *, waiting: tuple[StoredCandidate, ...], is_on: bool
) -> None:
    for item in approved:
        show_item(screen, item)
    for row in waiting:
        show_candidate(screen, row)
    if not waiting:
        screen.line("Nothing waits for approval.")
    screen.line(("Review is on: new items wait." if is_on else "Review is off.", "dim"))
