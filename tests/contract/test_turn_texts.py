"""Full text of turns: quoted terms, user words first, and nothing left once removed."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstory.ports.store import Store
from recorded import THREAD, said, with_thread


def test_user_words_weigh_more_than_those_of_an_answer(store: Store) -> None:
    with_thread(store)
    said(store, "one")
    said(store, "two")
    with store.writing() as tables:
        tables.turn_texts.put([(1, "filler words", "cursor"), (2, "cursor words", "filler")])

    with store.reading() as tables:
        ranked = tables.turn_texts.ranked(["cursor"], limit=9, answer_weight=0.5)

    assert [turn.seq for turn, _ in ranked] == [2, 1]
    assert tables.turn_texts is not None


def test_the_watermark_follows_the_highest_turn(store: Store) -> None:
    with store.writing() as tables:
        assert tables.turn_texts.watermark() == 0
        tables.turn_texts.put([(3, "a", ""), (7, "b", "")])

        assert tables.turn_texts.watermark() == 7
        tables.turn_texts.clear()
        assert tables.turn_texts.watermark() == 0


def test_removed_turns_are_not_found(store: Store) -> None:
    with_thread(store)
    said(store, "canary")
    with store.writing() as tables:
        tables.turn_texts.put([(1, "canary", "")])
        tables.turn_texts.remove([1])

    with store.reading() as tables:
        assert tables.turn_texts.ranked(["canary"], limit=9, answer_weight=0.5) == ()


def test_turns_are_found_by_their_places(store: Store) -> None:
    with_thread(store)
    said(store, "one")
    said(store, "two")

    with store.reading() as tables:
        at = tables.turn_texts.at([(THREAD, 1), (THREAD, 9)])

    assert [turn.user_text for turn in at] == ["two"]


@pytest.mark.case("C67")
@pytest.mark.parametrize("term", ['"', "NOT", "a*", "NEAR(", "x:y", "-", "悬空", "(", ""])
def test_no_term_is_read_as_an_expression(store: Store, term: str) -> None:
    with store.reading() as tables:
        assert tables.turn_texts.ranked([term], limit=3, answer_weight=0.5) == ()


@pytest.mark.case("C67")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(terms=st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=5))
def test_whatever_the_terms_are_the_query_runs(store: Store, terms: list[str]) -> None:
    with store.reading() as tables:
        tables.turn_texts.ranked(terms, limit=3, answer_weight=0.5)
