"""A file that is not a sound store of ours is told exactly, and not one byte of it is touched."""

import struct
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from backstory.model.errors import StoreDegradedError
from backstory.store import DegradedStore, SqliteStore, open_store, start_over, write_export
from backstory.store.file.connect import log_of
from recorded import files_in, said, with_thread


def _patched(path: Path, offset: int, value: int) -> None:
    content = bytearray(path.read_bytes())
    content[offset : offset + 4] = struct.pack(">I", value)
    path.write_bytes(content)


def _altered(path: Path, sql: str) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(sql)
    connection.close()


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "newer": (lambda path: _patched(path, 60, 7), "written by a newer version.*schema is 7"),
    "foreign": (lambda path: _patched(path, 68, 0x1234), "another program.*0x1234"),
    "no id": (lambda path: _patched(path, 68, 0), "another program"),
    "no version": (lambda path: _patched(path, 60, 0), "no schema version"),
    "truncated": (
        lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
        "truncated",
    ),
    "cut header": (lambda path: path.write_bytes(path.read_bytes()[:50]), "not a SQLite database"),
    "zero length": (lambda path: path.write_bytes(b""), r"empty \(0 bytes\)"),
    "random bytes": (
        lambda path: path.write_bytes(bytes(range(1, 256)) * 40),
        "not a SQLite database",
    ),
    "directory": (_directory, "is a directory"),
    "table gone": (lambda path: _altered(path, "DROP TABLE todo"), "table todo is missing"),
    "column more": (
        lambda path: _altered(path, "ALTER TABLE turn ADD COLUMN mood TEXT"),
        "table turn was altered",
    ),
    "trigger": (
        lambda path: _altered(
            path, "CREATE TRIGGER spy AFTER INSERT ON turn BEGIN DELETE FROM turn; END"
        ),
        "trigger spy is not ours",
    ),
    "index gone": (lambda path: _altered(path, "DROP INDEX job_due"), "index job_due is missing"),
    "check gone": (
        lambda path: _altered(
            path, "DROP TABLE setting; CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT)"
        ),
        "table setting was altered",
    ),
    "page of noise": (
        lambda path: path.write_bytes(path.read_bytes()[:100] + b"\xff" * 4_000 + b"\0" * 400_000),
        "damaged",
    ),
}


@pytest.mark.promise("R113", "R167")
@pytest.mark.parametrize("kind", sorted(DAMAGE))
@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_what_is_not_a_sound_store_is_told_and_left_untouched(
    path: Path, store: SqliteStore, kind: str, mode: str
) -> None:
    damage, message = DAMAGE[kind]
    with_thread(store)
    store.connection().pragma("journal_mode", mode)
    store.close()
    damage(path)
    before = files_in(path.parent)

    with pytest.raises(StoreDegradedError, match=message):
        open_store(path, now_ms=1)

    assert files_in(path.parent) == before


@pytest.mark.promise("R168")
def test_an_altered_store_with_words_in_its_log_keeps_file_and_log(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    store.connection().execute("CREATE TABLE other (a)")
    before = files_in(path.parent)
    copies = path.parent.parent / "copy"
    copies.mkdir()
    for name in ("memory.db", "memory.db-wal"):
        (copies / name).write_bytes(before[name])

    with pytest.raises(StoreDegradedError, match="table other is not ours"):
        open_store(copies / "memory.db", now_ms=1)

    after = files_in(copies)
    assert after["memory.db"] == before["memory.db"]
    assert after["memory.db-wal"] == before["memory.db-wal"]


@pytest.mark.promise("R169")
def test_what_can_be_read_of_a_degraded_store_is_shown_and_nothing_written(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    turn_id = said(store, "We use SQLite.")
    store.close()
    _altered(path, "CREATE TABLE other (a)")
    before = files_in(path.parent)
    degraded = DegradedStore(path, "table other is not ours")

    with degraded.reading() as tables:
        assert tables.turns.get(turn_id) is not None
    with pytest.raises(StoreDegradedError, match="other is not ours"):
        degraded.writing()
    assert degraded.generation() == 1
    assert files_in(path.parent) == before


def test_words_that_are_only_in_the_log_of_a_degraded_store_are_shown(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    turn_id = said(store, "We use SQLite.")
    degraded = DegradedStore(path, "for the test")
    before = files_in(path.parent)

    with degraded.reading() as tables:
        assert tables.turns.get(turn_id) is not None
    assert files_in(path.parent) == before


@pytest.mark.promise("R170")
def test_what_cannot_be_read_is_an_error_and_never_an_empty_answer(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"noise" * 5_000)
    degraded = DegradedStore(path, "not a SQLite database")

    with pytest.raises(StoreDegradedError, match="cannot be read"), degraded.reading() as tables:
        tables.threads.listed()


@pytest.mark.promise("R169")
def test_an_export_of_a_degraded_store_holds_the_rest_and_names_what_is_gone(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    said(store, "We use SQLite.")
    store.close()
    _altered(path, "DROP TABLE todo")

    written = write_export(
        DegradedStore(path, "table todo is missing"), folder=path.parent / "exports", now_ms=0
    ).read_text()

    assert "We use SQLite." in written
    assert "todo: the table is missing" in written


@pytest.mark.promise("R112")
def test_starting_over_keeps_the_broken_store_beside_the_new_one(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    with store.writing() as tables:
        store.connection().execute("UPDATE meta SET generation = 4")
        project_id = tables.meta.project_id()
    store.close()
    _altered(path, "CREATE TABLE other (a)")
    broken = path.read_bytes()

    cleared = start_over(
        DegradedStore(path, "broken"), host="chat", thread_id="th_new", now_ms=1_000
    )

    assert cleared.generation == 5
    assert [kept.name for kept in cleared.kept] == ["memory.db.damaged-19700101T000001Z"]
    assert cleared.kept[0].read_bytes() == broken
    again = open_store(path, now_ms=9)
    with again.reading() as tables:
        assert tables.meta.generation() == 5
        assert tables.meta.created_at_ms() == 1_000  # 0 is no valid time
        assert tables.meta.project_id() == project_id
        assert [thread.id for thread in tables.threads.listed()] == ["th_new"]
    again.close()


@pytest.mark.promise("R166")
@pytest.mark.parametrize("kind", ["zero length", "random bytes", "directory", "truncated"])
def test_starting_over_works_where_nothing_can_be_read(
    path: Path, store: SqliteStore, kind: str
) -> None:
    with_thread(store)
    store.close()
    DAMAGE[kind][0](path)

    start_over(DegradedStore(path, kind), host="chat", thread_id="th_new", now_ms=1_000)

    again = open_store(path, now_ms=9)
    with again.reading() as tables:
        assert tables.meta.generation() >= 1
    again.close()
    assert path.with_name("memory.db.damaged-19700101T000001Z").exists()


def test_starting_over_twice_in_one_second_overwrites_nothing(path: Path) -> None:
    path.parent.mkdir()
    for content in (b"first", b"second"):
        path.write_bytes(content)
        log_of(path).write_bytes(content)
        start_over(DegradedStore(path, "broken"), host="chat", thread_id="th_1", now_ms=1_000)

    kept = files_in(path.parent)
    assert kept["memory.db.damaged-19700101T000001Z"] == b"first"
    assert kept["memory.db.damaged-19700101T000001Z-2"] == b"second"
    assert kept["memory.db.damaged-19700101T000001Z-2-wal"] == b"second"
