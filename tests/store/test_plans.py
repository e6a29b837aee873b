"""Statements that run at every turn find their rows by an index."""

import re
from collections.abc import Callable

import pytest

from backstory.model.words import JobKind
from backstory.store import SqliteStore
from backstory.store.tables import SqliteTables
from recorded import THREAD, a_thread, a_turn, said, with_thread


def _begin_and_complete(tables: SqliteTables) -> None:
    turn = tables.turns.begin(a_turn(source_key="s:1"), now_ms=0, lease_ms=1)
    tables.turns.complete(turn, "done", now_ms=1)


def _neighbours(tables: SqliteTables) -> None:
    (turn,) = tables.turns.page(after_seq=0, limit=1)
    tables.turns.before(turn)
    tables.turns.after(turn)
    tables.turns.get(turn.id)


# Jobs that are not done yet are few, and so are episodes that a person has not ended: both have
# indexes of their own.
WHOLE = (
    r"SCAN (?!json_each|CONSTANT|meta|job USING INDEX job_(left|due)\b"
    r"|episode USING INDEX episode_begun_by_hand\b)"
)

HOT: dict[str, tuple[Callable[[SqliteTables], object], set[str]]] = {
    "begin and complete": (
        _begin_and_complete,
        {"sqlite_autoindex_turn_1", "sqlite_autoindex_turn_2", "sqlite_autoindex_turn_3"},
    ),
    "waiting": (lambda tables: tables.turns.waiting(THREAD, limit=4), {"turn_waiting"}),
    "history": (
        lambda tables: tables.turns.history(THREAD, limit=8),
        {"sqlite_autoindex_turn_3"},
    ),
    "expired": (lambda tables: tables.turns.threads_expired(now_ms=0), {"turn_open"}),
    "interrupt": (lambda tables: tables.turns.interrupt_expired(now_ms=0), {"turn_open"}),
    "neighbours": (_neighbours, {"sqlite_autoindex_turn_3"}),
    "claim": (lambda tables: tables.jobs.claim(now_ms=0, lease_ms=1), {"job_due"}),
    "is due": (lambda tables: tables.jobs.is_due(now_ms=0), {"job_due"}),
    "listed": (lambda tables: tables.jobs.listed(), {"job_left"}),
    "enqueue": (
        lambda tables: tables.jobs.enqueue(JobKind.EXTRACT, "x", due_at_ms=0, now_ms=0),
        set(),
    ),
    "turns of a period": (lambda tables: tables.periods.turns(0, 9, limit=9), {"turn_said"}),
    "events of a period": (lambda tables: tables.periods.events(0, 9, limit=9), {"event_at"}),
    "episodes of a period": (
        lambda tables: tables.episodes.within(0, 9, limit=9),
        {"episode_started", "episode_lasting"},
    ),
    "episode begun by hand": (
        lambda tables: tables.episodes.open_by_hand(),
        {"episode_begun_by_hand"},
    ),
    "episodes of a branch": (
        lambda tables: tables.story.with_branch("side", 9),
        {"episode_branch"},
    ),
    "active thread": (lambda tables: tables.threads.active("api"), {"thread_one_active"}),
    "host thread": (lambda tables: tables.threads.of_host("api", "k"), {"thread_host_key"}),
}


@pytest.mark.parametrize("name", sorted(HOT))
def test_a_hot_statement_reads_no_whole_table(store: SqliteStore, name: str) -> None:
    use, indexes = HOT[name]
    with_thread(store)
    said(store, "first")
    plans: list[str] = []
    with store.writing() as tables:
        statements = _traced(tables, use)
        for sql, bindings in statements:
            rows = tables.connection.execute(f"EXPLAIN QUERY PLAN {sql}", bindings).fetchall()
            plans += [str(row[3]) for row in rows]

    scans = [plan for plan in plans if re.match(WHOLE, plan)]
    assert not scans
    assert not [plan for plan in plans if "TEMP B-TREE FOR ORDER BY" in plan]
    assert indexes <= {word for plan in plans for word in re.findall(r"\w+", plan)}


def _traced(
    tables: SqliteTables, use: Callable[[SqliteTables], object]
) -> list[tuple[str, object]]:
    seen: list[tuple[str, object]] = []

    def note(_: object, sql: str, bindings: object) -> bool:
        seen.append((sql, bindings))
        return True

    tables.connection.exec_trace = note
    try:
        use(tables)
    finally:
        tables.connection.exec_trace = None
    return seen


def test_every_query_of_whole_turns_lists_the_columns_in_the_same_order(
    store: SqliteStore,
) -> None:
    from backstory.store.raw.turn_rows import TURN_COLUMNS

    with store.writing() as tables:
        tables.threads.add(a_thread())
        tables.turns.add_finished(a_turn(), "", now_ms=0)
        (turn,) = tables.turns.page(after_seq=0, limit=1)
        statements = _traced(
            tables,
            lambda _: (
                tables.turns.get(turn.id),
                tables.turns.before(turn),
                tables.turns.waiting(THREAD, limit=1),
                tables.turns.history(THREAD, limit=1),
                tables.turns.page(after_seq=0, limit=1),
            ),
        )

    listed = [re.search(r"SELECT(.*?)FROM", sql, re.DOTALL) for sql, _ in statements]
    assert [tuple(re.findall(r"\w+", found[1])) for found in listed if found] == [TURN_COLUMNS] * 5
