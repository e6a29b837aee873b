"""`backstory review`: what waits for a person's approval."""

from enum import StrEnum
from typing import Annotated

import typer

from backstory.cli.place import opened
from backstory.cli.render import Screen, print_json
from backstory.cli.words import candidate_row, item_row, show_candidate, show_item
from backstory.model.errors import UsageError
from backstory.model.item import Item


class Verdict(StrEnum):
    """What to do with proposals that wait."""

    APPROVE = "approve"
    DISCARD = "discard"


def review(
    context: typer.Context,
    verdict: Annotated[Verdict | None, typer.Argument(help="approve or discard.")] = None,
    proposals: Annotated[list[str] | None, typer.Argument(help="Ids of proposals.")] = None,
    on: Annotated[
        bool | None, typer.Option("--on/--off", help="Let new items wait for approval, or not.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Review what waits for approval: list it, approve it or discard it.

    backstory review --on lets new items wait; backstory review approve c_… takes them in.
    """
    if verdict is not None and not proposals:
        raise UsageError(f"say which proposals to {verdict.value}, by their ids")
    with opened(context) as memory:
        if on is not None:
            memory.set_review(on=on)
        approved: list[Item] = []
        for name in proposals or ():
            if verdict is Verdict.APPROVE:
                approved += memory.approve(name).items
            else:
                memory.discard(name)
        waiting = memory.waiting()
        is_on = memory.status().review
    if as_json:
        print_json(
            {
                "review": is_on,
                "approved": [item_row(item) for item in approved],
                "waiting": [candidate_row(row) for row in waiting],
            }
        )
        return
    screen = Screen()
    for item in approved:
        show_item(screen, item)
    for row in waiting:
        show_candidate(screen, row)
    if not waiting:
        screen.line("Nothing waits for approval.")
    screen.line(("Review is on: new items wait." if is_on else "Review is off.", "dim"))


COMMANDS = {"review": review}
