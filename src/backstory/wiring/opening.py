"""Finding a project's memory and opening it for a purpose."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from backstory.adapters.project import Project, require_project
from backstory.adapters.system import new_id, system_clock
from backstory.model.errors import StoreDegradedError, UsageError
from backstory.model.words import Purpose
from backstory.ports.clock import Clock, NameSource
from backstory.store import DegradedStore, SqliteStore, open_store
from backstory.wiring.desk import LIBRARY_HOST, STORE_NAME, BrokenDesk, Desk, IsolatedDesk

PURPOSE_VARIABLE = "BACKSTORY_PURPOSE"
PURPOSE_SETTING = "purpose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How to open a memory: who opens it, and what stands in for the machine in tests."""

    host: str = LIBRARY_HOST
    works_inline: bool = True
    clock: Clock = system_clock
    ids: NameSource = new_id
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))


def open_desk(
    path: Path, *, purpose: Purpose | None, opening: Opening
) -> Desk | BrokenDesk | IsolatedDesk:
    """Open the memory of the project that `path` lies in.

    The narrowest purpose wins: of the one asked for, the variable and the project's setting, an
    isolated one isolates. One that is asked for or in the variable is honoured before anything
    is looked at on disk. Raises `NoProjectError` and `StoreUnavailableError`.
    """
    stated = (purpose, _purpose_of(opening.env.get(PURPOSE_VARIABLE)))
    for wanted in stated:
        if wanted is not None and wanted.is_isolated:
            return IsolatedDesk(purpose=wanted)
    project = require_project(path, env=opening.env)
    try:
        store = open_store(store_path(project), now_ms=opening.clock())
    except StoreDegradedError as error:
        return BrokenDesk(
            project=project,
            store=DegradedStore(store_path(project), str(error)),
            clock=opening.clock,
            ids=opening.ids,
            host=opening.host,
        )
    kept = kept_purpose(store)
    if kept is not None and kept.is_isolated:
        store.close()
        return IsolatedDesk(purpose=kept)
    return Desk(
        project=project,
        store=store,
        purpose=purpose or stated[1] or kept or Purpose.CODING,
        clock=opening.clock,
        ids=opening.ids,
        host=opening.host,
        works_inline=opening.works_inline,
        env=opening.env,
    )


def store_path(project: Project) -> Path:
    """Return where the project's store is, or would be."""
    return project.state_dir / STORE_NAME


def kept_purpose(store: SqliteStore) -> Purpose | None:
    """Return the purpose that the user set for the whole project, or None."""
    with store.reading() as tables:
        return _purpose_of(tables.meta.setting(PURPOSE_SETTING))


def keep_purpose(path: Path, purpose: Purpose, *, opening: Opening) -> None:
    """Set the purpose of the whole project until it is set anew; coding is none."""
    project = require_project(path, env=opening.env)
    store = open_store(store_path(project), now_ms=opening.clock())
    value = None if purpose is Purpose.CODING else purpose.value
    with store.writing() as tables:
        tables.meta.set_setting(PURPOSE_SETTING, value)
    store.close()


def purpose_in_force(path: Path, *, opening: Opening) -> Purpose:
    """Return the purpose that a program gets which asks for none."""
    stated = _purpose_of(opening.env.get(PURPOSE_VARIABLE))
    if stated is not None and stated.is_isolated:
        return stated
    project = require_project(path, env=opening.env)
    store = open_store(store_path(project), now_ms=opening.clock())
    kept = kept_purpose(store)
    store.close()
    return kept if kept is not None and kept.is_isolated else stated or kept or Purpose.CODING


def purpose_named(name: str) -> Purpose:
    """Return the purpose of this name, or raise `UsageError` with the names there are."""
    try:
        return Purpose(name)
    except ValueError as error:
        names = ", ".join(purpose.value for purpose in Purpose)
        raise UsageError(f"{name!r} is no purpose; there are {names}") from error


def _purpose_of(name: str | None) -> Purpose | None:
    return purpose_named(name) if name else None
