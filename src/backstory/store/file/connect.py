"""Connections: how each is set up, and how a file is read without leaving a trace."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from backstory.model.errors import StoreDegradedError
from backstory.store.file.addressing import open_file, open_read_only
from backstory.store.file.failures import lacks_room_for_index, translated
from backstory.store.file.identity import (
    read_header,
    refuse_altered,
    refuse_truncated,
    refuse_unknown_version,
)

BUSY_TIMEOUT_MS = 5_000
# A log that grew in a burst is cut back to this once it has been copied into the file.
JOURNAL_BYTES_MAX = 4 * 1024 * 1024
# Longer than a short transaction takes.
_APART_MS_MAX = 50


def connect(path: Path, *, wait_ms: int = BUSY_TIMEOUT_MS) -> apsw.Connection:
    """Open an existing file that has been verified, for reading and writing."""
    connection = open_file(path)
    # Before anything else: everything else may have to wait for another process.
    connection.set_busy_timeout(wait_ms)
    _guard(connection)
    connection.pragma("journal_size_limit", JOURNAL_BYTES_MAX)
    if connection.pragma("journal_mode") != "wal":
        connection.pragma("journal_mode", "wal")
    return connection


def connect_alone(path: Path, *, wait_ms: int = BUSY_TIMEOUT_MS) -> apsw.Connection:
    """Open a file on a disk that has no room for the index of its log, which memory then holds.

    Nothing in the log is missed. As nobody else can know of that index, nobody else reads or
    writes until this connection is closed: after a transaction (https://sqlite.org/wal.html,
    "Use of WAL Without Shared-Memory"). Raises `BusyError` where others are at it all the time.
    """
    while True:
        connection = open_file(path)
        try:
            _be_alone(connection)
        except apsw.BusyError:
            # Of two that come at once each may have half of the lock, and SQLite would let them
            # wait for each other: both let go, and come again at different moments.
            connection.close()
            if wait_ms <= 0:
                raise
            apart_ms = 1 + os.urandom(1)[0] % _APART_MS_MAX
            apsw.sleep(apart_ms)
            wait_ms -= apart_ms
        else:
            return connection


def _be_alone(connection: apsw.Connection) -> None:
    # Copying the log into the file would want room, too.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    # Before anything that reads the file, which would want the index where others see it.
    connection.pragma("locking_mode", "exclusive")
    _guard(connection)
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()


def _guard(connection: apsw.Connection) -> None:
    # An acknowledged turn survives a power cut (https://sqlite.org/pragma.html#pragma_synchronous).
    connection.execute(
        """
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA trusted_schema = OFF;
        """
    )


def connect_read_only(path: Path) -> apsw.Connection:
    """Open a file that cannot or must not be written."""
    if has_log(path) and not _is_readable_beside_its_log(path):
        return _connect_copy(path)
    connection = open_read_only(path, "mode=ro" if has_log(path) else "immutable=1")
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
    return connection


def connect_untouched(path: Path) -> apsw.Connection:
    """Open a file of any state for reading, so that not even a log appears beside it."""
    connection = _connect_copy(path) if has_log(path) else open_read_only(path, "immutable=1")
    connection.execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
    return connection


def _is_readable_beside_its_log(path: Path) -> bool:
    try:
        connection = open_read_only(path, "mode=ro")
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        finally:
            connection.close()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        return False
    return True


def _connect_copy(path: Path) -> apsw.Connection:
    import shutil  # noqa: PLC0415 - slow to load, for a file that is read-only
    import tempfile  # noqa: PLC0415 - as above

    # A log can only be read where an index of it can be written, so that is done elsewhere.
    with tempfile.TemporaryDirectory(prefix="backstory-") as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(path, copy)
        if log_of(path).exists():
            shutil.copyfile(log_of(path), log_of(copy))
        source = apsw.Connection(str(copy))
        memory = apsw.Connection(":memory:")
        try:
            with memory.backup("main", source, "main") as backup:
                backup.step()
        finally:
            source.close()
    memory.execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
    return memory


def is_writable(path: Path) -> bool:
    """Whether this user may write the file and make its log beside it."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def log_of(path: Path) -> Path:
    """Return where SQLite keeps the write-ahead log of a file."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """Whether a log waits to be copied into the file: somebody writes, or somebody was killed."""
    logs = (log_of(path), path.with_name(f"{path.name}-journal"))
    return any(_size_of(log) > 0 for log in logs)


def _size_of(log: Path) -> int:
    try:
        return log.stat().st_size
    except FileNotFoundError:  # there was none, or whoever wrote has just tidied it up
        return 0


def verify(path: Path) -> int:
    """Return the schema version of a sound store file.

    Raises `StoreDegradedError` where it is anything else, and leaves it byte for byte as it
    was, with no log beside it that was not there.
    """
    header = read_header(path)
    try:
        if not has_log(path):
            refuse_truncated(path, header)
        with _probing(path) as connection:
            version = int(connection.pragma("user_version"))
            refuse_unknown_version(path, version)
            refuse_altered(path, connection)
    except apsw.Error as error:
        raise translated(path, error) from error
    return version


@contextmanager
def _probing(path: Path) -> Iterator[apsw.Connection]:
    writes = has_log(path) and is_writable(path)
    connection = _connect_to_probe(path) if writes else connect_read_only(path)
    try:
        yield connection
    finally:
        connection.close()


def _connect_to_probe(path: Path) -> apsw.Connection:
    connection = open_file(path)
    try:
        # The last connection to close would otherwise copy the log into the file.
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except apsw.IOError as error:
        connection.close()
        if not lacks_room_for_index(error):
            raise
        return connect_alone(path)
    return connection


def refuse_orphaned_log(path: Path) -> None:
    """Raise `StoreDegradedError` where the file is gone but its log is still there.

    A new file beside an old log would be filled from it.
    """
    if has_log(path):
        raise StoreDegradedError(
            f"{path} is gone, but its write-ahead log is still there: "
            "put the file back, or move the log away"
        )
