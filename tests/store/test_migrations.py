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
NEXT = SCHEMA_VERSION + 1

ADDS = Migration(number=NEXT, name="mood.sql", sql="ALTER TABLE turn ADD COLUMN mood TEXT;")
LOSES = Migration(number=NEXT, name="loses.sql", sql="DELETE FROM turn;")
DANGLES = Migration(number=NEXT, name="dangles.sql", sql="DELETE FROM thread;")
BREAKS = Migration(number=NEXT, name="breaks.sql", sql="DROP TABLE todo; DROP TABLE absent;")
# Rebuilding a parent must not take its children with it.
REBUILDS = Migration(
    number=NEXT,
    name="rebuilds.sql",
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


def test_every_version_before_this_one_is_kept_as_a_populated_store() -> None:
    kept = {int(path.stem) for path in RELEASED.glob("*.sql")}

    assert set(range(1, SCHEMA_VERSION)) <= kept


@pytest.mark.promise("R113")
@pytest.mark.case("C09")
@pytest.mark.parametrize("number", sorted(int(path.stem) for path in RELEASED.glob("*.sql")))
def test_a_populated_store_of_every_released_version_opens_with_its_rows(
    path: Path, number: int
) -> None:
    of_version(path, number)

    store = open_store(path, now_ms=0)
    with store.reading() as tables:
        (turn,) = tables.turns.page(after_seq=0, limit=9)
        items = tables.items.of_turn(turn.id)
        assert turn.user_text == "数据库就用 SQLite。We use SQLite."
        assert len(items) == 1
        assert tables.connection.execute("PRAGMA foreign_key_check").fetchall() == []
    store.close()


def of_version(path: Path, number: int, *, rows: str = "") -> None:
    """Put a populated store of an earlier version at `path`, with more rows in it."""
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute((RELEASED / f"{number:04}.sql").read_text(encoding="utf-8"))
    connection.execute(rows)
    connection.close()


_NOTED = """
    INSERT INTO episode (id, started_at_ms, ended_at_ms, summary, origin) VALUES
           ('e_noted', 5, 5, 1, 'manual'), ('e_worked', 5, 9, 1, 'manual'),
           ('e_other', 5, 5, 1, 'manual');
    INSERT INTO episode_summary (episode_id, number, objective, author, created_at_ms) VALUES
           ('e_noted', 1, 'Write docs.', 'human', 5), ('e_worked', 1, 'Write docs.', 'human', 5),
           ('e_other', 1, 'Write tests.', 'human', 5);
    INSERT INTO todo (episode_id, number, text, is_open) VALUES
           ('e_noted', 1, 'Write docs.', 1), ('e_worked', 1, 'Write docs.', 1),
           ('e_other', 1, 'Write docs.', 0);
"""


def test_what_stood_for_a_todo_alone_is_known_as_such_from_schema_2_on(path: Path) -> None:
    of_version(path, 1, rows=_NOTED)

    store = open_store(path, now_ms=0)
    rows = store.connection().execute("SELECT id, origin FROM episode ORDER BY id").fetchall()
    store.close()

    assert rows == [("e_noted", "todo"), ("e_other", "manual"), ("e_worked", "manual")]


@pytest.mark.case("C09")
def test_a_step_changes_the_schema_and_leaves_a_copy_of_the_file_before_it(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    said(store, "We use SQLite.")

    copies = migrate(store.connection(), path, migrations=[*released(), ADDS])

    assert [copy.name for copy in copies] == [f"memory.db.before-schema-{NEXT}"]
    assert store.connection().pragma("user_version") == NEXT
    assert store.connection().pragma("foreign_keys") == 1
    before = apsw.Connection(str(copies[0]))
    assert before.pragma("user_version") == SCHEMA_VERSION
    assert before.pragma("application_id") == APPLICATION_ID
    assert before.execute("SELECT user_text FROM turn").fetchall() == [("We use SQLite.",)]
    before.close()


def test_what_a_step_that_was_killed_left_of_its_copy_goes(path: Path, store: SqliteStore) -> None:
    half = path.with_name(f"{path.name}.before-schema-{NEXT}.0a1b2c3d.draft")
    kept = path.with_name(f"{path.name}.before-schema-{NEXT}.20260101")
    for file in (half, kept):
        file.write_text("half a copy")

    migrate(store.connection(), path, migrations=[*released(), ADDS])

    assert (half.exists(), kept.exists()) == (False, True)


def test_a_step_that_was_done_is_not_done_again(path: Path, store: SqliteStore) -> None:
    migrate(store.connection(), path, migrations=[*released(), ADDS])

    assert migrate(store.connection(), path, migrations=[*released(), ADDS]) == ()


@pytest.mark.case("C09")
def test_rebuilding_a_table_keeps_the_rows_that_point_at_it(
    path: Path, store: SqliteStore
) -> None:
    with_thread(store)
    said(store, "We use SQLite.")

    migrate(store.connection(), path, migrations=[REBUILDS])

    assert store.connection().execute("SELECT count(*) FROM turn").fetchall() == [(1,)]


@pytest.mark.case("C09")
@pytest.mark.parametrize(
    ("step", "message"),
    [
        (LOSES, "rows would be lost from turn"),
        (DANGLES, "1 rows would point at nothing"),
        (BREAKS, "breaks.*no such table"),
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
