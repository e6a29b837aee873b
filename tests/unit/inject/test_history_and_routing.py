"""History and routing text stay within their budgets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.inject import history_of, routing_of
from backstory.inject.ages import age_in_words
from backstory.inject.history import history_turns
from backstory.inject.routing import routing_text
from backstory.model.ids import ThreadId, TurnId
from backstory.model.turn import Turn
from backstory.model.words import Kind, Speaker, Status, TurnState
from backstory.store import SqliteStore
from findable import DAY_MS, a_discussion, an_item, keep
from recorded import THREAD, a_thread, said, with_thread


def a_finished_turn(position: int, text: str, answer: str = "", **fields: object) -> Turn:
    given: dict[str, object] = {
        "id": TurnId(f"tu_{position}"),
        "seq": position,
        "thread_id": THREAD,
        "position": position,
        "speaker": Speaker.HUMAN,
        "user_text": text,
        "answer_text": answer,
        "state": TurnState.COMPLETED,
        "said_at_ms": 0,
        "recorded_at_ms": 0,
    }
    return Turn(**(given | fields))  # type: ignore[arg-type]


@pytest.mark.promise("R6", "R127")
@settings(max_examples=80)
@given(st.lists(st.tuples(st.text(max_size=9_000), st.text(max_size=9_000)), max_size=12))
def test_history_is_at_most_eight_turns_and_twelve_thousand_characters(
    texts: list[tuple[str, str]],
) -> None:
    turns = [a_finished_turn(n, text, answer) for n, (text, answer) in enumerate(texts)]

    kept = history_turns(turns)

    assert len(kept) <= 8
    assert sum(len(turn.user_text) + len(turn.answer_text) for turn in kept) <= 12_000
    assert [turn.position for turn in kept] == [
        t.position for t in turns[len(turns) - len(kept) :]
    ]


def test_the_newest_turn_is_cut_where_it_alone_is_too_long() -> None:
    (kept,) = history_turns([a_finished_turn(0, "q" * 100, "a" * 20_000)])

    assert kept.user_text == "q" * 100
    assert len(kept.answer_text) == 11_900


def test_failed_turns_are_no_history() -> None:
    assert history_turns([a_finished_turn(0, "q", state=TurnState.FAILED)]) == ()


def test_history_comes_from_the_thread_alone(store: SqliteStore) -> None:
    with_thread(store)
    said(store, "one", answer="1")

    with store.reading() as tables:
        assert [turn.user_text for turn in history_of(tables, THREAD)] == ["one"]
        assert history_of(tables, ThreadId("other")) == ()


@pytest.mark.promise("R128")
@settings(max_examples=60)
@given(
    texts=st.lists(st.text(min_size=1, max_size=900), max_size=30), chars_max=st.integers(0, 4_000)
)
def test_routing_is_at_most_four_thousand_characters(texts: list[str], chars_max: int) -> None:
    kinds = list(Kind)
    items = [
        an_item(f"i_{n}", statement=text, kind=kinds[n % len(kinds)], seq=n)
        for n, text in enumerate(texts)
        if kinds[n % len(kinds)] is not Kind.DISCUSSION_CONTEXT
    ]

    assert len(routing_text(items)) <= 4_000
    assert len(routing_text(items, chars_max=chars_max)) <= chars_max


@pytest.mark.promise("R122")
def test_routing_holds_five_of_a_sort_and_marks_what_is_only_discussed() -> None:
    items = [an_item(f"i_{n}", kind=Kind.USER_PREFERENCE, seq=n) for n in range(9)]
    items.append(a_discussion("i_talk", THREAD))
    items.append(an_item("i_old", kind=Kind.PROJECT_FACT, status=Status.STALE))

    text = routing_text(items)

    assert text.count("- [i_") == 6
    assert "not facts" in text
    assert "i_old" not in text


def test_routing_shows_only_the_discussions_of_its_thread(store: SqliteStore) -> None:
    other = ThreadId("th_2")
    with store.writing() as tables:
        tables.threads.add(a_thread(other))
    keep(store, a_discussion("i_talk", other))

    with store.reading() as tables:
        assert routing_of(tables, thread_id=THREAD) == ""
        assert "i_talk" in routing_of(tables, thread_id=other)


def test_ages_are_said_in_their_largest_unit() -> None:
    ages = [age_in_words(ms) for ms in (0, 90_000, DAY_MS, 15 * DAY_MS, 70 * DAY_MS, 800 * DAY_MS)]

    assert ages == [
        "new",
        "1 minute old",
        "1 day old",
        "2 weeks old",
        "2 months old",
        "2 years old",
    ]
