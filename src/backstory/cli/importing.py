"""`backstory import`: reading the sessions that other programs recorded, or an export."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from backstory.adapters.importers import FileReport, ImportChoices, ImportReport
from backstory.api import Memory, NullMemory
from backstory.cli.place import opened
from backstory.cli.render import Screen, print_json
from backstory.model.errors import UsageError
from backstory.store import is_export

_FAULTS_SHOWN = 5


def import_(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Sessions, directories of them, or one export. Default: this project's."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and report; record nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Import conversations: Claude Code, Codex, Gemini CLI and SpecStory, or an export.

    Without paths it finds the sessions of this project by itself. Importing again adds nothing.
    """
    given = paths or []
    with opened(context) as memory:
        if any(path.is_file() and is_export(path) for path in given):
            _restore(memory, given, dry_run=dry_run, as_json=as_json)
            return
        report = _imported(memory, given, dry_run=dry_run)
        remembered = len(memory.list())
    if as_json:
        print_json(_report_row(report))
    else:
        _tell(Screen(), report, remembered=remembered)


COMMANDS = {"import": import_}


def _restore(
    memory: Memory | NullMemory, paths: list[Path], *, dry_run: bool, as_json: bool
) -> None:
    if len(paths) > 1 or dry_run:
        raise UsageError("an export is imported alone, into an empty memory, and not as a dry run")
    rows = memory.import_(paths[0])
    if as_json:
        print_json({"rows": rows})
        return
    Screen().line(
        f"Imported {rows.get('item', 0)} items, {rows.get('turn', 0)} turns and "
        f"{rows.get('event', 0)} events from {paths[0]}."
    )


def _imported(memory: Memory | NullMemory, paths: list[Path], *, dry_run: bool) -> ImportReport:
    if not sys.stderr.isatty():
        return memory.import_sessions(paths, choices=ImportChoices(is_dry_run=dry_run))
    bar = Progress(
        TextColumn("reading"),
        BarColumn(),
        DownloadColumn(),
        transient=True,
        console=Console(stderr=True),
    )
    with bar:
        task = bar.add_task("reading", total=None)

        def advance(read: int, total: int) -> None:
            bar.update(task, completed=read, total=total)

        choices = ImportChoices(is_dry_run=dry_run, on_progress=advance)
        return memory.import_sessions(paths, choices=choices)


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


def _tell(screen: Screen, report: ImportReport, *, remembered: int) -> None:
    if not report.files:
        screen.line("No session of this project was found. Name files or directories to import.")
        return
    would = "would record" if report.is_dry_run else "recorded"
    screen.line(
        f"{report.sessions} sessions in {len(report.files)} files: {would} "
        f"{report.turns_new} new turns and {report.events_new} commands; "
        f"{report.turns_known} turns were known."
    )
    for file in report.files:
        _tell_faults(screen, file)
    if not report.is_dry_run:
        screen.line(f"{remembered} items are remembered (backstory list).")


def _tell_faults(screen: Screen, file: FileReport) -> None:
    if file.passed_over_because:
        screen.line((f"{file.path}: passed over, {file.passed_over_because}", "yellow"))
    for fault in file.faults[:_FAULTS_SHOWN]:
        screen.line((f"{file.path}, line {fault.line}: {fault.reason}", "yellow"))
    more = file.bad_lines + file.oversized_lines - min(len(file.faults), _FAULTS_SHOWN)
    if more > 0:
        screen.line((f"{file.path}: {more} more such lines", "yellow"))
