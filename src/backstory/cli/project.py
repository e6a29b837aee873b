"""`backstory init`, `new`, `status`, `export`, `clear`, `reindex`, `work` and `purpose`."""

from pathlib import Path
from typing import Annotated

import typer

from backstory.adapters.project import init_project
from backstory.api import Memory, Opening
from backstory.cli.place import HOST, folder_of, opened
from backstory.cli.render import Screen, day, print_json
from backstory.model.answers import StatusReport
from backstory.wiring.opening import keep_purpose, purpose_in_force, purpose_named

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def init(context: typer.Context, as_json: AsJson = False) -> None:
    """Make this directory a project with a memory; in a git repository it is one already."""
    opening = Opening(host=HOST)
    project = init_project(folder_of(context), env=opening.env)
    with Memory.open(project.root, strict=True, opening=opening) as memory:
        report = memory.status()
    if as_json:
        print_json({"project": project.root, "state": project.state_dir, "health": report.health})
        return
    screen = Screen()
    screen.line(f"Memory of {project.root} is in {project.state_dir}.")
    screen.line("Next: `backstory import` reads the conversations that you had here.")


def new(context: typer.Context, as_json: AsJson = False) -> None:
    """Begin a new conversation. What was under discussion is put away; everything else stays."""
    with opened(context) as memory:
        thread = memory.new_thread()
    if as_json:
        print_json({"thread": thread})
    else:
        Screen().line(f"A new conversation has begun: {thread}.")


def status(context: typer.Context, as_json: AsJson = False) -> None:
    """Show whether memory is well, what it holds, and what waits."""
    with opened(context, strict=False) as memory:
        report = memory.status()
    if as_json:
        print_json(report)
    else:
        _show_status(Screen(), report)


def export(
    context: typer.Context,
    path: Annotated[Path | None, typer.Argument(help="A new file. Default: in the store.")] = None,
    as_json: AsJson = False,
) -> None:
    """Export everything as one new JSON file. Nothing is ever overwritten."""
    with opened(context, strict=False) as memory:
        written = memory.export(path)
    if as_json:
        print_json({"path": written})
    else:
        Screen().line(f"Exported to {written}. It holds what was said, in full.")


def clear(
    context: typer.Context,
    confirm: Annotated[bool, typer.Option("--confirm", help="Really delete it.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete all that this project's memory holds. Exports stay."""
    with opened(context, strict=False) as memory:
        cleared = memory.clear(confirm=confirm)
    if as_json:
        print_json(cleared)
        return
    screen = Screen()
    screen.line(f"Memory is empty; generation {cleared.generation} has begun.")
    for path in cleared.kept:
        screen.line(f"The damaged store was kept as {path}.")


def reindex(context: typer.Context, as_json: AsJson = False) -> None:
    """Build the index anew from what is stored."""
    with opened(context) as memory:
        entries = memory.reindex()
    if as_json:
        print_json({"entries": entries})
    else:
        Screen().line(f"{entries} entries are indexed.")


def work(context: typer.Context, as_json: AsJson = False) -> None:
    """Do what waits: read new turns and bring memory up to date."""
    with opened(context) as memory:
        worked = memory.settle()
    if as_json:
        print_json(worked)
    else:
        Screen().line(f"{worked.done} jobs done, {worked.failed} failed, {worked.left} left.")


def purpose(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="The purpose to set.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show or set what agents run here for. An isolated purpose sees nothing of memory.

    coding, code_explain and general_chat are ordinary; code_audit, patch_explain, patch_revise
    and evaluation are isolated. BACKSTORY_PURPOSE sets it for one process only.
    """
    opening = Opening(host=HOST)
    if name is not None:
        keep_purpose(folder_of(context), purpose_named(name), opening=opening)
    now = purpose_in_force(folder_of(context), opening=opening)
    if as_json:
        print_json({"purpose": now, "isolated": now.is_isolated})
        return
    effect = "memory is neither read nor written" if now.is_isolated else "memory is in use"
    Screen().line(f"{now.value}: {effect}.")


COMMANDS = {
    "init": init,
    "new": new,
    "status": status,
    "export": export,
    "clear": clear,
    "reindex": reindex,
    "work": work,
    "purpose": purpose,
}


def _show_status(screen: Screen, report: StatusReport) -> None:
    style = {"ok": "green", "empty": "green", "degraded": "red"}.get(report.health, "yellow")
    screen.line("memory   ", (report.health, style), f"  ({report.purpose})")
    if report.problem:
        screen.line("problem  ", (report.problem, "red"))
        screen.line("to do    see `backstory doctor`; `backstory export` saves what can be read")
    if report.health == "isolated":
        screen.line("Nothing is read or written for this purpose.")
        return
    screen.line(f"project  {report.project}")
    screen.line(f"store    {report.store}, {report.bytes_on_disk:,} bytes")
    if report.health == "degraded":
        return
    _show_counts(screen, report)


def _show_counts(screen: Screen, report: StatusReport) -> None:
    turns = ", ".join(f"{count} {state}" for state, count in sorted(report.turns.items()))
    screen.line(f"said     {turns or 'nothing yet'}; {report.events} events")
    for kind, counts in sorted(report.items.items()):
        told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
        screen.line(f"items    {kind}: {told}")
    refused = report.candidates.get("refused", 0)
    waiting = report.candidates.get("waiting", 0)
    screen.line(f"gate     {refused} refused, {waiting} waiting for you")
    open_jobs = [job for job in report.jobs if job.state == "open"]
    dead = len(report.jobs) - len(open_jobs)
    screen.line(
        f"jobs     {len(open_jobs)} open, {dead} given up; shown {report.injections} times"
    )
    if report.last_success_ms is not None:
        screen.line(f"last     success on {day(report.last_success_ms)}")
    if report.last_error:
        screen.line("error    ", (report.last_error, "red"))
