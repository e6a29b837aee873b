"""Recall costs a constant number of statements and writes nothing."""

from collections.abc import Callable

import apsw
import pytest

from backstory.model.recall import Cues, Question
from backstory.recall import recall
from backstory.store import SqliteStore
from findable import NOW_MS, an_episode, an_item, keep

QUESTIONS = (
    Question(text="what did we decide about cursor paging?"),
    Question(text="what did we do about curser pagination last week?"),
    Question(text="游标分页为什么这样做"),
    Question(cues=Cues(files=("src/http/page.ts",), branch="b", ticket="T-1")),
)


def statements(store: SqliteStore, run: Callable[[], object]) -> list[str]:
    seen: list[str] = []
    connection = store.connection()

    def note(_: apsw.Cursor, sql: str, __: object) -> bool:
        seen.append(sql)
        return True

    connection.exec_trace = note
    try:
        run()
    finally:
        connection.exec_trace = None
    return seen


def ask(store: SqliteStore, question: Question) -> None:
    with store.reading() as tables:
        recall(tables, question, now_ms=NOW_MS)


def filled(store: SqliteStore, count: int) -> SqliteStore:
    keep(
        store,
        *(
            an_item(f"i{n}", title=f"Cursor paging {n} 游标分页", paths=("src/http/page.ts",))
            for n in range(count)
        ),
        *(an_episode(f"e{n}", objective=f"Cursor paging {n}", branch="b") for n in range(40)),
    )
    return store


@pytest.mark.promise("R124")
@pytest.mark.case("C117")
@pytest.mark.parametrize("number", range(len(QUESTIONS)))
def test_five_thousand_items_cost_as_many_statements_as_fifty(
    store: SqliteStore, number: int
) -> None:
    question = QUESTIONS[number]
    few = statements(filled(store, 50), lambda: ask(store, question))
    keep(store, *(an_item(f"x{n}", title=f"Cursor paging {n}") for n in range(4_950)))
    many = statements(store, lambda: ask(store, question))

    assert len(many) <= len(few)
    # Counts, spellings and matches; the time's episodes; items; episodes; and the transaction.
    assert len(many) <= 6 + 4


def test_recall_writes_nothing(store: SqliteStore) -> None:
    filled(store, 5)
    before = store.connection().total_changes()
    for question in QUESTIONS:
        ask(store, question)

    assert store.connection().total_changes() == before
