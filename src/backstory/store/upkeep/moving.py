"""Moving a store to another place, whole, with nobody at it."""

from pathlib import Path

from backstory.model.errors import StoreUnavailableError
from backstory.store.db import SqliteStore
from backstory.store.file.create import sync_directory
from backstory.store.file.migrate import copy_store


def move_store(store: SqliteStore, target: Path) -> None:
    """Put a store at `target` in the place of an empty one, and take it from where it was.

    It is copied under the write lock, gets its name when it is complete, and only then goes from
    the old place. Raises `StoreUnavailableError` where another process has one of them open: its
    log belongs to that file and to no other.
    """
    for path in (store.path, target):
        _refuse_used(path)
    with store.writing():
        copy_store(store.path, target)
        sync_directory(target.parent)
        store.path.unlink()
    store.close()
    for end in ("-wal", "-shm"):
        store.path.with_name(store.path.name + end).unlink(missing_ok=True)


def _refuse_used(path: Path) -> None:
    # SQLite removes both when the last connection is closed.
    if any(path.with_name(path.name + end).exists() for end in ("-wal", "-shm")):
        raise StoreUnavailableError(
            f"{path} is in use: end the agents and servers that are at work there, and try again"
        )
