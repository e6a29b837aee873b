"""A store is private from its first moment and known by its exact catalogue."""

import os
import stat
from pathlib import Path

import apsw
import pytest

from backstory.model.errors import StoreDegradedError, StoreUnavailableError
from backstory.store import SqliteStore, open_store
from backstory.store.file import identity
from backstory.store.file.connect import log_of
from recorded import begun, files_in, said, with_thread


@pytest.mark.case("C118")
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o777])
def test_directory_and_file_are_private_under_any_umask(tmp_path: Path, mask: int) -> None:
    path = tmp_path / "deep" / "state" / "memory.db"
    before = os.umask(mask)
    try:
        store = with_thread(open_store(path, now_ms=0))
    finally:
        os.umask(before)

    assert isinstance(store, SqliteStore)
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in path.parents[:2]] == [0o700, 0o700]
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    store.close()


def test_a_directory_that_was_there_keeps_its_rights(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    open_store(tmp_path / "memory.db", now_ms=0).close()

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


@pytest.mark.promise("R39")
def test_a_store_is_opened_again_with_what_it_held(path: Path, store: SqliteStore) -> None:
    with_thread(store)
    turn_id = said(store, "We use SQLite.")
    store.close()

    again = open_store(path, now_ms=99)
    with again.reading() as tables:
        assert tables.turns.get(turn_id) is not None
        assert tables.meta.created_at_ms() == 0
    again.close()


@pytest.mark.promise("R39")
def test_nothing_but_the_file_is_left_when_it_is_closed(path: Path, store: SqliteStore) -> None:
    with_thread(store)
    store.close()

    assert list(files_in(path.parent)) == ["memory.db"]


@pytest.mark.promise("R160")
@pytest.mark.case("C02")
def test_each_connection_waits_survives_power_cuts_and_checks_references(
    store: SqliteStore,
) -> None:
    connection = store.connection()

    assert connection.pragma("busy_timeout") == 5_000
    assert connection.pragma("synchronous") == 2
    assert connection.pragma("foreign_keys") == 1
    assert connection.pragma("journal_mode") == "wal"
    assert connection.pragma("mmap_size") in (0, None)


@pytest.mark.case("C01")
@pytest.mark.parametrize("version", ["3.51.2", "3.40.1", "3.7"])
def test_a_sqlite_that_may_lose_commits_is_refused(path: Path, version: str) -> None:
    with pytest.raises(StoreUnavailableError, match="can lose commits"):
        open_store(path, now_ms=0, sqlite_version=version)

    assert not path.parent.exists()


@pytest.mark.case("C01")
def test_the_first_safe_sqlite_is_accepted(path: Path) -> None:
    open_store(path, now_ms=0, sqlite_version="3.51.3").close()


@pytest.mark.promise("R167")
def test_the_digest_written_down_is_that_of_the_migrations() -> None:
    assert identity.expected_digest() == identity._KNOWN_DIGEST


def test_statistics_of_sqlite_are_no_alteration(path: Path, store: SqliteStore) -> None:
    store.connection().execute("ANALYZE")
    store.close()

    open_store(path, now_ms=0).close()


def test_a_store_in_rollback_mode_is_opened_in_wal(path: Path, store: SqliteStore) -> None:
    store.connection().pragma("journal_mode", "delete")
    store.close()

    again = open_store(path, now_ms=0)
    assert again.connection().pragma("journal_mode") == "wal"
    again.close()


def test_a_store_replaced_under_an_open_one_is_noticed(path: Path, store: SqliteStore) -> None:
    with_thread(store)
    other = path.with_name("other.db")
    open_store(other, now_ms=5).close()
    other.replace(path)
    log_of(path).unlink()
    path.with_name("memory.db-shm").unlink()

    with store.reading() as tables:
        assert tables.meta.created_at_ms() == 5
        assert tables.threads.listed() == ()


def test_a_store_removed_under_an_open_one_takes_no_more_words(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    path.unlink()

    with pytest.raises(StoreUnavailableError, match="is gone"):
        begun(store)


@pytest.mark.promise("R112")
def test_a_log_without_its_file_is_not_filled_into_a_new_one(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    path.unlink()
    before = files_in(path.parent)

    with pytest.raises(StoreDegradedError, match="write-ahead log is still there"):
        open_store(path, now_ms=0)
    assert files_in(path.parent) == before


@pytest.mark.case("C04")
def test_no_read_transaction_is_left_open_after_a_use(store: SqliteStore) -> None:
    with_thread(store)
    with store.reading() as tables:
        tables.threads.listed()
    with store.writing() as tables:
        tables.turns.counts()

    connection = store.connection()
    assert not connection.in_transaction
    assert connection.txn_state() == apsw.SQLITE_TXN_NONE
    assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0] == 0
