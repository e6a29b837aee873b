"""Finding a project's memory and opening it for a purpose."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from backstory.adapters.hosts.spool import FOLDER_NAME as SPOOL
from backstory.adapters.project import Project, require_project
from backstory.adapters.settings import (
    FILE_NAME,
    Choices,
    Settings,
    settings_in,
    settings_of,
    user_file,
)
from backstory.adapters.sources.shell_lines import SWITCH_NAME as NO_SHELL
from backstory.adapters.switches import switch
from backstory.adapters.system import new_id, system_clock
from backstory.capture.redact import also_redact
from backstory.model.errors import StoreDegradedError, UsageError
from backstory.model.words import Purpose
from backstory.ports.clock import Clock, NameSource
from backstory.store import DegradedStore, SqliteStore, bring_up_to_date, open_store
from backstory.wiring.desk import LIBRARY_HOST, BrokenDesk, Desk, IsolatedDesk
from backstory.wiring.reader import PURPOSE_SETTING, store_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How to open a memory: who opens it, and what stands in for the machine in tests."""

    host: str = LIBRARY_HOST
    works_inline: bool = True
    asks_model_at_close: bool = True
    clock: Clock = system_clock
    ids: NameSource = new_id
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))


def open_desk(
    path: Path, *, purpose: Purpose | None, opening: Opening
) -> Desk | BrokenDesk | IsolatedDesk:
    """Open the memory of the project that `path` lies in.

    The narrowest purpose wins: of the one asked for, the variable, the settings and what is
    kept with the project, an isolated one isolates. One that is asked for or in the variable is
    honoured before anything is looked at on disk. Raises `NoProjectError`, `SettingsError`,
    `StoreUnavailableError`, and `UsageError` for a variable that cannot be understood.
    """
    stated = settings_of(opening.env)
    for wanted in (purpose, stated.purpose):
        if wanted is not None and wanted.is_isolated:
            return IsolatedDesk(purpose=wanted)
    project = require_project(path, env=opening.env)
    choices = Choices(filed=_filed(project), stated=stated)
    also_redact(choices.secret_patterns)
    filed = choices.filed.purpose
    if filed is not None and filed.is_isolated:
        return IsolatedDesk(purpose=filed)
    try:
        store = open_store(store_of(project), now_ms=opening.clock(), upgrades=False)
        kept = kept_purpose(store)
        if store.is_outdated and not (kept is not None and kept.is_isolated):
            bring_up_to_date(store)
    except StoreDegradedError as error:
        return BrokenDesk(
            project=project,
            store=DegradedStore(store_of(project), str(error)),
            clock=opening.clock,
            ids=opening.ids,
            host=opening.host,
        )
    if kept is not None and kept.is_isolated:
        store.close()
        return IsolatedDesk(purpose=kept)
    return Desk(
        project=project,
        store=store,
        purpose=purpose or stated.purpose or kept or filed or Purpose.CODING,
        clock=opening.clock,
        ids=opening.ids,
        host=opening.host,
        works_inline=opening.works_inline,
        asks_model_at_close=opening.works_inline and opening.asks_model_at_close,
        env=opening.env,
        choices=choices,
    )


def _filed(project: Project) -> Settings:
    return settings_in(user_file(), project.state_dir / FILE_NAME)


def kept_purpose(store: SqliteStore) -> Purpose | None:
    """Return the purpose that the user set for the whole project, or None."""
    with store.reading() as tables:
        name = tables.meta.setting(PURPOSE_SETTING)
    return purpose_named(name) if name else None


def keep_purpose(path: Path, purpose: Purpose, *, opening: Opening) -> None:
    """Set the purpose of the whole project until it is set anew; coding is none."""
    project = require_project(path, env=opening.env)
    store = open_store(store_of(project), now_ms=opening.clock())
    value = None if purpose is Purpose.CODING else purpose.value
    with store.writing() as tables:
        tables.meta.set_setting(PURPOSE_SETTING, value)
    store.close()
    # Shells open no store: they are told by a file.
    switch(project.state_dir / SPOOL / NO_SHELL, off=purpose.is_isolated)


def purpose_in_force(path: Path, *, opening: Opening) -> Purpose:
    """Return the purpose that a program gets which asks for none."""
    desk = open_desk(path, purpose=None, opening=opening)
    if isinstance(desk, BrokenDesk):
        raise StoreDegradedError(desk.store.problem)
    if isinstance(desk, Desk):
        desk.store.close()
    return desk.purpose


def purpose_named(name: str) -> Purpose:
    """Return the purpose of this name, or raise `UsageError` with the names there are."""
    try:
        return Purpose(name)
    except ValueError as error:
        names = ", ".join(purpose.value for purpose in Purpose)
        raise UsageError(f"{name!r} is no purpose; there are {names}") from error
