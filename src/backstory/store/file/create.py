"""Making a store file: whole and private from the first moment that anybody can see it."""

import os
from contextlib import suppress
from pathlib import Path

from backstory.store.file.addressing import open_file
from backstory.store.file.migrate import build, released


def make_private_directory(folder: Path) -> None:
    """Make a directory and the missing ones above it for this user alone, under any umask."""
    if folder.is_dir():
        return
    make_private_directory(folder.parent)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:  # another process was quicker
        return
    folder.chmod(0o700)


def make_store(
    path: Path, *, now_ms: int, generation: int = 1, project_id: str | None = None
) -> bool:
    """Make a new store at `path`, or return False where there is something already.

    The file gets its name only when it is complete, so that of several processes that do this
    at once exactly one succeeds and none sees half of a store. An empty file at `path` is
    therefore never one in the making.
    """
    draft = draft_store(path, now_ms=now_ms, generation=generation, project_id=project_id)
    try:
        return _name(draft, path)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


def draft_store(
    path: Path, *, now_ms: int, generation: int = 1, project_id: str | None = None
) -> Path:
    """Make a complete store under a name of its own beside `path`, and return that name."""
    draft = path.with_name(f"{path.name}.new-{os.urandom(4).hex()}")
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    os.close(handle)
    draft.chmod(0o600)
    connection = open_file(draft)
    try:
        build(connection, released())
        connection.execute(
            """
            INSERT INTO meta (id, project_id, generation, created_at_ms)
            VALUES (1, :project_id, :generation, :now_ms)
            """,
            {
                "project_id": project_id or os.urandom(8).hex(),
                "generation": generation,
                "now_ms": now_ms,
            },
        )
        # Now, while nobody else can hold it: changing the mode later needs the file alone.
        connection.pragma("journal_mode", "wal")
    finally:
        connection.close()
    return draft


def _name(draft: Path, path: Path) -> bool:
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return False
    except OSError:
        # No hard links on this file system. Two first opens at the same moment could then both
        # come here, and the later one win; before either has stored anything.
        if path.exists():
            return False
        draft.rename(path)
    sync_directory(path.parent)
    return True


def sync_directory(folder: Path) -> None:
    """Make the names just given in a directory survive a power cut, where that can be done."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows cannot open a directory
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
