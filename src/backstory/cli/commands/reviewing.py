"""`backstory review`: what waits for a person's approval."""

from enum import StrEnum
from typing import Annotated

import typer

from backstory.api import Memory, NullMemory
from backstory.cli.editing import edited
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, one_line, print_json
from backstory.cli.words import candidate_row, item_row, kind_word, show_candidate, show_item
from backstory.model.answers import Remembered
from backstory.model.candidate import StoredCandidate
from backstory.model.errors import UsageError
from backstory.model.ids import meant
from backstory.model.item import Item
from backstory.speaking import said

_LISTED_MAX = 8
_WAIT = "wait"
_INSTRUCTIONS = (
    "# Put `approve` or `discard` in the place of `wait`, save, and close the editor.",
    "# What is left out or unchanged goes on waiting. Words are corrected by `backstory edit`.",
)


class Verdict(StrEnum):
    """What to do with proposals that wait."""

    APPROVE = "approve"
    DISCARD = "discard"
    EDIT = "edit"  # of each, in an editor


def review(
    invocation: Invocation,
    verdict: Annotated[
        Verdict | None,
        typer.Argument(help="What to do with the proposals named; `edit`: in your editor."),
    ] = None,
    proposals: Annotated[list[str] | None, typer.Argument(help="Ids of proposals.")] = None,
    on: Annotated[
        bool | None, typer.Option("--on/--off", help="Let new items wait for approval, or not.")
    ] = None,
) -> None:
    """List, approve or discard what waits for approval.

    `edit` opens all of them in your editor, a line each, to be approved or discarded at once.
    Nothing is approved by waiting, and no agent is asked; what nobody approves within 30 days
    is discarded.
    """
    names = proposals or []
    if verdict in {Verdict.APPROVE, Verdict.DISCARD} and not names:
        raise UsageError(f"say which proposals to {verdict.value}, by their ids")
    with opened(invocation) as memory:
        if on is not None:
            memory.set_review(on=on)
        waiting = memory.waiting()
        if verdict is Verdict.EDIT:
            chosen = _chosen_in_editor(waiting)
        else:
            chosen = [(verdict or Verdict.APPROVE, _named(name, waiting)) for name in names]
        approved = _decided(memory, chosen)
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
            "backstory review edit",
        ),
    )
}


def listing(waiting: tuple[StoredCandidate, ...]) -> str:
    """Return the text in which a person decides: a line for each proposal."""
    rows = [
        f"{_WAIT}  {row.id}  {kind_word(row.kind)}  {one_line(row.statement)}" for row in waiting
    ]
    return "\n".join([*(said(line) for line in _INSTRUCTIONS), *rows])


def decisions_in(text: str, waiting: tuple[StoredCandidate, ...]) -> list[tuple[Verdict, str]]:
    """Return what an edited listing decides, in its order. What it does not name goes on waiting.

    Raises `UsageError` naming the line that is not understood; nothing is decided then.
    """
    known = {row.id for row in waiting}
    verdicts = {verdict.value: verdict for verdict in (Verdict.APPROVE, Verdict.DISCARD)}
    decided: dict[str, Verdict] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        verb, name = [*line.split(maxsplit=2), "", ""][:2]
        if not verb or verb.startswith("#"):
            continue
        if name not in known or name in decided or verb not in {_WAIT, *verdicts}:
            raise UsageError(
                f"line {number} is not understood, and nothing was decided: {one_line(line)}"
            )
        if verb in verdicts:
            decided[name] = verdicts[verb]
    return [(verdict, name) for name, verdict in decided.items()]


def _chosen_in_editor(waiting: tuple[StoredCandidate, ...]) -> list[tuple[Verdict, str]]:
    if not waiting:
        return []
    saved = edited(
        listing(waiting), otherwise="say which proposals to approve or discard, by their ids"
    )
    return decisions_in(saved, waiting)


def _decided(memory: Memory | NullMemory, chosen: list[tuple[Verdict, str]]) -> list[Item]:
    """Approve or discard proposals, and return the items that came of it."""
    approved: list[Item] = []
    for verdict, proposal in chosen:
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
    if waiting:
        told = said("`backstory review edit` decides on all of them in your editor.")
        screen.line((told, "dim"))
    else:
        screen.line(said("Nothing waits for approval."))
    mode = said("Review is on: new items wait.") if is_on else said("Review is off.")
    screen.line((mode, "dim"))
