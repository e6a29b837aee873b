"""`backstory audit`: looking for secrets in what is stored."""

from typing import Annotated

import typer

from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, counted, one_line, print_json
from backstory.speaking import retold, said

_SHOWN_MAX = 50


def audit(
    invocation: Invocation,
    deep: Annotated[
        bool, typer.Option("--deep", help="Ask the detectors of detect-secrets, too.")
    ] = False,
) -> None:
    """Look for secrets in what is stored; say where they are, never what they are.

    What was said is kept as it was said, so that finding one there is no fault: `backstory
    erase` removes it, and `privacy.redact_at_capture` leaves them out from now on. In what was
    made from it secrets are replaced; the exit code is 1 where one is found there.
    """
    with opened(invocation) as memory:
        found = memory.audit(deep=deep)
    derived = [one for one in found if one.is_derived]
    if invocation.as_json:
        print_json(found)
    else:
        screen = Screen()
        for one in found[:_SHOWN_MAX]:
            style = "red" if one.is_derived else "yellow"
            screen.line(retold(one_line(one.place)), "  ", (one_line(one.type), style))
        if len(found) > _SHOWN_MAX:
            screen.line(said(f"... and {len(found) - _SHOWN_MAX} more (--json lists all)"))
        screen.line(_verdict(len(found) - len(derived), len(derived)))
    if derived:
        raise typer.Exit(1)


COMMANDS = {
    "audit": Command(
        run=audit, examples=("backstory audit", "backstory audit --deep"), isolated_answer=[]
    ),
}


def _verdict(spoken: int, derived: int) -> str:
    if not spoken and not derived:
        return said("Nothing that looks like a secret is stored.")
    return said(
        f"{counted(spoken, 'possible secret')} in what was said,"
        f" {counted(derived, 'possible secret')} in what was made from it."
    )
