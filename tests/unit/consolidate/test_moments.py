"""What was said later is told by the order of turns, and by time only where turns cannot tell."""

from hypothesis import given
from hypothesis import strategies as st

from backstory.consolidate.moments import Moment, latest, tombstone_at
from backstory.model.ids import ItemId, ThreadId

moments = st.builds(
    Moment,
    said_at_ms=st.integers(0, 9),
    seq=st.one_of(st.none(), st.integers(1, 9)),
    thread_id=st.sampled_from([ThreadId("a"), ThreadId("b")]),
    is_imported=st.booleans(),
    start=st.integers(0, 3),
)


def test_a_clock_that_goes_backwards_does_not_turn_the_order_round() -> None:
    first = Moment(said_at_ms=900, seq=1, thread_id=ThreadId("a"))
    second = Moment(said_at_ms=100, seq=2, thread_id=ThreadId("b"))

    assert second.is_after(first)


def test_an_imported_turn_is_placed_by_its_time() -> None:
    live = Moment(said_at_ms=900, seq=1, thread_id=ThreadId("a"))
    old = Moment(said_at_ms=100, seq=2, thread_id=ThreadId("b"), is_imported=True)

    assert not old.is_after(live)


def test_within_one_turn_the_later_words_are_later() -> None:
    first = Moment(said_at_ms=1, seq=1, start=0)
    second = Moment(said_at_ms=1, seq=1, start=20)

    assert second.is_after(first)
    assert not first.is_after(second)


@given(moments, moments)
def test_of_two_moments_one_at_the_most_is_later(one: Moment, other: Moment) -> None:
    assert not (one.is_after(other) and other.is_after(one))


@given(moments)
def test_what_is_said_once_is_not_later_than_itself(moment: Moment) -> None:
    assert not moment.is_after(moment)
    assert latest((moment,)) == moment


@given(moments)
def test_a_withdrawal_never_buries_its_own_turn(moment: Moment) -> None:
    tombstone = tombstone_at(moment, item_id=ItemId("m_1"), claim_key=None)

    assert moment.is_after_tombstone(tombstone)
