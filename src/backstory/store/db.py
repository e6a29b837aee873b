"""Opening a store file, and the transactions that everything else runs in."""

import os
from _thread import _local as thread_local  # `threading` has no more of it, and more beside it
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from backstory.model.errors import StoreDegradedError, StoreUnavailableError
from backstory.store.file.connect import (
    BUSY_TIMEOUT_MS,
    connect,
    connect_alone,
    connect_read_only,
    is_writable,
    refuse_orphaned_log,
    verify,
)
from backstory.store.file.create import make_private_directory, make_store
from backstory.store.file.failures import lacks_room_for_index, translated, unstorable
from backstory.store.file.identity import SCHEMA_VERSION, refuse_unsafe_library
from backstory.store.file.migrate import migrate, released
from backstory.store.tables import SqliteTables

# Connections that came through a fork; kept so that they are never closed in the child.
_OF_THE_PARENT: list[apsw.Connection] = []


class SqliteStore:
    """One project's store file. Each thread that uses it gets a connection of its own."""

    def __init__(
        self,
        path: Path,
        *,
        is_read_only: bool = False,
        is_outdated: bool = False,
        wait_ms: int = BUSY_TIMEOUT_MS,
    ) -> None:
        self.path = path
        self.is_outdated = is_outdated
        self.is_read_only = is_read_only
        self._wait_ms = wait_ms
        self._local = thread_local()

    @contextmanager
    def reading(self) -> Iterator[SqliteTables]:
        """Yield the tables as of one moment. Nothing can be written."""
        with self._transaction(
            "PRAGMA query_only = ON; BEGIN", "ROLLBACK; PRAGMA query_only = OFF"
        ) as tables:
            yield tables

    @contextmanager
    def writing(self) -> Iterator[SqliteTables]:
        """Yield the tables inside one short write transaction: all of it is kept, or none.

        Raises `StoreUnavailableError` where nothing can be written now: then nothing was.
        """
        if self.is_read_only:
            raise StoreUnavailableError(
                f"{self.path}: the file or its directory is read-only; nothing of this was stored"
            )
        with self._transaction("BEGIN IMMEDIATE", "COMMIT") as tables:
            yield tables

    @contextmanager
    def _transaction(self, begin: str, end: str) -> Iterator[SqliteTables]:
        try:
            with self._begun(begin, end) as tables:
                yield tables
        finally:
            if getattr(self._local, "is_alone", False):
                self.close()

    @contextmanager
    def _begun(self, begin: str, end: str) -> Iterator[SqliteTables]:
        try:
            connection = self.connection()
            connection.execute(begin)
        except OSError as error:
            raise StoreUnavailableError(f"{self.path} cannot be opened: {error}") from error
        except apsw.Error as error:
            raise translated(self.path, error) from error
        try:
            yield SqliteTables(connection)
            connection.execute(end)
        except apsw.Error as error:
            _roll_back(connection)
            raise translated(self.path, error) from error
        except UnicodeEncodeError as error:
            _roll_back(connection)
            raise unstorable(error) from error
        except BaseException:
            _roll_back(connection)
            raise

    def connection(self) -> apsw.Connection:
        """Return this thread's connection; for the store's own modules only."""
        place = self._place()
        if getattr(self._local, "place", None) != place:
            self._leave()
            self._local.connection = self._connect()
            self._local.place = place
        connection: apsw.Connection = self._local.connection
        return connection

    def _place(self) -> tuple[int, int, int]:
        # A connection must not cross a fork, and must not go on writing to a file that was
        # moved away or replaced under it: what it acknowledged would be in neither.
        try:
            status = self.path.stat()
        except FileNotFoundError as error:
            raise StoreUnavailableError(f"{self.path} is gone") from error
        return os.getpid(), status.st_dev, status.st_ino

    def _leave(self) -> None:
        if not hasattr(self._local, "connection"):
            return
        pid, _, _ = self._local.place
        if pid == os.getpid():
            self.close()
            verify(self.path)
        else:
            # It is the parent's: closing it here would tidy up files that the parent uses.
            _OF_THE_PARENT.append(self._local.connection)

    def _connect(self) -> apsw.Connection:
        if self.is_read_only:
            return connect_read_only(self.path)
        try:
            return connect(self.path, wait_ms=self._wait_ms)
        except apsw.IOError as error:
            if not lacks_room_for_index(error):
                raise
        self._local.is_alone = True  # nobody else can use the file until this is closed
        return connect_alone(self.path, wait_ms=self._wait_ms)

    def close(self) -> None:
        """Close this thread's connection. Those of other threads close when they end."""
        if hasattr(self._local, "connection"):
            self._local.connection.close()
            del self._local.connection
            del self._local.place
        self._local.is_alone = False


def open_store(
    path: Path,
    *,
    now_ms: int,
    sqlite_version: str = apsw.sqlite_lib_version(),
    wait_ms: int = BUSY_TIMEOUT_MS,
    upgrades: bool = True,
) -> SqliteStore:
    """Open the store at `path`, making it where there is none.

    A write waits `wait_ms` at the most for another process to end its own.
    To bring a store of an older version up to date takes a copy of it first, and time. Without
    `upgrades` it stays as it is, and is fit for no more than a look at its settings, until
    `bring_up_to_date` was called.

    Raises `StoreDegradedError` where the file is not a sound store of this version, and
    `StoreUnavailableError` where it cannot be opened now. Neither touches the file.
    A file that may not be written is opened for reading.
    """
    refuse_unsafe_library(sqlite_version)
    try:
        if not path.exists():
            refuse_orphaned_log(path)
            make_private_directory(path.parent)
            make_store(path, now_ms=now_ms)
        version = verify(path)
        store = SqliteStore(
            path,
            is_read_only=not is_writable(path),
            is_outdated=version < SCHEMA_VERSION,
            wait_ms=wait_ms,
        )
        if store.is_outdated and upgrades:
            bring_up_to_date(store)
    except apsw.Error as error:
        raise translated(path, error) from error
    except OSError as error:
        raise StoreUnavailableError(f"{path} cannot be opened: {error}") from error
    return store


def bring_up_to_date(store: SqliteStore) -> None:
    """Let an open store of an older version be one of this; a copy of it is kept beside it.

    Raises `StoreDegradedError` where it may not be written, and `StoreUnavailableError` where
    that fails. Then the file is as it was.
    """
    if store.is_read_only:
        raise StoreDegradedError(
            f"{store.path} is of an older version and read-only: "
            "open it once where it can be written"
        )
    try:
        migrate(store.connection(), store.path, migrations=released())
    except apsw.Error as error:
        raise translated(store.path, error) from error
    store.is_outdated = False


def _roll_back(connection: apsw.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")
    connection.execute("PRAGMA query_only = OFF")
