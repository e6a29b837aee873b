"""Where a disk has no room, what is there is read, and what cannot be kept is told."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier

import apsw
import pytest

from backstory.model.errors import StoreUnavailableError
from backstory.store import SqliteStore, open_store
from backstory.store.file.connect import connect, connect_alone, log_of, verify
from backstory.store.file.failures import lacks_room_for_index, translated
from recorded import said, with_thread

resource = pytest.importorskip("resource", reason="limits of a process are not known here")

_READERS = 6


@contextmanager
def no_room() -> Iterator[None]:
    """Let no file of this process be made larger or be written, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _index_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-shm")


def _killed(store: SqliteStore) -> None:
    """Leave the log of a store as a process that was killed leaves it."""
    connection = store.connection()
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    with_thread(store)
    said(store, "We use SQLite.")
    store.close()
    _index_of(store.path).unlink(missing_ok=True)


def _turns(store: SqliteStore) -> int:
    with store.reading() as tables:
        return tables.turns.last_seq()


def test_a_full_disk_is_what_the_limit_makes_of_it(path: Path, store: SqliteStore) -> None:
    store.close()

    with no_room(), pytest.raises(apsw.IOError) as raised:
        apsw.Connection(str(path)).execute("SELECT count(*) FROM turn")

    assert lacks_room_for_index(raised.value)


def test_a_store_is_read_where_there_is_no_room(path: Path, store: SqliteStore) -> None:
    with_thread(store)
    said(store, "We use SQLite.")
    store.close()

    with no_room():
        again = open_store(path, now_ms=0)
        assert [_turns(again), _turns(again)] == [1, 1]
        again.close()


def test_what_waits_in_the_log_is_read_too_where_there_is_no_room(
    path: Path, store: SqliteStore
) -> None:
    _killed(store)
    log = log_of(path).read_bytes()

    with no_room():
        assert verify(path) > 0
        again = open_store(path, now_ms=0)
        assert _turns(again) == 1
        again.close()

    assert log_of(path).read_bytes() == log


def test_what_cannot_be_written_is_told_and_reading_goes_on(
    path: Path, store: SqliteStore
) -> None:
    _killed(store)
    again = open_store(path, now_ms=0)

    with no_room():
        with pytest.raises(StoreUnavailableError, match="nothing of this was stored"):
            said(again, "We use Postgres.")
        assert _turns(again) == 1
    said(again, "We use Redis.")

    assert _turns(again) == 2
    again.close()


def test_reading_without_room_holds_nobody_up_beyond_its_transaction(
    path: Path, store: SqliteStore
) -> None:
    _killed(store)
    with no_room():
        crowded = open_store(path, now_ms=0)
        assert _turns(crowded) == 1
    other = SqliteStore(path, wait_ms=0)  # a connection of its own, as another process has

    said(other, "We use Postgres.")

    assert (_turns(other), _turns(crowded)) == (2, 2)
    other.close()
    crowded.close()


@pytest.mark.parametrize("opened", [connect, connect_alone])
def test_a_connection_guards_the_store_however_it_is_opened(
    path: Path, store: SqliteStore, opened: Callable[[Path], apsw.Connection]
) -> None:
    store.close()
    connection = opened(path)
    guards = ("foreign_keys", "synchronous", "trusted_schema")

    assert [connection.pragma(name) for name in guards] == [1, 2, 0]
    connection.close()


def test_a_disk_without_room_to_read_is_named(path: Path) -> None:
    class NoRoomError(apsw.IOError):
        extendedresult = apsw.SQLITE_IOERR_SHMSIZE

    told = translated(path, NoRoomError("disk I/O error"))

    assert isinstance(told, StoreUnavailableError)
    assert f"{path}: the disk that holds it is full" in str(told)


def test_many_that_read_at_once_without_room_all_get_their_turn(
    path: Path, store: SqliteStore
) -> None:
    _killed(store)
    at_once = Barrier(_READERS)

    def read(_: int) -> int:
        reader = SqliteStore(path, wait_ms=20_000)
        at_once.wait()
        return sum(_turns(reader) for _ in range(5))

    with no_room(), ThreadPoolExecutor(_READERS) as readers:
        assert [*readers.map(read, range(_READERS))] == [5] * _READERS
