"""Carrying out changes to other programs' files, unless somebody else was faster."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from backstory.adapters.installing.changes import Change, read
from backstory.adapters.installing.copies import (
    Kept,
    alone,
    digest_of,
    forget,
    keep,
    kept_for,
    put,
)
from backstory.model.errors import UnreadableInputError


def write_all(changes: Sequence[Change], *, copies: Path, forgotten: Sequence[Path] = ()) -> None:
    """Write changes, each file whole, and drop the copies of files that are not ours any more.

    Raises `UnreadableInputError` where a file is not any more what the change was made from, or
    cannot be written; the files before it are done then.
    """
    with alone(copies):
        emptied: list[str] = []
        for change in changes:
            try:
                emptied += _write(change, copies=copies)
            except OSError as error:
                raise UnreadableInputError(
                    f"{change.file} cannot be written: {error.strerror}"
                ) from error
        _remove_empty(emptied)
    forget(forgotten, copies=copies)


def _write(change: Change, *, copies: Path) -> tuple[str, ...]:
    """Write one file, and return the directories that were made for one that goes."""
    # A settings file that is a link stays one: what it points at is written.
    target = Path(os.path.realpath(change.file))
    if read(target) not in (change.before, change.after):
        raise UnreadableInputError(
            f"{change.file} was changed by another program meanwhile: run the command again"
        )
    kept = kept_for(change.file, copies=copies)
    made = () if kept is None else kept.made
    if change.after is None:
        target.unlink(missing_ok=True)
        return made
    made = (*made, *_missing(target.parent))
    target.parent.mkdir(parents=True, exist_ok=True)
    # The copy comes first: killed in between, the file is still known as it was.
    digest = digest_of(change.after)
    record = Kept(before=change.without_us, digest=digest, made=made)
    keep(change.file, record, copies=copies)
    new_mode = 0o755 if change.is_program else 0o600
    mode = target.stat().st_mode & 0o777 if target.exists() else new_mode
    put(target, change.after.encode("utf-8", "surrogateescape"), mode=mode)
    return ()


def _missing(folder: Path) -> list[str]:
    """Return the directories on the way that are not there, the innermost first."""
    return [str(place) for place in (folder, *folder.parents) if not place.exists()]


def _remove_empty(folders: Sequence[str]) -> None:
    for folder in sorted(folders, key=len, reverse=True):
        with suppress(OSError):
            Path(folder).rmdir()
