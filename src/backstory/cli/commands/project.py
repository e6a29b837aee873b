"""`backstory init`, `new`, `status`, `export`, `clear`, `reindex`, `relink` and `purpose`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from backstory.adapters.lookalikes import advice
from backstory.adapters.project import init_project
from backstory.api import Memory, Opening
from backstory.cli.commands.modelling import tell_model
from backstory.cli.place import (
    HOST,
    Command,
    Invocation,
    IsolatedError,
    opened,
    opened_or_isolated,
)
from backstory.cli.render import (
    Part,
    Screen,
    bracketed,
    colon,
    counted,
    day,
    joined,
    label,
    marked,
    numbered,
    one_line,
    print_json,
    stopped,
    strung,
)
from backstory.cli.sources import tell_sources
from backstory.cli.words import kind_word, not_scrubbed, passed_over_word, status_count
from backstory.model.answers import StatusReport, Today
from backstory.model.words import Kind, Status
from backstory.speaking import retold, said
from backstory.wiring.desk import IsolatedDesk
from backstory.wiring.opening import keep_purpose, purpose_in_force, purpose_named
from backstory.wiring.relinking import relink as move_memory


def init(invocation: Invocation) -> None:
    """Make this directory a project with a memory.

    A git repository is one already; outside git this makes `.backstory/`.
    """
    opening = Opening(host=HOST, asks_model_at_close=False)
    project = init_project(invocation.folder, env=opening.env)
    with Memory.open(project.root, strict=True, opening=opening) as memory:
        report = memory.status()
    if invocation.as_json:
        told = {"project": project.root, "state": project.state_dir, "health": report.health}
        print_json({**told, "known_before": report.known_before})
        return
    screen = Screen()
    screen.line(said(f"Memory of {project.root} is in {project.state_dir}."))
    _tell_known_before(screen, report)
    screen.line(said("Next: `backstory import` reads the conversations that you had here."))


def new(invocation: Invocation) -> None:
    """Begin a new conversation.

    What was under discussion is put away; everything else stays.
    """
    with opened(invocation) as memory:
        thread = memory.new_thread()
    if invocation.as_json:
        print_json({"thread": thread})
    else:
        Screen().line(said(f"A new conversation has begun: {thread}."))


def status(
    invocation: Invocation,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the last errors of jobs as they came.")
    ] = False,
) -> None:
    """Show whether memory is well, what it holds and what waits."""
    with opened_or_isolated(invocation, strict=False) as memory:
        report = memory.status(debug=debug)
    if invocation.as_json:
        print_json(report)
        return
    screen = Screen()
    _tell_status(screen, report)
    for job in (job for job in report.jobs if job.diagnosis):
        screen.heading(said(f"{job.kind.value} {job.subject}, try {job.attempt}"))
        screen.line(job.diagnosis)


def export(
    invocation: Invocation,
    path: Annotated[
        Path | None, typer.Argument(help="A new file. Default: in `exports/` beside the store.")
    ] = None,
) -> None:
    """Export everything as one new JSON file.

    It holds what was said, in full and as it was said. Nothing is ever overwritten;
    `backstory import FILE` reads it into an empty memory. What can be read of a damaged store
    is exported, too.
    """
    with opened(invocation, strict=False) as memory:
        written = memory.export(path)
    if invocation.as_json:
        print_json({"path": written})
    else:
        Screen().line(said(f"Exported to {written}. It holds what was said, in full."))


def clear(
    invocation: Invocation,
    confirm: Annotated[bool, typer.Option("--confirm", help="Really delete it.")] = False,
) -> None:
    """Delete all that this project's memory holds.

    Without `--confirm` it only says what would go. Exports stay. A damaged store is kept beside
    the new one, under another name.
    """
    with opened(invocation, strict=False) as memory:
        cleared = memory.clear(confirm=confirm)
    if invocation.as_json:
        print_json(cleared)
        return
    screen = Screen()
    screen.line(said(f"Memory is empty; generation {cleared.generation} has begun."))
    for path in cleared.kept:
        screen.line(said(f"The damaged store was kept as {path}."))
    if not cleared.is_scrubbed:
        screen.line((not_scrubbed(), "yellow"))


def reindex(invocation: Invocation) -> None:
    """Build the index anew from what is stored."""
    with opened(invocation) as memory:
        entries = memory.reindex()
    if invocation.as_json:
        print_json({"entries": entries})
    else:
        Screen().line(said(f"{counted(entries, 'entry', many='entries')} in the index."))


def relink(
    invocation: Invocation,
    old: Annotated[Path, typer.Argument(help="The directory that the memory is of now.")],
    new: Annotated[
        Path | None, typer.Argument(help="The directory that is to have it. Default: this one.")
    ] = None,
) -> None:
    """Bring a memory along from another directory.

    A directory that is moved or renamed takes its memory along by itself. This is for one that
    was made anew: cloned again, or turned into a repository. The whole memory moves, and NEW
    must hold none yet.
    """
    place = invocation.folder if new is None else new.absolute()
    moved = move_memory(old.absolute(), place, opening=Opening(host=HOST))
    if isinstance(moved, IsolatedDesk):
        raise IsolatedError(f"memory is isolated for {moved.purpose.value}: nothing was moved.")
    if invocation.as_json:
        print_json(moved)
        return
    items, turns = counted(moved.items, "item"), counted(moved.turns, "turn")
    Screen().line(
        said(f"The memory of {moved.old} is in {moved.new} now, with {items} and {turns}.")
    )


def purpose(
    invocation: Invocation,
    name: Annotated[str | None, typer.Argument(help="The purpose to set.")] = None,
) -> None:
    """Show or set what agents run here for.

    coding, code_explain and general_chat are ordinary. For code_audit, patch_explain,
    patch_revise and evaluation memory is isolated: it is neither read nor written. What is set
    holds for the project until it is set back to coding; BACKSTORY_PURPOSE sets it for one
    program, and of the two an isolated one wins.
    """
    opening = Opening(host=HOST)
    if name is not None:
        keep_purpose(invocation.folder, purpose_named(name), opening=opening)
    now = purpose_in_force(invocation.folder, opening=opening)
    if invocation.as_json:
        print_json({"purpose": now, "isolated": now.is_isolated})
        return
    screen = Screen()
    if now.is_isolated:
        screen.line(said(f"{now.value}: memory is neither read nor written."))
    else:
        screen.line(said(f"{now.value}: memory is in use."))
    if name is not None and now.value != name:
        told = said(
            f"The project is set to {name}, but BACKSTORY_PURPOSE or a settings file asks for "
            f"{now.value}."
        )
        screen.line((told, "yellow"))


_BELOW = " " * 9  # goes on in the column behind the labels

COMMANDS = {
    "init": Command(run=init),
    "new": Command(run=new),
    "status": Command(run=status),
    "export": Command(
        run=export, examples=("backstory export", "backstory export ../shop-memory.json")
    ),
    "clear": Command(run=clear),
    "reindex": Command(run=reindex),
    "relink": Command(run=relink, examples=("backstory relink ../shop-old",)),
    "purpose": Command(
        run=purpose, examples=("backstory purpose code_audit", "backstory purpose coding")
    ),
}


def _tell_status(screen: Screen, report: StatusReport) -> None:
    style = {"ok": "green", "empty": "green", "degraded": "red"}.get(report.health, "yellow")
    health = said(report.health)
    screen.line(label("memory"), (health, style), f"  {bracketed(report.purpose)}")
    if report.problem:
        screen.line(label("problem"), (retold(report.problem), "red"), indent=9)
        advised = said("see `backstory doctor`; `backstory export` saves what can be read")
        screen.line(f"{label('to do')}{advised}")
    if report.health == "isolated":
        screen.line(f"{_BELOW}{said('nothing is read or written for this purpose')}")
        return
    screen.line(f"{label('project')}{report.project}", indent=9)
    size = f"{max(1, round(report.bytes_on_disk / 1000)):,} kB"
    screen.line(f"{label('store')}{strung([report.store, size])}", indent=9)
    _tell_known_before(screen, report)
    _tell_hooks(screen, report)
    if report.health != "degraded":
        tell_sources(screen, report.sources)
        _tell_counts(screen, report)
        _tell_commits(screen, report)
        _tell_work(screen, report)


def _tell_known_before(screen: Screen, report: StatusReport) -> None:
    if report.known_before is not None:
        screen.line((label("before"), "yellow"), retold(advice(report.known_before)), indent=9)


def _tell_hooks(screen: Screen, report: StatusReport) -> None:
    if report.off_for:
        screen.line(label("agents"), *_off_for(report.off_for))
    if report.spooled:
        told = said(f"{counted(report.spooled, 'moment')} that the next hook will store")
        screen.line(f"{label('spool')}{told}", indent=9)
    if report.spooled_bad:
        files = counted(report.spooled_bad, "file")
        told = said(f"{files} in its spool/ cannot be stored and end in .bad")
        screen.line((f"{label('spool')}{told}", "yellow"), indent=9)
    if report.today is not None:
        _tell_today(screen, report.today)


def _off_for(reach: str) -> tuple[Part, Part, Part]:
    """Return that memory is off for agents, with the word for it in a colour."""
    if reach == "machine":
        told = said("off for every project: `backstory on` switches it on")
    else:
        told = said("off for this project: `backstory on` switches it on")
    return marked(told, said("off"), style="yellow")


def _tell_today(screen: Screen, today: Today) -> None:
    turns = counted(today.turns, "turn")
    parts = (
        (today.turns, said(f"{turns} recorded, {today.turns_read:,} read")),
        (today.events, said(f"{counted(today.events, 'event')} recorded")),
        (today.items_new, counted(today.items_new, "new item")),
        (today.refused, said(f"{counted(today.refused, 'claim')} refused")),
        (today.entries_shown, said(f"{today.entries_shown:,} shown with prompts")),
        (today.session_starts, said(f"{counted(today.session_starts, 'session')} begun")),
    )
    told = stopped(words for count, words in parts if count) or said("nothing yet")
    screen.line(f"{label('today')}{told}", indent=9)
    for because, count in today.passed_over.items():
        moments, why = counted(count, "moment"), passed_over_word(because)
        screen.line(f"{_BELOW}{said(f'{moments} without memory: {why}')}", indent=9)


def _tell_counts(screen: Screen, report: StatusReport) -> None:
    told = stopped([_turns_told(report), counted(report.events, "event")])
    screen.line(f"{label('said')}{told}", indent=9)
    if not report.items:
        screen.line(f"{label('items')}{said('none yet')}")
    for kind in (kind for kind in Kind if kind.value in report.items):
        counts = report.items[kind.value]
        told = joined(
            status_count(counts[status.value], status)
            for status in Status
            if status.value in counts
        )
        screen.line(f"{label('items')}{colon(kind_word(kind))}{told}", indent=9)
    refused = report.candidates.get("refused", 0)
    waiting = report.candidates.get("waiting", 0)
    told = said(f"{refused:,} refused, {waiting:,} waiting for you")
    review = (said("review is on"),) if report.review else ()
    screen.line(f"{label('gate')}{stopped([told, *review])}", indent=9)


def _turns_told(report: StatusReport) -> str:
    """Return how many turns there are of each state."""
    if not report.turns:
        return said("nothing yet")
    states = joined(numbered(count, state) for state, count in sorted(report.turns.items()))
    if sum(report.turns.values()) == 1:
        return said(f"{states} turn")
    return said(f"{states} turns")


def _tell_commits(screen: Screen, report: StatusReport) -> None:
    if not report.commits and report.commits_since_ms is None and not report.commits_left:
        return  # nothing that could have commits
    told = counted(report.commits, "commit")
    if report.commits_since_ms is not None:
        told = said(f"{told}, read since {day(report.commits_since_ms)}")
    screen.line(f"{label('story')}{told}", indent=9)
    if report.commits_since_ms is not None:
        screen.line(f"{_BELOW}{said('`backstory backfill` reads all of history')}", indent=9)
    elif report.commits_left:
        told = said("very many are new: `backstory backfill` reads them")
        screen.line(f"{_BELOW}{told}", indent=9)


def _tell_work(screen: Screen, report: StatusReport) -> None:
    given_up = [job for job in report.jobs if job.state == "dead"]
    opened_jobs = len(report.jobs) - len(given_up)
    if report.model is None:
        opened_jobs -= sum(job.kind == "propose" and job.state == "open" for job in report.jobs)
    turns = counted(report.waiting_turns, "turn")
    told = said(f"{turns} to read, {counted(opened_jobs, 'job')} waiting")
    screen.line(f"{label('to do')}{told}", indent=9)
    if given_up:
        left = said(f"{counted(len(given_up), 'job')} given up")
        again = said("`backstory work --retry` tries again")
        screen.line(_BELOW, (left, "red"), f"{colon('')}{again}")
    if report.turns_for_model:
        waiting = counted(report.turns_for_model, "turn")
        told = said(
            f"{waiting} waiting for a model: none is asked now (`backstory models` says how)"
        )
        screen.line(f"{_BELOW}{told}", indent=9)
    shown = said(f"{counted(report.injections, 'time')} to an agent")
    screen.line(f"{label('shown')}{shown}")
    if report.last_success_ms is not None:
        moment = datetime.fromtimestamp(report.last_success_ms / 1000, tz=UTC)
        screen.line(f"{label('last')}{said(f'success at {moment:%Y-%m-%d %H:%M} UTC')}")
    if report.model is not None:
        tell_model(screen, report.model)
    if report.last_error:
        screen.line(label("error"), (retold(one_line(report.last_error)), "red"), indent=9)
