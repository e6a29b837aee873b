"""Bringing a memory along whose directory was made anew: the whole of it moves, once."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backstory.adapters.locking import LOCK_NAME, is_held
from backstory.adapters.project import (
    GIT_STATE_NAME,
    PLAIN_STATE_NAME,
    init_project,
    require_project,
)
from backstory.adapters.settings import FILE_NAME, settings_in, settings_of, user_file
from backstory.model.errors import StoreDegradedError, StoreUnavailableError, UsageError
from backstory.model.words import Purpose
from backstory.store import SqliteStore, move_store, open_store
from backstory.wiring.desk import BrokenDesk, IsolatedDesk
from backstory.wiring.opening import Opening, kept_purpose, open_desk
from backstory.wiring.reader import STORE_NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Relinked:
    """A memory that moved: from which directory to which, and what it holds."""

    old: Path
    new: Path
    items: int
    turns: int


def relink(old: Path, new: Path, *, opening: Opening) -> Relinked | IsolatedDesk:
    """Move the memory of the directory `old` to that of `new`, which must hold nothing yet.

    `new` becomes a project where it is none. Where it is interrupted, one of the two directories
    has all of it. An isolated purpose of either moves nothing. Raises `UsageError` where `old`
    has no memory or `new` one of its own, `StoreDegradedError`, and `StoreUnavailableError`
    where somebody uses one of them at this moment.
    """
    stated = settings_of(opening.env).purpose
    if stated is not None and stated.is_isolated:
        return IsolatedDesk(purpose=stated)
    for place in (old, new):
        if not place.is_dir():
            raise UsageError(f"there is no directory {place}")
    source = _state_at(old, opening=opening)
    kept = _purpose_at(source, opening=opening)
    if kept is not None and kept.is_isolated:
        return IsolatedDesk(purpose=kept)
    project = init_project(new, env=opening.env)
    if project.state_dir == source:
        raise UsageError(f"{old} and {new} are one project and share its memory already")
    desk = open_desk(new, purpose=None, opening=opening)
    if isinstance(desk, IsolatedDesk):
        return desk
    if isinstance(desk, BrokenDesk):
        raise StoreDegradedError(desk.store.problem)
    _refuse_full(desk.store, new)
    desk.store.close()
    store = open_store(source / STORE_NAME, now_ms=opening.clock())
    items, turns = _counts(store)
    store.close()
    _refuse_worked_on(source, project.state_dir)
    _copy_beside(source, project.state_dir)
    move_store(store, project.state_dir / STORE_NAME)
    _copy_beside(source, project.state_dir)  # what hooks put into the spool meanwhile
    shutil.rmtree(source)
    return Relinked(old=source, new=project.state_dir, items=items, turns=turns)


def _state_at(old: Path, *, opening: Opening) -> Path:
    """Return the directory with the memory that a directory has, or had before it was git's."""
    for folder in (old, old / PLAIN_STATE_NAME):
        if (folder / STORE_NAME).is_file() and _is_state(folder.resolve()):
            return folder.resolve()
    state_dir = require_project(old, env=opening.env).state_dir
    if not (state_dir / STORE_NAME).is_file():
        raise UsageError(f"{old} has no memory that could be brought along")
    return state_dir


def _is_state(folder: Path) -> bool:
    """Whether a directory is a memory's own: it goes with all that is in it."""
    is_git = folder.name == GIT_STATE_NAME and (folder.parent / "HEAD").is_file()
    return is_git or folder.name == PLAIN_STATE_NAME


def _purpose_at(source: Path, *, opening: Opening) -> Purpose | None:
    filed = settings_in(user_file(), source / FILE_NAME).purpose
    if filed is not None and filed.is_isolated:
        return filed
    try:
        store = open_store(source / STORE_NAME, now_ms=opening.clock(), upgrades=False)
    except StoreDegradedError:
        return None  # told when it is opened to be moved, unless `new` is isolated
    kept = kept_purpose(store)
    store.close()
    return kept


def _refuse_worked_on(*folders: Path) -> None:
    for folder in folders:
        if is_held(folder / LOCK_NAME):
            raise StoreUnavailableError(f"a worker is at work in {folder}: try again shortly")


def _refuse_full(store: SqliteStore, new: Path) -> None:
    items, turns = _counts(store)
    with store.reading() as tables:
        told = tables.episodes.newest(limit=1) or tables.episodes.todos(limit=1, with_done=True)
        is_full = items or turns or told or tables.events.count()
    if is_full:
        raise UsageError(
            f"{new} has a memory of its own ({items:,} items, {turns:,} turns): "
            "`backstory export` and then `backstory clear --confirm` make room"
        )


def _counts(store: SqliteStore) -> tuple[int, int]:
    with store.reading() as tables:
        return sum(tables.items.counts().values()), sum(tables.turns.counts().values())


def _copy_beside(source: Path, target: Path) -> None:
    """Copy what lies beside a store; what the new place has already, such as settings, stays."""

    def copy_new(one: str, other: str) -> None:
        if not Path(other).exists():
            shutil.copy2(one, other)

    own = {STORE_NAME, f"{STORE_NAME}-wal", f"{STORE_NAME}-shm", LOCK_NAME, ".gitignore"}

    def passed_over(folder: str, _: Sequence[str]) -> set[str]:
        return own if Path(folder) == source else set()

    shutil.copytree(source, target, ignore=passed_over, copy_function=copy_new, dirs_exist_ok=True)
