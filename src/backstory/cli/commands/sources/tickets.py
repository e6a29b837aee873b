"""`backstory tickets`: closed tickets, out of files or from GitHub."""

import os
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from backstory.adapters.project import require_project
from backstory.adapters.sources.tickets import closing_event
from backstory.adapters.sources.tickets.reading import (
    TicketsRead,
    tickets_from_gh,
    tickets_in,
    tickets_of,
    together,
)
from backstory.cli.commands.sources.switches import require_on
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, counted, print_json, sentence, strung
from backstory.model.errors import UsageError
from backstory.model.words import Source
from backstory.speaking import said

ORIGIN = "tickets"
_STDIN = Path("-")


class TicketsAction(StrEnum):
    """Where tickets come from."""

    IMPORT = "import"
    PULL = "pull"


def tickets(
    invocation: Invocation,
    action: Annotated[TicketsAction, typer.Argument(help="Read files, or ask GitHub by `gh`.")],
    file: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="import: JSON files; - is standard input."),
    ] = None,
    limit: Annotated[
        int,
        typer.Option("--limit", "-n", min=1, max=10_000, help="pull: the newest of each sort."),
    ] = 200,
) -> None:
    """Record closed tickets, so that the story knows when something was done.

    `import` reads what `gh issue list --json number,title,state,closedAt,url` prints, and the
    JSON of Linear and Jira. `pull` asks GitHub through the `gh` program, which is the only thing
    here that uses the network. Of a ticket its key, title and place are kept, never its text.
    """
    files = file or []
    if action is TicketsAction.IMPORT and not files:
        raise UsageError("say which files to import; - is standard input")
    if action is TicketsAction.PULL and files:
        raise UsageError("pull takes no files")
    with opened(invocation) as memory:
        require_on(memory, Source.TICKETS)
        parts = [_read(path) for path in files] or [_pulled(invocation, limit)]
        read = together(parts)
        events = [closing_event(ticket, origin=ORIGIN) for ticket in read.tickets]
        closed = [event for event in events if event is not None]
        new = memory.record_events(closed)
    told = {"new": new, "closed": len(closed), "open": len(events) - len(closed)}
    if invocation.as_json:
        print_json({**told, "unknown": read.unknown})
        return
    _tell(told, unknown=read.unknown)


COMMANDS = {
    "tickets": Command(
        run=tickets,
        examples=(
            "backstory tickets pull",
            "gh issue list -s closed --json number,title,state,closedAt,url > closed.json",
            "backstory tickets import closed.json",
        ),
    ),
}


def _tell(told: Mapping[str, int], *, unknown: int) -> None:
    kept = counted(told["new"], "closed ticket")
    parts = [said(f"Recorded {kept} of {told['closed']:,}")]
    if told["open"]:
        parts.append(said(f"{told['open']:,} still open"))
    if unknown:
        parts.append(said(f"{counted(unknown, 'entry', many='entries')} not known"))
    Screen().line(sentence(strung(parts)))


def _read(path: Path) -> TicketsRead:
    if path == _STDIN:
        return tickets_of(sys.stdin.buffer.read(), name="standard input")
    return tickets_in(path)


def _pulled(invocation: Invocation, limit: int) -> TicketsRead:
    root = require_project(invocation.folder, env=os.environ).root
    return tickets_from_gh(root, limit=limit, environ=os.environ)
