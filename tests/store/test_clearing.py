"""Clearing begins a new generation: all is gone, and late results of older ones are refused."""

from pathlib import Path

import pytest

from backstory.model.errors import IllegalOperationError, LeaseLostError
from backstory.model.words import JobKind
from backstory.store import SqliteStore, clear_store, write_export
from backstory.store.upkeep import clear
from backstory.store.upkeep.shape import EXPORTED
from recorded import THREAD, begun, files_in, remembered, said, with_thread


@pytest.mark.promise("R147")
def test_everything_is_gone_but_one_new_thread_and_the_users_choices(store: SqliteStore) -> None:
    with_thread(store)
    turn_id = said(store, "We use SQLite.")
    remembered(store, "m_1", statement="Use SQLite.", turn_id=turn_id, span=(0, 2))
    with store.writing() as tables:
        tables.meta.set_setting("review", "1")
        tables.jobs.enqueue(JobKind.EXTRACT, THREAD, due_at_ms=0, now_ms=0)

    cleared = clear_store(store, host="chat", thread_id="th_new", now_ms=7)

    assert cleared.generation == 2
    with store.reading() as tables:
        counts = {
            table: tables.connection.execute(f'SELECT count(*) FROM "{table}"').get
            for table in EXPORTED
        }
        (thread,) = tables.threads.listed()
        assert tables.meta.setting("review") == "1"
        assert tables.meta.created_at_ms() == 0
    assert {table for table, count in counts.items() if count} == {"thread", "setting"}
    assert (thread.id, thread.host, thread.is_active, thread.generation) == (
        "th_new",
        "chat",
        True,
        2,
    )


def test_a_move_of_episodes_ends_with_the_memory_that_it_was_of(store: SqliteStore) -> None:
    with store.writing() as tables:
        tables.story_order.begin(3)

    clear_store(store, host="chat", thread_id="th_new", now_ms=7)

    with store.reading() as tables:
        assert not tables.story_order.is_under_way()


@pytest.mark.promise("R114")
def test_what_was_begun_before_a_clear_cannot_be_ended_after_it(store: SqliteStore) -> None:
    with_thread(store)
    turn = begun(store)
    with store.writing() as tables:
        tables.jobs.enqueue(JobKind.EXTRACT, THREAD, due_at_ms=0, now_ms=0)
        lease = tables.jobs.claim(now_ms=0, lease_ms=100)
    assert lease is not None

    clear_store(store, host="chat", thread_id="th_new", now_ms=7)

    with pytest.raises(LeaseLostError, match="cleared"), store.writing() as tables:
        tables.turns.complete(turn, "late", now_ms=8)
    with pytest.raises(LeaseLostError, match="cleared"), store.writing() as tables:
        tables.jobs.finish(lease, now_ms=8)


@pytest.mark.promise("R147")
def test_words_are_gone_from_the_files_and_exports_stay(path: Path, store: SqliteStore) -> None:
    with_thread(store)
    said(store, "the canary-4711 sings")
    export = write_export(store, folder=path.parent / "exports", now_ms=0)

    clear_store(store, host="chat", thread_id="th_new", now_ms=7)

    holding = [name for name, content in files_in(path.parent).items() if b"canary" in content]
    assert holding == [f"exports/{export.name}"]


def test_after_a_clear_no_row_may_name_what_is_not_there(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear_store(store, host="chat", thread_id="th_new", now_ms=7)
    monkeypatch.setattr(clear, "_begin", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        clear_store(store, host="chat", thread_id="th_newer", now_ms=8)

    with pytest.raises(IllegalOperationError), store.writing() as tables:
        tables.connection.execute(
            "INSERT INTO posting (term, weight, document, fields) VALUES ('x', 1.0, 7, 1)"
        )


@pytest.mark.case("C03")
def test_tables_are_emptied_whole_and_not_row_by_row(store: SqliteStore) -> None:
    with_thread(store)
    for number in range(40):
        said(store, f"We use SQLite, number {number}.")
    steps = []
    store.connection().set_progress_handler(lambda: bool(steps.append(1)), 1)

    clear_store(store, host="chat", thread_id="th_new", now_ms=7)
    of_many = len(steps)
    steps.clear()
    clear_store(store, host="chat", thread_id="th_newer", now_ms=8)

    store.connection().set_progress_handler(None)
    assert of_many < len(steps) + 40
