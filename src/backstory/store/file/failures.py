"""What SQLite's errors mean to a person."""

from pathlib import Path

import apsw

from backstory.model.errors import (
    BackstoryError,
    IllegalOperationError,
    StoreDegradedError,
    StoreUnavailableError,
    UnreadableInputError,
)

_DAMAGE = (apsw.CorruptError, apsw.NotADBError)

_CAUSES: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, "the disk is full; nothing of this was stored"),
    (apsw.BusyError, "another process holds the store; nothing of this was stored"),
    (apsw.LockedError, "another process holds the store; nothing of this was stored"),
    (apsw.ReadOnlyError, "the file or its directory is read-only; nothing of this was stored"),
    (apsw.CantOpenError, "the file cannot be opened"),
    (apsw.PermissionsError, "the permission to open it is missing"),
    (apsw.IOError, "the disk failed to read or write; nothing of this was stored"),
    (apsw.NoMemError, "there is not enough memory"),
)


# The index of a log is a file that every reader needs, and the first one makes.
_NO_ROOM_FOR_INDEX = frozenset(
    {apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMMAP, apsw.SQLITE_IOERR_SHMOPEN}
)


def lacks_room_for_index(error: apsw.Error) -> bool:
    """Whether a file cannot even be read, as its disk has no room for the index of its log."""
    return getattr(error, "extendedresult", 0) in _NO_ROOM_FOR_INDEX


def translated(path: Path, error: apsw.Error) -> BackstoryError:
    """Return the error that a caller can read and act on."""
    if isinstance(error, _DAMAGE):
        return StoreDegradedError(f"{path} is damaged: {error}")
    if isinstance(error, apsw.ConstraintError):
        return IllegalOperationError(f"the store refuses this: {error}")
    if isinstance(error, apsw.TooBigError):
        return UnreadableInputError("the text is too large for the store (1 GB is the limit)")
    if lacks_room_for_index(error):
        return StoreUnavailableError(
            f"{path}: the disk that holds it is full, so that it cannot be read either ({error})"
        )
    for kind, cause in _CAUSES:
        if isinstance(error, kind):
            return StoreUnavailableError(f"{path}: {cause} ({error})")
    return StoreUnavailableError(f"{path}: {error}")


def unstorable(error: UnicodeEncodeError) -> UnreadableInputError:
    """Return the error for text with half of a surrogate pair, which no encoding can hold."""
    half = ord(str(error.object)[error.start])
    return UnreadableInputError(
        f"the text holds half of a character (U+{half:04X} at place {error.start}): "
        "it was cut in the middle, and cannot be stored as it is"
    )
