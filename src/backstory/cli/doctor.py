"""`backstory doctor`: looking everything over, and saying what to do."""

from typing import Annotated

import typer

from backstory.cli.place import opened
from backstory.cli.render import Screen, print_json

# What a person can do about each finding of the store.
_ADVICE = {
    "library": "install a newer apsw: pip install -U apsw",
    "integrity": "save what can be read with `backstory export`, then `backstory clear --confirm`",
    "rights": "take the rights of others away: chmod -R go-rwx on the store's directory",
    "log": "close programs that hold the store open; then run `backstory reindex`",
}


def doctor(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Look memory over from end to end, and say what to do about what is wrong."""
    with opened(context, strict=False) as memory:
        report, findings = memory.status(), memory.check()
    if as_json:
        print_json({"health": report.health, "problem": report.problem, "findings": findings})
    else:
        screen = Screen()
        for finding in findings:
            screen.line((finding.slug, "red"), f"  {finding.subject}")
            screen.line(f"    {_ADVICE.get(finding.slug, 'see docs/how-to/recover-a-store.md')}")
        if not findings:
            screen.line(("Everything is well.", "green"))
    if findings:
        raise typer.Exit(1)


COMMANDS = {"doctor": doctor}
