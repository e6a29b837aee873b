"""A full disk, a busy store and a read-only place give clear errors and lose nothing kept."""

from pathlib import Path

import apsw
import pytest

from backstory.model.errors import StoreDegradedError, StoreUnavailableError
from backstory.store import SqliteStore, db, open_store
from recorded import begun, files_in, said, with_thread


@pytest.mark.case("C06")
def test_a_full_disk_is_told_and_what_was_acknowledged_stays(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    kept = said(store, "kept")
    connection = store.connection()
    connection.pragma("max_page_count", connection.pragma("page_count") + 2)

    with pytest.raises(StoreUnavailableError, match="disk is full; nothing of this was stored"):
        said(store, "x" * 100_000)
    store.close()

    again = open_store(path, now_ms=0)
    with again.reading() as tables:
        assert [turn.id for turn in tables.turns.page(after_seq=0, limit=9)] == [kept]
        assert tables.connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    again.close()


def test_a_turn_that_began_can_be_failed_when_its_answer_does_not_fit(store: SqliteStore) -> None:
    with_thread(store)
    turn = begun(store, "kept")
    connection = store.connection()
    connection.pragma("max_page_count", connection.pragma("page_count") + 2)

    with pytest.raises(StoreUnavailableError), store.writing() as tables:
        tables.turns.complete(turn, "x" * 100_000, now_ms=1)
    with store.writing() as tables:
        tables.turns.fail(turn, "the disk is full", now_ms=2)
        stored = tables.turns.get(turn.id)

    assert stored is not None
    assert (stored.user_text, stored.error) == ("kept", "the disk is full")


@pytest.mark.case("C03")
def test_a_store_that_somebody_holds_is_told_after_the_wait(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    store.connection().set_busy_timeout(1)

    with pytest.raises(StoreUnavailableError, match="another process holds the store"):
        begun(store)
    with store.reading() as tables:
        assert len(tables.threads.listed()) == 1
    other.close()


def test_a_read_only_place_is_read_and_refuses_to_write(
    path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_thread(store)
    said(store, "We use SQLite.")
    store.close()
    before = files_in(path.parent)
    monkeypatch.setattr(db, "is_writable", lambda _: False)

    again = open_store(path, now_ms=0)
    with again.reading() as tables:
        assert tables.turns.last_seq() == 1
    with pytest.raises(StoreUnavailableError, match="read-only; nothing of this was stored"):
        begun(again)
    again.close()
    assert files_in(path.parent) == before


def test_reading_writes_nothing_even_to_a_writable_store(path: Path, store: SqliteStore) -> None:
    with_thread(store)
    before = files_in(path.parent)

    with store.reading() as tables:
        tables.threads.listed()
        with pytest.raises(apsw.ReadOnlyError):
            tables.connection.execute("DELETE FROM thread")
    # Readers leave their marks in the shared index of the log, which is memory in a file.
    after = files_in(path.parent)
    assert {name for name in after if after[name] != before[name]} <= {"memory.db-shm"}


def test_a_page_that_was_damaged_while_open_is_told_as_damage(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    for number in range(200):
        said(store, f"{number} " + "x" * 3_000)
    store.close()
    content = bytearray(path.read_bytes())
    page_size = 4_096
    for page in range(100, 200):
        content[page * page_size : (page + 1) * page_size] = b"\xa5" * page_size
    path.write_bytes(content)

    again = open_store(path, now_ms=0)
    with pytest.raises(StoreDegradedError, match="damaged"), again.reading() as tables:
        tables.turns.page(after_seq=0, limit=999)
    again.close()
