"""The book of calls to models: every call stays, and sums are right by day, purpose and thread."""

from typing import Any

from backstory.model.job import Call, CallOutcome, CallPurpose, Usage
from backstory.model.limits import DAY_MS
from backstory.ports.store import Store
from backstory.ports.store_rows import Grouping


def a_call(**fields: Any) -> Call:
    given: dict[str, Any] = {
        "at_ms": 5,
        "purpose": CallPurpose.EXTRACT,
        "model": "openai:gpt-test",
        "usage": Usage(tokens_in=100, tokens_out=20),
        "outcome": CallOutcome.OK,
        "duration_ms": 300,
        "nano_usd": 7_000,
        "session": "th_1",
    }
    return Call(**(given | fields))


def kept(store: Store, *calls: Call) -> None:
    with store.writing() as tables:
        for call in calls:
            tables.calls.add(call)


def test_calls_come_back_as_they_were_newest_first(store: Store) -> None:
    first = a_call(nano_usd=None, is_estimated=True, outcome=CallOutcome.CUT)
    second = a_call(at_ms=6, purpose=CallPurpose.TEST, session="")
    kept(store, first, second)

    with store.reading() as tables:
        assert tables.calls.latest(limit=9) == (second, first)
        assert tables.calls.latest(limit=1) == (second,)


def test_what_was_spent_counts_from_a_time_on_and_for_one_session(store: Store) -> None:
    kept(store, a_call(at_ms=1), a_call(at_ms=9), a_call(at_ms=9, session="th_2", nano_usd=None))

    with store.reading() as tables:
        assert tables.calls.spent(since_ms=0) == (360, 14_000)
        assert tables.calls.spent(since_ms=9) == (240, 7_000)
        assert tables.calls.spent(since_ms=0, session="th_2") == (120, 0)
        assert tables.calls.spent(since_ms=0, session="") == (0, 0)


def test_expenses_are_summed_up_by_what_calls_have_in_common(store: Store) -> None:
    kept(
        store,
        a_call(at_ms=DAY_MS - 1),
        a_call(at_ms=DAY_MS, purpose=CallPurpose.CONSOLIDATE, nano_usd=None),
        a_call(at_ms=DAY_MS + 1, outcome=CallOutcome.TRANSIENT, model="ollama:q", session="th_2"),
    )

    with store.reading() as tables:
        names = {
            by: [(one.name, one.calls) for one in tables.calls.expenses(by)] for by in Grouping
        }
        (later,) = tables.calls.expenses(Grouping.DAY, since_ms=DAY_MS)
    assert names[Grouping.DAY] == [("0", 1), ("1", 2)]
    assert names[Grouping.PURPOSE] == [("extract", 2), ("consolidate", 1)]
    assert names[Grouping.MODEL] == [("openai:gpt-test", 2), ("ollama:q", 1)]
    assert names[Grouping.SESSION] == [("th_1", 2), ("th_2", 1)]
    assert (later.usage.tokens, later.nano_usd, later.unpriced, later.failed) == (240, 7_000, 1, 1)
