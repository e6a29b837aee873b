"""Candidates: what was proposed is kept with its quotes, and what became of it with reasons."""

import pytest

from backstory.model.candidate import Claim, Draft, Reason, Refused
from backstory.model.errors import NotFoundError
from backstory.model.ids import CandidateId
from backstory.model.words import CandidateState, Intent, Kind
from backstory.ports.store import Store
from recorded import THREAD, said, with_thread
from remembering import a_candidate, a_quote

REASON = Reason(slug="question", message="it asks and decides nothing")


def a_refusal(statement: str = "shall we use tabs?", turn_id: str = "t_1") -> Refused:
    quote = a_quote(statement, turn_id=turn_id)
    draft = Draft(kind=Kind.CODE_CONVENTION, statement=statement, quotes=(quote,))
    return Refused(draft=draft, reasons=(REASON,))


def proposed(store: Store, statement: str = "use SQLite") -> CandidateId:
    with store.writing() as tables:
        return tables.candidates.add(a_candidate(statement), thread_id=None, now_ms=3)


def test_a_candidate_comes_back_as_it_was_and_waits(store: Store) -> None:
    with_thread(store)
    candidate = a_candidate(
        "采用 SQLite",
        intent=Intent.REPLACE,
        synopsis="数据库",
        aliases=("库",),
        keywords=("sqlite",),
        paths=("src/a.py",),
        claim=Claim(subject="database", value="sqlite", is_negative=True, paths=("src",)),
    )
    with store.writing() as tables:
        candidate_id = tables.candidates.add(candidate, thread_id=THREAD, now_ms=3)
        [(stored, back)] = tables.candidates.pending(limit=10)

    assert back == candidate
    assert (stored.id, stored.state, stored.thread_id) == (
        candidate_id,
        CandidateState.PENDING,
        THREAD,
    )


@pytest.mark.promise("R87")
def test_a_refusal_keeps_its_reasons_and_is_no_candidate(store: Store) -> None:
    with store.writing() as tables:
        candidate_id = tables.candidates.add(a_refusal(), thread_id=None, now_ms=3)
        found = tables.candidates.get(candidate_id)
        assert tables.candidates.pending(limit=10) == ()

    assert found is not None
    stored, candidate = found
    assert candidate is None
    assert (stored.state, stored.reasons) == (CandidateState.REFUSED, (REASON,))


def test_pending_candidates_come_oldest_first_up_to_the_limit(store: Store) -> None:
    ids = [proposed(store, f"use {name}") for name in ("a", "b", "c")]

    with store.reading() as tables:
        assert [stored.id for stored, _ in tables.candidates.pending(limit=2)] == ids[:2]


def test_a_decision_is_kept_with_its_reasons(store: Store) -> None:
    candidate_id = proposed(store)
    with store.writing() as tables:
        tables.candidates.decide(candidate_id, CandidateState.REFUSED, reasons=[REASON], now_ms=9)
        found = tables.candidates.get(candidate_id)

    assert found is not None
    assert found[0].state is CandidateState.REFUSED
    assert found[0].reasons == (REASON,)
    assert found[1] == a_candidate()


def test_a_waiting_candidate_can_still_be_decided_and_a_refused_one_cannot(store: Store) -> None:
    candidate_id = proposed(store)
    with store.writing() as tables:
        decide = tables.candidates.decide
        decide(candidate_id, CandidateState.WAITING, reasons=[REASON], now_ms=8)
        assert [stored.id for stored, _ in tables.candidates.waiting()] == [candidate_id]
        decide(candidate_id, CandidateState.REFUSED, reasons=[REASON], now_ms=9)
        assert tables.candidates.waiting() == ()

    with pytest.raises(NotFoundError), store.writing() as tables:
        tables.candidates.decide(candidate_id, CandidateState.ACCEPTED, now_ms=10)


@pytest.mark.promise("R87")
def test_a_refusal_without_a_reason_is_not_stored(store: Store) -> None:
    candidate_id = proposed(store)

    with pytest.raises(Exception, match="CHECK"), store.writing() as tables:
        tables.candidates.decide(candidate_id, CandidateState.REFUSED, now_ms=9)

    with store.reading() as tables:
        found = tables.candidates.get(candidate_id)
    assert found is not None
    assert found[0].state is CandidateState.PENDING


def test_what_a_turn_led_to_is_found_by_the_turn(store: Store) -> None:
    with_thread(store)
    turn_id = said(store, "use SQLite")
    with store.writing() as tables:
        candidate = a_candidate(quotes=(a_quote(turn_id=turn_id),))
        first = tables.candidates.add(candidate, thread_id=THREAD, now_ms=3)
        second = tables.candidates.add(a_refusal(turn_id=turn_id), thread_id=THREAD, now_ms=3)
        tables.candidates.add(a_candidate(), thread_id=THREAD, now_ms=3)

        assert [stored.id for stored in tables.candidates.of_turn(turn_id)] == [first, second]


def test_recent_ones_come_newest_first_by_state(store: Store) -> None:
    first, second = proposed(store), proposed(store)
    with store.writing() as tables:
        tables.candidates.add(a_refusal(), thread_id=None, now_ms=3)
        recent = tables.candidates.recent(limit=5, states=[CandidateState.PENDING])
        counts = tables.candidates.counts()

    assert [stored.id for stored in recent] == [second, first]
    assert counts == {CandidateState.PENDING: 2, CandidateState.REFUSED: 1}


def test_an_unknown_candidate_is_none(store: Store) -> None:
    with store.reading() as tables:
        assert tables.candidates.get(CandidateId("c_none")) is None


def test_withdrawals_that_met_nothing_are_kept_in_mind(store: Store) -> None:
    retract = Intent.RETRACT
    with store.writing() as tables:
        add, decide = tables.candidates.add, tables.candidates.decide
        unmet = add(a_candidate("drop it", intent=retract), thread_id=None, now_ms=3)
        pending = add(a_candidate("drop that", intent=retract), thread_id=None, now_ms=3)
        decide(unmet, CandidateState.ACCEPTED, now_ms=4)
        found = tables.candidates.unmet_withdrawals(limit=5)

    assert [stored.id for stored in found] == [unmet]
    assert pending != unmet
