"""File systems without hard links, and errors of the machine, are met with the same promises."""

from pathlib import Path

import apsw
import pytest

from backstory.model.errors import (
    IllegalOperationError,
    StoreDegradedError,
    StoreUnavailableError,
    UnreadableInputError,
)
from backstory.store import DegradedStore, SqliteStore, db, open_store, start_over, write_export
from backstory.store.file import migrate
from backstory.store.file.create import make_store
from backstory.store.file.failures import translated
from backstory.store.file.identity import SCHEMA_VERSION
from backstory.store.file.migrate import Migration
from recorded import files_in, said, with_thread

NEXT = SCHEMA_VERSION + 1


@pytest.fixture
def _no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(1, "no hard links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)


@pytest.mark.usefixtures("_no_links")
def test_a_store_is_made_and_not_made_twice_without_hard_links(path: Path) -> None:
    open_store(path, now_ms=0).close()
    before = path.read_bytes()

    assert not make_store(path, now_ms=9)
    assert files_in(path.parent) == {"memory.db": before}


@pytest.mark.usefixtures("_no_links")
def test_exports_and_broken_stores_are_kept_apart_without_hard_links(
    path: Path, store: SqliteStore
) -> None:
    folder = path.parent / "exports"
    names = [write_export(store, folder=folder, now_ms=0).name for _ in range(2)]
    store.close()
    path.write_bytes(b"noise")
    start_over(DegradedStore(path, "noise"), host="chat", thread_id="th_1", now_ms=1_000)

    assert sorted(files_in(folder)) == sorted(names)
    assert path.with_name("memory.db.damaged-19700101T000001Z").read_bytes() == b"noise"
    open_store(path, now_ms=0).close()


def test_a_place_that_cannot_hold_a_store_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StoreUnavailableError, match="cannot be opened"):
        open_store(tmp_path / "file" / "memory.db", now_ms=0)


def test_a_place_that_cannot_hold_an_export_is_told(path: Path, store: SqliteStore) -> None:
    (path.parent / "exports").mkdir()
    (path.parent / "exports").chmod(0o700)
    (path.parent / "taken").write_text("in the way")

    with pytest.raises((StoreUnavailableError, OSError)):
        write_export(store, folder=path.parent / "taken" / "exports", now_ms=0)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (apsw.FullError("x"), StoreUnavailableError, "disk is full"),
        (apsw.BusyError("x"), StoreUnavailableError, "another process"),
        (apsw.IOError("x"), StoreUnavailableError, "failed to read or write"),
        (apsw.ReadOnlyError("x"), StoreUnavailableError, "read-only"),
        (apsw.SQLError("x"), StoreUnavailableError, "x"),
        (apsw.CorruptError("x"), StoreDegradedError, "is damaged"),
        (apsw.NotADBError("x"), StoreDegradedError, "is damaged"),
        (apsw.ConstraintError("x"), IllegalOperationError, "refuses"),
        (apsw.TooBigError("x"), UnreadableInputError, "too large"),
    ],
)
def test_every_error_of_sqlite_has_words_for_a_person(
    path: Path, error: apsw.Error, kind: type[Exception], words: str
) -> None:
    told = translated(path, error)

    assert type(told) is kind
    assert words in str(told)


def test_an_older_store_is_brought_up_to_date_when_it_is_opened(
    path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(with_thread(store), "We use SQLite.")
    store.close()
    step = Migration(number=NEXT, name="mood.sql", sql="ALTER TABLE turn ADD COLUMN mood TEXT;")
    steps = (*migrate.released(), step)
    monkeypatch.setattr(db, "SCHEMA_VERSION", NEXT)
    monkeypatch.setattr(db, "released", lambda: steps)

    again = open_store(path, now_ms=0)
    assert again.connection().pragma("user_version") == NEXT
    with again.reading() as tables:
        assert tables.turns.last_seq() == 1
    again.close()
    # The program of before refuses what it does not know, and touches nothing.
    monkeypatch.undo()
    before = files_in(path.parent)
    with pytest.raises(StoreDegradedError, match="newer version"):
        open_store(path, now_ms=0)
    assert files_in(path.parent) == before


def test_an_older_store_that_may_not_be_written_says_what_to_do(
    path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    monkeypatch.setattr(db, "SCHEMA_VERSION", NEXT)
    monkeypatch.setattr(db, "is_writable", lambda _: False)

    with pytest.raises(StoreDegradedError, match="open it once where it can be written"):
        open_store(path, now_ms=0)
