"""A model that does not answer is left alone for longer each time, and one answer ends that."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.jobs.resting import CALLS_LOOKED_AT, rests_until_ms
from backstory.model.job import NO_USAGE, Call, CallOutcome, CallPurpose
from backstory.model.limits import HOUR_MS, MINUTE_MS, SECOND_MS

NOW_MS = 1_700_000_000_000
FAILED = Call(
    at_ms=NOW_MS,
    purpose=CallPurpose.EXTRACT,
    model="ollama:x",
    usage=NO_USAGE,
    outcome=CallOutcome.TRANSIENT,
    duration_ms=0,
    session="one",
)
ELSEWHERE = replace(FAILED, session="two")
HUNG = replace(FAILED, duration_ms=60_000)
ANSWERED = replace(FAILED, outcome=CallOutcome.OK)


def test_one_thread_that_fails_keeps_no_other_waiting() -> None:
    assert rests_until_ms([FAILED] * 5, now_ms=NOW_MS) is None


def test_a_second_thread_that_fails_shows_that_nobody_is_answered() -> None:
    assert rests_until_ms([ELSEWHERE, FAILED], now_ms=NOW_MS) == NOW_MS + 30 * SECOND_MS


def test_one_call_that_hangs_is_enough_and_its_wait_begins_when_it_ended() -> None:
    assert rests_until_ms([HUNG], now_ms=NOW_MS) == NOW_MS + 65 * SECOND_MS


@pytest.mark.parametrize(
    ("failures", "wait_ms"),
    [(2, 30 * SECOND_MS), (3, 2 * MINUTE_MS), (4, 10 * MINUTE_MS), (5, HOUR_MS), (9, HOUR_MS)],
)
def test_the_wait_grows_with_the_failures_in_a_row(failures: int, wait_ms: int) -> None:
    calls = [ELSEWHERE, *[FAILED] * (failures - 1), ANSWERED]

    assert rests_until_ms(calls, now_ms=NOW_MS) == NOW_MS + wait_ms
    assert rests_until_ms(calls, now_ms=NOW_MS + wait_ms) is None


@pytest.mark.parametrize("outcome", [o for o in CallOutcome if o is not CallOutcome.TRANSIENT])
def test_any_answer_ends_it(outcome: CallOutcome) -> None:
    calls = [replace(FAILED, outcome=outcome), ELSEWHERE, FAILED]

    assert rests_until_ms(calls, now_ms=NOW_MS) is None
    assert rests_until_ms([], now_ms=NOW_MS) is None


def test_a_clock_that_was_set_back_leaves_no_model_resting() -> None:
    assert rests_until_ms([ELSEWHERE, FAILED], now_ms=NOW_MS - HOUR_MS) is None


@given(
    outcomes=st.lists(st.sampled_from(CallOutcome), max_size=CALLS_LOOKED_AT),
    sessions=st.lists(st.sampled_from("ab"), min_size=12, max_size=12),
    since_ms=st.integers(0, 2 * HOUR_MS),
    duration_ms=st.integers(0, MINUTE_MS),
)
def test_no_rest_is_longer_than_an_hour_after_the_last_call(
    outcomes: list[CallOutcome], sessions: list[str], since_ms: int, duration_ms: int
) -> None:
    calls = [
        replace(FAILED, outcome=outcome, session=session, duration_ms=duration_ms)
        for outcome, session in zip(outcomes, sessions, strict=False)
    ]

    until_ms = rests_until_ms(calls, now_ms=NOW_MS + since_ms)

    assert until_ms is None or NOW_MS + since_ms < until_ms <= NOW_MS + MINUTE_MS + HOUR_MS
