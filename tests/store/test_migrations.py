"""A file of any version opens in this one with its rows, or stays as it was."""

from pathlib import Path

import apsw
import pytest

from backstory.model.errors import StoreUnavailableError
from backstory.store import SqliteStore, open_store
from backstory.store.file.identity import SCHEMA_VERSION, catalogue_of, expected_catalogue
from backstory.store.file.migrate import APPLICATION_ID, Migration, migrate, released
from recorded import files_in, said, with_thread

SCHEMA = Path(__file__).parents[2] / "src/backstory/store/schema.sql"
RELEASED = Path(__file__).parent / "released"

ADDS = Migration(number=2, name="0002_mood.sql", sql="ALTER TABLE turn ADD COLUMN mood TEXT;")
LOSES = Migration(number=2, name="0002_loses.sql", sql="DELETE FROM turn;")
DANGLES = Migration(number=2, name="0002_dangles.sql", sql="DELETE FROM thread;")
BREAKS = Migration(number=2, name="0002_breaks.sql", sql="DROP TABLE todo; DROP TABLE absent;")
# Rebuilding a parent must not take its children with it.
REBUILDS = Migration(
    number=2,
    name="0002_rebuilds.sql",
    sql="""
        CREATE TABLE thread_new (
            id TEXT PRIMARY KEY, host TEXT NOT NULL, host_key TEXT, is_active INTEGER NOT NULL,
            started_at_ms INTEGER NOT NULL, archived_at_ms INTEGER, summary TEXT NOT NULL,
            generation INTEGER NOT NULL) STRICT;
        INSERT INTO thread_new SELECT id, host, host_key, is_active, started_at_ms,
                                      archived_at_ms, summary, generation FROM thread;
        DROP TABLE thread;
        ALTER TABLE thread_new RENAME TO thread;
        """,
)


@pytest.mark.promise("R40")
def test_the_documented_schema_is_what_the_migrations_make() -> None:
    assert catalogue_of(SCHEMA.read_text(encoding="utf-8")) == expected_catalogue(SCHEMA_VERSION)


def test_migrations_are_numbered_from_one_without_a_gap() -> None:
    assert [step.number for step in released()] == list(range(1, SCHEMA_VERSION + 1))


@pytest.mark.promise("R113")
@pytest.mark.parametrize("number", range(1, SCHEMA_VERSION + 1))
def test_a_populated_store_of_every_released_version_opens_with_its_rows(
    path: Path, number: int
) -> None:
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute((RELEASED / f"{number:04}.sql").read_text(encoding="utf-8"))
    connection.close()

    store = open_store(path, now_ms=0)
    with store.reading() as tables:
        (turn,) = tables.turns.page(after_seq=0, limit=9)
        items = tables.items.of_turn(turn.id)
        assert turn.user_text == "数据库就用 SQLite。We use SQLite."
        assert len(items) == 1
        assert tables.connection.execute("PRAGMA foreign_key_check").fetchall() == []
    store.close()


def test_a_step_changes_the_schema_and_leaves_a_copy_of_the_file_before_it(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    said(store, "We use SQLite.")

    copies = migrate(store.connection(), path, migrations=[*released(), ADDS])

    assert [copy.name for copy in copies] == ["memory.db.before-schema-2"]
    assert store.connection().pragma("user_version") == 2
    assert store.connection().pragma("foreign_keys") == 1
    before = apsw.Connection(str(copies[0]))
    assert before.pragma("user_version") == 1
    assert before.pragma("application_id") == APPLICATION_ID
    assert before.execute("SELECT user_text FROM turn").fetchall() == [("We use SQLite.",)]
    before.close()


def test_a_step_that_was_done_is_not_done_again(path: Path, store: SqliteStore) -> None:
    migrate(store.connection(), path, migrations=[*released(), ADDS])

    assert migrate(store.connection(), path, migrations=[*released(), ADDS]) == ()


def test_rebuilding_a_table_keeps_the_rows_that_point_at_it(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    said(store, "We use SQLite.")

    migrate(store.connection(), path, migrations=[REBUILDS])

    assert store.connection().execute("SELECT count(*) FROM turn").fetchall() == [(1,)]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (LOSES, "rows would be lost from turn"),
        (DANGLES, "1 rows would point at nothing"),
        (BREAKS, "0002_breaks.*no such table"),
    ],
)
def test_a_step_that_fails_changes_nothing(
    path: Path, store: SqliteStore, step: Migration, message: str
) -> None:
    with_thread(store)
    said(store, "We use SQLite.")

    with pytest.raises(StoreUnavailableError, match=message):
        migrate(store.connection(), path, migrations=[step])

    store.close()
    again = open_store(path, now_ms=0)
    with again.reading() as tables:
        assert tables.turns.last_seq() == 1
    again.close()
    assert not [name for name in files_in(path.parent) if name.endswith(".part")]
