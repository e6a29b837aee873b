"""Opening a store file, and the transactions that everything else runs in."""

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

import apsw

from backstory.model.errors import StoreDegradedError, StoreUnavailableError
from backstory.store.tables import SqliteTables

APPLICATION_ID = 0x42535459  # "BSTY"
SCHEMA_VERSION = 1
BUSY_TIMEOUT_MS = 5_000


class SqliteStore:
    """One project's store file. Each thread that uses it gets a connection of its own."""

    def __init__(self, path: Path, connect: Callable[[], apsw.Connection]) -> None:
        self.path = path
        self._connect = connect
        self._local = threading.local()

    @contextmanager
    def reading(self) -> Iterator[SqliteTables]:
        """Yield the tables as of one moment. Nothing can be written."""
        with self._transaction("BEGIN", "ROLLBACK") as tables:
            yield tables

    @contextmanager
    def writing(self) -> Iterator[SqliteTables]:
        """Yield the tables inside one short write transaction: all of it is kept, or none."""
        with self._transaction("BEGIN IMMEDIATE", "COMMIT") as tables:
            yield tables

    @contextmanager
    def _transaction(self, begin: str, end: str) -> Iterator[SqliteTables]:
        connection = self._connection()
        try:
            connection.execute(begin)
        except apsw.Error as error:
            raise _unavailable(self.path, error) from error
        try:
            yield SqliteTables(connection)
            connection.execute(end)
        except apsw.Error as error:
            self._roll_back(connection)
            raise _unavailable(self.path, error) from error
        except BaseException:
            self._roll_back(connection)
            raise

    @staticmethod
    def _roll_back(connection: apsw.Connection) -> None:
        if connection.in_transaction:
            connection.execute("ROLLBACK")

    def _connection(self) -> apsw.Connection:
        if not hasattr(self._local, "connection"):
            self._local.connection = self._connect()
        connection: apsw.Connection = self._local.connection
        return connection

    def close(self) -> None:
        """Close this thread's connection."""
        if hasattr(self._local, "connection"):
            self._local.connection.close()
            del self._local.connection


def open_store(path: Path, *, now_ms: int) -> SqliteStore:
    """Open the store at `path`, making it where there is none.

    Raises `StoreDegradedError` where the file is not a sound store of this version, and
    `StoreUnavailableError` where it cannot be opened now. Neither touches the file.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)

    def connect() -> apsw.Connection:
        connection = apsw.Connection(str(path))
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    store = SqliteStore(path, connect)
    connection = store._connection()
    _create_if_new(connection, now_ms=now_ms)
    connection.execute("PRAGMA journal_mode = WAL")
    return store


def _create_if_new(connection: apsw.Connection, *, now_ms: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    version = connection.pragma("user_version")
    if version > SCHEMA_VERSION:
        connection.execute("ROLLBACK")
        raise StoreDegradedError("the store was written by a newer version of Backstory")
    if version == 0:
        sql = resources.files("backstory.store").joinpath("migrations/0001_initial.sql")
        connection.execute(sql.read_text(encoding="utf-8"))
        connection.execute(
            "INSERT INTO meta (id, project_id, generation, created_at_ms) VALUES (1, ?, 1, ?)",
            (secrets.token_hex(8), now_ms),
        )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _unavailable(path: Path, error: apsw.Error) -> StoreUnavailableError:
    return StoreUnavailableError(f"{path}: {error}")
