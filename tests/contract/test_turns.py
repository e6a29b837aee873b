"""Turns: verbatim, in order, finished once, by whoever holds them."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstory.model.errors import IllegalOperationError, LeaseLostError
from backstory.model.ids import ThreadId, TurnId
from backstory.model.words import Action, Role, Speaker, Status, TurnState
from backstory.ports.store import Store
from backstory.ports.store_rows import Stamp
from recorded import LEASE_MS, THREAD, a_thread, a_turn, begun, remembered, said, with_thread

OTHER = ThreadId("th_2")


@pytest.mark.promise("R57")
def test_a_turn_is_stored_before_its_answer_is_known(store: Store) -> None:
    with_thread(store)
    turn = begun(store, "以后都用中文回答", now_ms=7, said_at_ms=5, branch="main")

    with store.reading() as tables:
        stored = tables.turns.get(turn.id)

    assert stored is not None
    assert stored.user_text == "以后都用中文回答"
    assert (stored.state, stored.position, stored.seq) == (TurnState.OPEN, 0, 1)
    assert (stored.said_at_ms, stored.recorded_at_ms, stored.branch) == (5, 7, "main")


@pytest.mark.promise("R59")
@pytest.mark.case("C67")
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    user=st.text(alphabet=st.characters(exclude_categories=["Cs"])),
    answer=st.text(alphabet=st.characters(exclude_categories=["Cs"])),
)
def test_any_text_comes_back_as_it_was(store: Store, user: str, answer: str) -> None:
    with store.writing() as tables:
        if tables.threads.get(THREAD) is None:
            tables.threads.add(a_thread())
        turn_id = tables.turns.add_finished(a_turn(user), answer, now_ms=0)

    with store.reading() as tables:
        assert turn_id is not None
        stored = tables.turns.get(turn_id)

    assert stored is not None
    assert (stored.user_text, stored.answer_text) == (user, answer)


@pytest.mark.promise("R59")
@pytest.mark.case("C112")
def test_a_text_of_five_million_characters_is_stored_whole(store: Store) -> None:
    with_thread(store)
    text = "记住\0" + "a" * 5_000_000 + "end"
    turn_id = said(store, text)

    with store.reading() as tables:
        stored = tables.turns.get(turn_id)

    assert stored is not None
    assert stored.user_text == text


def test_a_turn_is_finished_once(store: Store) -> None:
    with_thread(store)
    turn = begun(store)
    with store.writing() as tables:
        tables.turns.complete(turn, "done", now_ms=9)

    with pytest.raises(LeaseLostError), store.writing() as tables:
        tables.turns.fail(turn, "too late", now_ms=10)

    with store.reading() as tables:
        stored = tables.turns.get(turn.id)
    assert stored is not None
    assert (stored.state, stored.answer_text) == (TurnState.COMPLETED, "done")
    assert (stored.finished_at_ms, stored.error) == (9, None)


@pytest.mark.promise("R58")
def test_a_failed_turn_keeps_what_the_user_said(store: Store) -> None:
    with_thread(store)
    turn = begun(store, "Use tabs.")
    with store.writing() as tables:
        tables.turns.fail(turn, "E" * 50_000, now_ms=9)

    with store.reading() as tables:
        stored = tables.turns.get(turn.id)
    assert stored is not None
    assert (stored.state, stored.user_text) == (TurnState.FAILED, "Use tabs.")
    assert stored.error == "E" * 20_000


@pytest.mark.promise("R58", "R171")
def test_only_a_turn_whose_lease_ran_out_is_interrupted(store: Store) -> None:
    with_thread(store)
    with_thread(store, OTHER)
    old = begun(store, now_ms=0)
    fresh = begun(store, now_ms=50_000, thread_id=OTHER)

    with store.writing() as tables:
        threads = tables.turns.threads_expired(now_ms=LEASE_MS)
        count = tables.turns.interrupt_expired(now_ms=LEASE_MS)
        states = [tables.turns.get(turn.id) for turn in (old, fresh)]

    assert threads == (THREAD,)
    assert count == 1
    assert [turn.state for turn in states if turn] == [TurnState.INTERRUPTED, TurnState.OPEN]
    with pytest.raises(LeaseLostError), store.writing() as tables:
        tables.turns.complete(old, "too late", now_ms=LEASE_MS)


@pytest.mark.promise("R161")
def test_a_renewed_turn_is_not_interrupted(store: Store) -> None:
    with_thread(store)
    turn = begun(store)
    with store.writing() as tables:
        tables.turns.renew(turn, now_ms=100_000, lease_ms=LEASE_MS)

        assert tables.turns.interrupt_expired(now_ms=LEASE_MS) == 0


def test_a_source_key_seen_before_adds_nothing(store: Store) -> None:
    with_thread(store)
    first = begun(store, "We use SQLite.", source_key="s:1")
    replay = begun(store, "We use SQLite.", source_key="s:1")
    with store.writing() as tables:
        tables.turns.complete(replay, "other", now_ms=1)
        tables.turns.fail(replay, "other", now_ms=1)
        tables.turns.renew(replay, now_ms=1, lease_ms=1)
        tables.turns.complete(first, "done", now_ms=2)
        again = tables.turns.add_finished(a_turn(source_key="s:1"), "x", now_ms=3)
        stored = tables.turns.get(first.id)
        last = tables.turns.last_seq()

    assert (replay.id, replay.is_replay, first.is_replay) == (first.id, True, False)
    assert again is None
    assert last == 1
    assert stored is not None
    assert stored.answer_text == "done"


def test_neighbours_are_those_of_the_same_thread(store: Store) -> None:
    with_thread(store)
    with_thread(store, OTHER)
    ids = [said(store, "a"), said(store, "b"), said(store, "c", thread_id=OTHER), said(store, "d")]

    with store.reading() as tables:
        first, second, _, last = (tables.turns.get(turn_id) for turn_id in ids)
        assert first is not None
        assert second is not None
        assert last is not None
        assert tables.turns.before(first) is None
        assert tables.turns.after(second) == last
        assert tables.turns.before(last) == second


@pytest.mark.promise("R81")
def test_what_a_human_said_waits_for_extraction_in_order(store: Store) -> None:
    with_thread(store)
    ids = [said(store, "one"), said(store, "two"), said(store, "three")]
    said(store, "a reminder", speaker=Speaker.SYSTEM_REMINDER)

    with store.writing() as tables:
        some = tables.turns.waiting(THREAD, limit=2)
        tables.turns.mark_extracted(ids[:1])
        rest = tables.turns.waiting(THREAD, limit=9)

    assert [turn.id for turn in some] == ids[:2]
    assert [turn.id for turn in rest] == ids[1:]


def test_what_stands_behind_an_open_turn_waits_for_it(store: Store) -> None:
    with_thread(store)
    first = said(store, "one")
    open_turn = begun(store, "two")
    later = said(store, "three")

    with store.writing() as tables:
        blocked = tables.turns.waiting(THREAD, limit=9)
        tables.turns.complete(open_turn, "", now_ms=1)
        free = tables.turns.waiting(THREAD, limit=9)

    assert [turn.id for turn in blocked] == [first]
    assert [turn.id for turn in free] == [first, open_turn.id, later]


def test_history_is_the_last_completed_turns_oldest_first(store: Store) -> None:
    with_thread(store)
    ids = [said(store, str(number)) for number in range(5)]
    failed = begun(store, "lost")
    with store.writing() as tables:
        tables.turns.fail(failed, "no connection", now_ms=1)
        history = tables.turns.history(THREAD, limit=3)
        counts = tables.turns.counts()

    assert [turn.id for turn in history] == ids[2:]
    assert counts == {TurnState.COMPLETED: 5, TurnState.FAILED: 1}


def test_pages_give_every_turn_once_in_the_order_of_recording(store: Store) -> None:
    with_thread(store)
    ids = [said(store, str(number), said_at_ms=100 - number) for number in range(5)]

    with store.reading() as tables:
        first = tables.turns.page(after_seq=0, limit=3)
        second = tables.turns.page(after_seq=first[-1].seq, limit=3)

    assert [turn.id for turn in first + second] == ids


def test_a_turn_of_an_unknown_thread_is_refused(store: Store) -> None:
    with pytest.raises(IllegalOperationError):
        begun(store, thread_id=ThreadId("th_x"))

    with store.reading() as tables:
        assert tables.turns.get(TurnId("t_x")) is None


def test_a_model_is_asked_about_a_turn_once_and_after_the_rules(store: Store) -> None:
    with_thread(store)
    first, second = said(store, "one"), said(store, "two")
    said(store, "tool", speaker=Speaker.TOOL_RESULT)
    with store.writing() as tables:
        assert tables.turns.unasked(THREAD, limit=4) == ()
        tables.turns.mark_extracted([first, second])
        assert [turn.id for turn in tables.turns.unasked(THREAD, limit=4)] == [first, second]
        assert tables.turns.threads_unasked() == {THREAD: 2}
        tables.turns.mark_asked([first])
        assert [turn.id for turn in tables.turns.unasked(THREAD, limit=4)] == [second]
        tables.turns.mark_asked([first], is_asked=False)
        assert [turn.id for turn in tables.turns.unasked(THREAD, limit=1)] == [first]

        assert tables.turns.mark_all_asked() == 2
        assert tables.turns.threads_unasked() == {}


def test_what_proved_a_forgotten_item_is_told_of_a_turn(store: Store) -> None:
    with_thread(store)
    turn_id = said(store, "We use SQLite.")
    item_id = remembered(store, "m_1", statement="We use SQLite.", turn_id=turn_id, span=(0, 14))
    with store.writing() as tables:
        assert tables.turns.forgotten_in([turn_id]) == ()
        stamp = Stamp(batch="b", actor="human", reason="", at_ms=1)
        tables.items.set_status(item_id, Status.FORGOTTEN, action=Action.FORGET, stamp=stamp)

        (span,) = tables.turns.forgotten_in([turn_id])
    assert (span.turn_id, span.role, span.start, span.end) == (turn_id, Role.USER, 0, 14)
