"""`backstory import`: reading the sessions that other programs recorded, or an export."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from backstory.adapters.importers import FileReport, ImportChoices, ImportReport
from backstory.api import Memory, NullMemory
from backstory.cli.commands.agents.offering import (
    Chosen,
    chosen,
    offer,
    offered_row,
    tell_offered,
)
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, colon, counted, one_line, print_json
from backstory.model.errors import UnreadableInputError, UsageError
from backstory.speaking import retold, said
from backstory.store import is_export

_FAULTS_SHOWN = 5


def import_(
    invocation: Invocation,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Sessions, memories of other programs, directories of them, or one export. "
            "Default: this project's sessions."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and report; record nothing.")
    ] = False,
    headless: Annotated[
        bool | None,
        typer.Option(
            "--headless/--no-headless",
            help="Of the sessions found, take those that a script ran, or pass them over.",
        ),
    ] = None,
    memories: Annotated[
        bool,
        typer.Option("--memories", help="What Claude Code remembers of this project by itself."),
    ] = False,
    sections: Annotated[
        bool,
        typer.Option("--sections", help="The points of AGENTS.md, CLAUDE.md and their like."),
    ] = False,
) -> None:
    """Import conversations, an export, or what other programs remember.

    It reads those of Claude Code, Codex and Gemini CLI, and the pages of SpecStory. Without
    paths it finds the sessions of this project by itself, but for those that a script ran with
    nobody at the keyboard. Importing again adds nothing.

    What Claude Code, the MCP memory server, mem0 and basic-memory remember is read as well.
    None of it is memory before you approve it: `backstory review`.
    """
    given = paths or []
    for path in given:
        if not path.exists():
            raise UnreadableInputError(f"there is no file or directory {path}")
    what = chosen(invocation, given, memories=memories, sections=sections)
    with opened(invocation) as memory:
        if any(path.is_file() and is_export(path) for path in given):
            _restore(memory, given, dry_run=dry_run, as_json=invocation.as_json)
            return
        if what.files or memories or sections:
            _offer(memory, what, dry_run=dry_run, as_json=invocation.as_json)
            return
        choices = ImportChoices(is_dry_run=dry_run, headless=headless)
        report = _imported(memory, given, choices=choices)
        remembered, waiting = len(memory.list()), memory.status().waiting_turns
    if invocation.as_json:
        print_json(_report_row(report))
    else:
        _tell(Screen(), report, remembered=remembered, waiting=waiting)


COMMANDS = {
    "import": Command(
        run=import_,
        examples=(
            "backstory import --dry-run",
            "backstory import ~/.claude/projects/-home-me-shop",
            "backstory import ../shop-memory.json",
            "backstory import --memories --dry-run",
        ),
    )
}


def _offer(memory: Memory | NullMemory, what: Chosen, *, dry_run: bool, as_json: bool) -> None:
    if what.others:
        names = ", ".join(str(path) for path in what.others)
        raise UsageError(
            f"sessions and memories are imported one after the other, not {names} now"
        )
    offered = offer(memory, what, dry_run=dry_run)
    if as_json:
        print_json({"dry_run": dry_run, **offered_row(what, offered)})
    else:
        tell_offered(Screen(), what, offered=offered, dry_run=dry_run)


def _restore(
    memory: Memory | NullMemory, paths: list[Path], *, dry_run: bool, as_json: bool
) -> None:
    if len(paths) > 1 or dry_run:
        raise UsageError("an export is imported alone, into an empty memory, and not as a dry run")
    rows = memory.import_(paths[0])
    if as_json:
        print_json({"rows": rows})
        return
    items, turns = counted(rows.get("item", 0), "item"), counted(rows.get("turn", 0), "turn")
    events = counted(rows.get("event", 0), "event")
    Screen().line(said(f"Imported {items}, {turns} and {events} from {paths[0]}."))


def _imported(
    memory: Memory | NullMemory, paths: list[Path], *, choices: ImportChoices
) -> ImportReport:
    if not sys.stderr.isatty():
        return memory.import_sessions(paths, choices=choices)
    bar = Progress(
        TextColumn(said("reading")),
        BarColumn(),
        DownloadColumn(),
        transient=True,
        console=Console(stderr=True),
    )
    with bar:
        task = bar.add_task("reading", total=None)

        def advance(read: int, total: int) -> None:
            bar.update(task, completed=read, total=total)

        return memory.import_sessions(paths, choices=replace(choices, on_progress=advance))


def _report_row(report: ImportReport) -> dict[str, object]:
    return {
        "dry_run": report.is_dry_run,
        "sessions": report.sessions,
        "turns_new": report.turns_new,
        "turns_known": report.turns_known,
        "events_new": report.events_new,
        "bad_lines": report.bad_lines,
        "oversized_lines": report.oversized_lines,
        "files": report.files,
    }


def _tell(screen: Screen, report: ImportReport, *, remembered: int, waiting: int) -> None:
    if not report.files:
        screen.line(
            said("No session of this project was found. Name files or directories to import.")
        )
        return
    screen.line(_recorded(report))
    for file in report.files:
        _tell_faults(screen, file)
    if not report.is_dry_run:
        screen.line(said(f"{counted(remembered, 'item')} remembered now (backstory list)."))
    if waiting and not report.is_dry_run:
        screen.line(said(f"{counted(waiting, 'turn')} still to be read: backstory work"))


def _recorded(report: ImportReport) -> str:
    sessions, files = counted(report.sessions, "session"), counted(len(report.files), "file")
    turns, commands = counted(report.turns_new, "new turn"), counted(report.events_new, "command")
    known = f"{report.turns_known:,}"
    if report.is_dry_run:
        return said(
            f"{sessions} in {files}: would record {turns} and {commands}; {known} known before."
        )
    return said(f"{sessions} in {files}: recorded {turns} and {commands}; {known} known before.")


def _tell_faults(screen: Screen, file: FileReport) -> None:
    if file.passed_over_because:
        because = said(f"passed over, {retold(file.passed_over_because)}")
        screen.line((f"{colon(str(file.path))}{because}", "yellow"))
    for fault in file.faults[:_FAULTS_SHOWN]:
        place = said(f"{file.path}, line {fault.line}")
        screen.line((f"{colon(place)}{retold(one_line(fault.reason))}", "yellow"))
    more = file.bad_lines + file.oversized_lines - min(len(file.faults), _FAULTS_SHOWN)
    if more > 0:
        told = f"{colon(str(file.path))}{counted(more, 'more such line')}"
        screen.line((told, "yellow"))
