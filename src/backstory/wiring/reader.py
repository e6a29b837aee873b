"""A project's memory as a hook holds it: opened in milliseconds, for one moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from backstory.adapters.project import Project
from backstory.adapters.settings import (
    FILE_NAME,
    Choices,
    settings_in,
    settings_of,
    user_file,
)
from backstory.adapters.system import new_id, system_clock
from backstory.model.errors import StoreOutdatedError
from backstory.model.words import Purpose
from backstory.store import SqliteStore, open_store

if TYPE_CHECKING:
    from backstory.ports.clock import Clock, NameSource

STORE_NAME = "memory.db"
PURPOSE_SETTING = "purpose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One project's memory, open for an ordinary purpose."""

    project: Project
    store: SqliteStore
    choices: Choices
    env: Mapping[str, str]
    clock: "Clock" = system_clock
    ids: "NameSource" = new_id

    def taken(self, text: str) -> str:
        """Return a text as it is stored: as it was said, unless secrets are to be left out."""
        if not self.choices.redacts_at_capture:
            return text
        from backstory.capture.redact import redact  # noqa: PLC0415 - few redact what is said

        return redact(text).text


def choices_for(project: Project, *, env: Mapping[str, str]) -> Choices:
    """Return what the settings say of a project; its secret patterns are in force from now on.

    Raises `SettingsError` and `UsageError`.
    """
    filed = settings_in(user_file(), project.state_dir / FILE_NAME)
    choices = Choices(filed=filed, stated=settings_of(env))
    if choices.secret_patterns:
        from backstory.capture.redact import also_redact  # noqa: PLC0415 - few have any

        also_redact(choices.secret_patterns)
    return choices


def isolated_by(choices: Choices) -> Purpose | None:
    """Return the isolated purpose that the settings ask for, or None."""
    wanted = (choices.stated.purpose, choices.filed.purpose)
    return next((one for one in wanted if one is not None and one.is_isolated), None)


def open_reader(
    project: Project,
    choices: Choices,
    *,
    env: Mapping[str, str],
    wait_ms: int,
    clock: "Clock" = system_clock,
    ids: "NameSource" = new_id,
) -> Reader | Purpose:
    """Open a project's memory, or return the isolated purpose that is kept with it.

    A write waits `wait_ms` at the most for another process to end its own.
    Raises `StoreDegradedError`, `StoreUnavailableError` and, for one of an older version,
    `StoreOutdatedError`, and touches nothing then.
    """
    store = open_store(store_of(project), now_ms=clock(), wait_ms=wait_ms, upgrades=False)
    with store.reading() as tables:
        kept = tables.meta.setting(PURPOSE_SETTING)
    if kept is not None and Purpose(kept).is_isolated:
        store.close()
        return Purpose(kept)
    if store.is_outdated:
        store.close()
        raise StoreOutdatedError(f"{store.path} is of an older version and not up to date yet")
    return Reader(project=project, store=store, choices=choices, env=env, clock=clock, ids=ids)


def store_of(project: Project) -> Path:
    """Return where the project's store is, or would be."""
    return project.state_dir / STORE_NAME
