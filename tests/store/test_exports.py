"""An export gives everything back, overwrites nothing, and a bad file is told line by line."""

import json
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstory.model.errors import (
    StoreUnavailableError,
    UnreadableInputError,
    UsageError,
)
from backstory.model.event import NewEvent
from backstory.model.ids import ThreadId
from backstory.model.job import Call, CallOutcome, CallPurpose, Usage
from backstory.model.words import Action, EventKind, JobKind, Status
from backstory.ports.store_rows import Stamp, Tombstone
from backstory.store import (
    SqliteStore,
    clear_store,
    is_export,
    open_store,
    restore_export,
    write_export,
    write_export_to,
)
from backstory.store.upkeep.shape import EXPORTED, columns_of, listed
from findable import an_episode, keep
from recorded import THREAD, files_in, remembered, said, with_thread

AT_MS = 1_700_000_000_000


@pytest.fixture
def filled(store: SqliteStore) -> SqliteStore:
    """A store with a row in every table that matters, statuses and an open turn included."""
    with_thread(store)
    first = said(store, "数据库就用 SQLite。\0 end", answer="好的", source_key="s:1")
    second = said(store, "Switch to Postgres.")
    old = remembered(store, "m_old", statement="用 SQLite", turn_id=first, span=(0, 5))
    new = remembered(store, "m_new", statement="Use Postgres.", turn_id=second, span=(0, 6))
    gone = remembered(store, "m_gone", statement="Use tabs.", turn_id=second, span=(7, 9))
    with store.writing() as tables:
        for item_id, status, action in (
            (old, Status.SUPERSEDED, Action.SUPERSEDE),
            (gone, Status.FORGOTTEN, Action.FORGET),
        ):
            tables.items.set_status(
                item_id,
                status,
                action=action,
                stamp=Stamp(batch="b_2", actor="human", reason="said anew", at_ms=5),
                superseded_by=new if status is Status.SUPERSEDED else None,
            )
        tables.items.add_tombstone(
            Tombstone(item_id=gone, claim_key="k", fingerprint="f", turn_seq=2, at_ms=5)
        )
        event = NewEvent(kind=EventKind.COMMIT, at_ms=1, payload={"sha": "1a"}, thread_id=THREAD)
        tables.events.add(event, text="x", now_ms=2)
        tables.jobs.enqueue(JobKind.EXTRACT, THREAD, due_at_ms=0, now_ms=0)
        lease = tables.jobs.claim(now_ms=0, lease_ms=10)
        assert lease is not None
        tables.jobs.bury(lease, error="the model said nothing", now_ms=1)
        tables.meta.set_setting("review", "1")
    return store


def rows_of(store: SqliteStore) -> dict[str, list[Any]]:
    with store.reading() as tables:
        found = {}
        for table in EXPORTED:
            columns = columns_of(tables.connection, table)
            sql = f'SELECT {listed(columns)} FROM "{table}" ORDER BY 1, 2'
            found[table] = tables.connection.execute(sql).fetchall()
        return found


@pytest.mark.promise("R148")
@pytest.mark.case("C119")
def test_an_export_reads_back_into_an_empty_store_as_it_was(
    path: Path, filled: SqliteStore
) -> None:
    export = write_export(filled, folder=path.parent / "exports", now_ms=AT_MS)
    empty = open_store(path.with_name("other.db"), now_ms=AT_MS)

    counts = restore_export(empty, export)

    assert rows_of(empty) == rows_of(filled)
    assert counts["item"] == 3
    with empty.reading() as tables, filled.reading() as before:
        assert tables.items.story("m_old") == before.items.story("m_old")
        assert tables.items.changes() == before.items.changes()
        assert tables.meta.created_at_ms() == 0
    empty.close()


def test_an_export_of_the_copy_is_the_same_but_for_where_it_is_from(
    path: Path, filled: SqliteStore
) -> None:
    first = write_export(filled, folder=path.parent / "exports", now_ms=AT_MS)
    empty = open_store(path.with_name("other.db"), now_ms=AT_MS)
    restore_export(empty, first)
    second = write_export(empty, folder=path.parent / "exports", now_ms=AT_MS)

    assert json.loads(first.read_text())["tables"] == json.loads(second.read_text())["tables"]
    empty.close()


@pytest.mark.promise("R148")
def test_a_new_export_never_overwrites_an_older_one(path: Path, store: SqliteStore) -> None:
    folder = path.parent / "exports"
    names = [write_export(store, folder=folder, now_ms=AT_MS).name for _ in range(3)]

    assert names == [
        "backstory-20231114T221320Z.json",
        "backstory-20231114T221320Z-2.json",
        "backstory-20231114T221320Z-3.json",
    ]
    assert sorted(files_in(folder)) == sorted(names)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


def test_an_export_to_a_name_that_is_taken_is_refused(path: Path, store: SqliteStore) -> None:
    taken = path.parent / "mine.json"
    taken.write_text("mine")

    with pytest.raises(StoreUnavailableError, match="never overwrites"):
        write_export_to(store, taken, now_ms=AT_MS)
    written = write_export_to(store, path.parent / "other.json", now_ms=AT_MS)

    assert taken.read_text() == "mine"
    assert is_export(written)
    assert not is_export(taken)
    assert {"mine.json", "other.json"} <= set(files_in(path.parent))
    assert not [name for name in files_in(path.parent) if name.endswith((".part", "Z.json"))]


def test_a_store_that_holds_something_takes_no_export(path: Path, filled: SqliteStore) -> None:
    export = write_export(filled, folder=path.parent / "exports", now_ms=AT_MS)
    before = rows_of(filled)

    with pytest.raises(UsageError, match="not empty"):
        restore_export(filled, export)
    assert rows_of(filled) == before


def test_an_empty_thread_and_choices_of_the_store_are_no_hindrance(
    path: Path, filled: SqliteStore
) -> None:
    export = write_export(filled, folder=path.parent / "exports", now_ms=AT_MS)
    empty = open_store(path.with_name("other.db"), now_ms=AT_MS)
    with_thread(empty, "th_other")
    with empty.writing() as tables:
        tables.meta.set_setting("review", "0")

    restore_export(empty, export)

    with empty.reading() as tables:
        assert [thread.id for thread in tables.threads.listed()] == [THREAD]
        assert tables.meta.setting("review") == "0"
    empty.close()


def test_calls_that_were_paid_count_once_after_clearing_and_beside_those_of_the_store(
    path: Path, filled: SqliteStore
) -> None:
    twins = [a_call(at_ms=1, tokens=10), a_call(at_ms=1, tokens=10), a_call(at_ms=2, tokens=100)]
    with filled.writing() as tables:
        for call in twins:
            tables.calls.add(call)
    export = write_export(filled, folder=path.parent / "exports", now_ms=AT_MS)
    other = open_store(path.with_name("other.db"), now_ms=AT_MS)
    with other.writing() as tables:
        tables.calls.add(a_call(at_ms=3, tokens=1_000))
        tables.jobs.enqueue(JobKind.EXTRACT, THREAD, due_at_ms=0, now_ms=0)
    with_thread(other)

    for store, expected in ((filled, 120), (other, 1_120), (other, 1_120)):
        clear_store(store, host="cli", thread_id=ThreadId("th_new"), now_ms=AT_MS)
        restore_export(store, export)
        with store.reading() as tables:
            assert tables.calls.spent(since_ms=0)[0] == expected
    other.close()


def a_call(*, at_ms: int, tokens: int) -> Call:
    return Call(
        at_ms=at_ms,
        purpose=CallPurpose.EXTRACT,
        model="ollama:small",
        session="",
        usage=Usage(tokens_in=tokens, tokens_out=0),
        is_estimated=False,
        nano_usd=None,
        outcome=CallOutcome.OK,
        duration_ms=0,
    )


def _without(export: dict[str, Any], *way: str) -> None:
    for name in way[:-1]:
        export = export[name]
    del export[way[-1]]


BAD: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "format": (lambda e: e.update(format="other"), "not an export of Backstory"),
    "version": (lambda e: e.update(version=9), "its version is 9"),
    "schema": (lambda e: e.update(schema=9), "its schema is 9"),
    "table": (lambda e: _without(e, "tables", "turn"), "table turn is missing"),
    "row lost": (lambda e: e["tables"]["turn"].pop(), "turn has 1 rows, 2 were written"),
    "foreign table": (lambda e: e["tables"].update(spy=[]), "table spy is not ours"),
    "column": (
        lambda e: _without(e["tables"]["turn"][0], "user_text"),
        "turn, row 1: columns are missing or not ours: user_text",
    ),
    "type": (
        lambda e: e["tables"]["turn"][0].update(position="0"),
        "turn, row 1: position is not integer",
    ),
    "state": (lambda e: e["tables"]["turn"][1].update(state="gone"), "turn, row 2: CHECK"),
    "dangling": (
        lambda e: e["tables"]["evidence"][0].update(turn_id="t_x"),
        "evidence: a row names a turn that is not there",
    ),
    "not an object": (lambda e: e["tables"]["turn"].__setitem__(0, 7), "row 1: it is not an obj"),
    "huge": (lambda e: e["tables"]["turn"][0].update(seq=2**70), "turn, row 1:"),
}


@pytest.mark.parametrize("kind", sorted(BAD))
def test_a_bad_export_is_told_exactly_and_changes_nothing(
    path: Path, filled: SqliteStore, kind: str
) -> None:
    spoil, message = BAD[kind]
    export = write_export(filled, folder=path.parent / "exports", now_ms=AT_MS)
    content = json.loads(export.read_text())
    spoil(content)
    export.write_text(json.dumps(content))
    empty = with_thread(open_store(path.with_name("other.db"), now_ms=AT_MS), "th_other")

    with pytest.raises(UnreadableInputError, match=message):
        restore_export(empty, export)  # type: ignore[arg-type]

    assert isinstance(empty, SqliteStore)
    assert [table for table, rows in rows_of(empty).items() if rows] == ["thread"]
    empty.close()


def test_an_export_of_the_schema_before_is_read_back_as_its_store_would_be_migrated(
    path: Path, filled: SqliteStore
) -> None:
    noted = an_episode("e_noted", objective="rotate keys", todos=["rotate keys"])
    worked = an_episode("e_worked", objective="rotate keys", todos=["count keys"])
    keep(filled, replace(noted, origin="manual"), replace(worked, origin="manual"))
    export = write_export(filled, folder=path.parent / "exports", now_ms=AT_MS)
    content = json.loads(export.read_text())
    content["schema"] = 1
    export.write_text(json.dumps(content))
    empty = open_store(path.with_name("other.db"), now_ms=AT_MS)

    restore_export(empty, export)

    with empty.reading() as tables:
        assert tables.episodes.newest(limit=9) == (worked.id,)
        assert [one.todo.text for one in tables.episodes.todos(limit=9)] == [
            "count keys",
            "rotate keys",
        ]
    assert rows_of(empty)["item"] == rows_of(filled)["item"]
    empty.close()


def test_all_problems_of_a_file_are_listed_at_once(path: Path, filled: SqliteStore) -> None:
    export = write_export(filled, folder=path.parent / "exports", now_ms=AT_MS)
    content = json.loads(export.read_text())
    content["tables"]["turn"][0]["state"] = "gone"
    content["tables"]["item"][1]["kind"] = "mood"
    export.write_text(json.dumps(content))
    empty = open_store(path.with_name("other.db"), now_ms=AT_MS)

    with pytest.raises(UnreadableInputError) as raised:
        restore_export(empty, export)

    assert "turn, row 1" in str(raised.value)
    assert "item, row 2" in str(raised.value)
    empty.close()


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(cut=st.floats(min_value=0, max_value=0.999))
def test_an_export_that_was_cut_anywhere_is_refused(
    path: Path, filled: SqliteStore, cut: float
) -> None:
    export = path.parent / "cut.json"
    export.unlink(missing_ok=True)
    write_export_to(filled, export, now_ms=AT_MS)
    content = export.read_bytes()
    export.write_bytes(content[: int(len(content) * cut)])
    empty = open_store(path.with_name("other.db"), now_ms=AT_MS)

    with pytest.raises(UnreadableInputError):
        restore_export(empty, export)
    empty.close()
