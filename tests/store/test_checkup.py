"""A sound store has nothing wrong with it, and each thing that can be wrong is found."""

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from backstory.model.words import JobKind
from backstory.store import DegradedStore, SqliteStore, check_store
from backstory.store.upkeep import checkup
from recorded import THREAD, remembered, said, with_thread


@pytest.fixture
def filled(store: SqliteStore) -> SqliteStore:
    with_thread(store)
    turn_id = said(store, "We use SQLite.")
    remembered(store, "m_1", statement="Use SQLite.", turn_id=turn_id, span=(0, 14))
    return store


def _slugs(store: SqliteStore | DegradedStore) -> set[str]:
    return {finding.slug for finding in check_store(store)}


def test_nothing_is_wrong_with_a_sound_store(filled: SqliteStore) -> None:
    assert check_store(filled) == ()


def _run(sql: str) -> Callable[[SqliteStore], object]:
    return lambda store: store.connection().execute(f"PRAGMA foreign_keys = OFF; {sql}")


def _bury(store: SqliteStore) -> None:
    with store.writing() as tables:
        tables.jobs.enqueue(JobKind.EXTRACT, THREAD, due_at_ms=0, now_ms=0)
        lease = tables.jobs.claim(now_ms=0, lease_ms=1)
        assert lease is not None
        tables.jobs.bury(lease, error="e", now_ms=0)


WRONG: dict[str, Callable[[SqliteStore], object]] = {
    "dangling-row": _run("DELETE FROM thread"),
    "meta-missing": _run("DELETE FROM meta"),
    "unproved-item": _run("DELETE FROM evidence"),
    "misquoted-item": _run("UPDATE evidence SET end_char = 99"),
    "dead-job": _bury,
    "open-to-others": lambda store: store.path.chmod(0o644),
}


@pytest.mark.parametrize("slug", sorted(WRONG))
def test_each_thing_that_is_wrong_is_found(filled: SqliteStore, slug: str) -> None:
    WRONG[slug](filled)

    assert _slugs(filled) == {slug}


def test_an_index_that_lost_its_rows_is_found(path: Path, filled: SqliteStore) -> None:
    connection = filled.connection()
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(
        """UPDATE sqlite_schema SET sql = 'CREATE INDEX evidence_turn ON evidence (role)
            WHERE turn_id IS NOT NULL' WHERE name = 'evidence_turn'"""
    )
    filled.close()

    degraded = DegradedStore(path, "index evidence_turn was altered")
    assert {"degraded", "index-corrupt"} <= _slugs(degraded)


def test_a_store_that_cannot_be_read_says_so_for_each_part(path: Path) -> None:
    path.parent.mkdir(mode=0o700)
    path.write_bytes(b"noise" * 2_000)
    path.chmod(0o600)

    assert _slugs(DegradedStore(path, "noise")) == {"degraded", "unreadable"}


@pytest.mark.case("C04")
def test_a_log_that_is_never_emptied_is_found(
    filled: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkup, "_LOG_BYTES_WARNED", 10)

    assert _slugs(filled) == {"log-grows"}


@pytest.mark.case("C01")
def test_an_unsafe_sqlite_is_found(filled: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.50.4")

    assert _slugs(filled) == {"unsafe-sqlite"}
