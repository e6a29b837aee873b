"""Taking in what shells wrote down: read, filtered, redacted, stored once."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from backstory import record
from backstory.adapters.hosts.spool import FOLDER_NAME
from backstory.adapters.project import Project, find_project
from backstory.adapters.sources.shell_lines import SWITCH_NAME, TypedCommand, take, typed_in
from backstory.adapters.switches import switch
from backstory.capture.command_lines import only_looks
from backstory.model.errors import NoProjectError
from backstory.model.event import NewEvent
from backstory.model.words import Purpose, Source
from backstory.record.commands import told_command
from backstory.wiring.reader import PURPOSE_SETTING
from backstory.wiring.sources.workplace import Workplace

ORIGIN = "shell"
_BATCH = 500


def take_in_shell(place: Workplace) -> int:
    """Record what was typed in shells since the last time, and return how much was new.

    Where the source is off, what waits is thrown away unread, and shells are told to write
    nothing. A command of another project, one that only looks around, and one that a pattern
    names are left out. Doing it again, or after having been cut short, adds nothing twice.
    While an isolated purpose is kept with the project, nothing is looked at. Where the store is
    read-only, what was typed waits.
    """
    if place.store.is_read_only or _is_isolated(place):
        return 0
    spool = place.project.state_dir / FOLDER_NAME
    is_on = place.choices.captures(Source.SHELL)
    switch(spool / SWITCH_NAME, off=not is_on)
    new = 0
    for path in take(spool, now_ms=place.clock()):
        if is_on:
            new += _recorded(path, place)
        path.unlink(missing_ok=True)
    return new


def _is_isolated(place: Workplace) -> bool:
    """Whether an isolated purpose was set, perhaps long after the store was opened."""
    with place.store.reading() as tables:
        kept = tables.meta.setting(PURPOSE_SETTING)
    return kept is not None and Purpose(kept).is_isolated


def _recorded(path: Path, place: Workplace) -> int:
    new = 0
    now_ms = place.clock()
    events = _events(path, place)
    while batch := tuple(islice(events, _BATCH)):
        with place.store.writing() as tables:
            ids = [record.record_event(tables, event, now_ms=now_ms) for event in batch]
        new += sum(one is not None for one in ids)
    return new


def _events(path: Path, place: Workplace) -> Iterator[NewEvent]:
    roots: dict[str, Path | None] = {}
    for typed in typed_in(path):
        if typed is None or not _is_wanted(typed.command, place.choices.ignored_commands):
            continue
        if typed.folder not in roots:
            roots[typed.folder] = _root_of(typed.folder, place.project, env=place.env)
        root = roots[typed.folder]
        if root is not None:
            yield _event(typed, root)


def _is_wanted(command: str, ignored: tuple[str, ...]) -> bool:
    is_ignored = any(fnmatchcase(command, pattern) for pattern in ignored)
    return not (is_ignored or command[:1].isspace() or only_looks(command))


def _root_of(folder: str, project: Project, *, env: Mapping[str, str]) -> Path | None:
    """Return the work tree that a directory is in, or None where it is another project's."""
    try:
        found = find_project(Path(folder), env=env) if os.path.isabs(folder) else None  # noqa: PTH117
    except (NoProjectError, OSError, ValueError):  # no path at all, or none that may be looked at
        return None
    return found.root if found is not None and found.state_dir == project.state_dir else None


def _event(typed: TypedCommand, root: Path) -> NewEvent:
    told = told_command(typed.command, typed.exit_code)
    digest = hashlib.sha256(typed.command.encode()).hexdigest()[:16]
    folder = os.path.relpath(os.path.realpath(typed.folder), root).replace(os.sep, "/")
    return NewEvent(
        kind=told.kind,
        at_ms=typed.begun_at_ms,
        payload={
            **told.payload,
            "folder": folder,
            "duration_ms": max(0, typed.ended_at_ms - typed.begun_at_ms),
        },
        origin=ORIGIN,
        source_key=f"{ORIGIN}:{typed.begun_at_ms}:{typed.shell}:{digest}",
        branch=typed.branch,
    )
