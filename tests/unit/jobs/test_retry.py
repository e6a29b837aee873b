"""The schedule of tries: quick at first, then hourly, and never without an end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.jobs.retry import TRIES_MAX, delay_ms
from backstory.model.job import FailureCause
from backstory.model.limits import HOUR_MS, MINUTE_MS, SECOND_MS

CAUSES = st.sampled_from([None, *FailureCause])


@pytest.mark.promise("R164")
def test_what_may_pass_by_itself_is_tried_to_the_schedule_and_then_hourly() -> None:
    waits = [delay_ms(FailureCause.TRANSIENT, attempt=attempt) for attempt in range(1, 8)]

    assert waits == [
        5 * SECOND_MS,
        30 * SECOND_MS,
        2 * MINUTE_MS,
        10 * MINUTE_MS,
        HOUR_MS,
        HOUR_MS,
        HOUR_MS,
    ]


@pytest.mark.parametrize("cause", [FailureCause.QUOTA, FailureCause.MISCONFIGURED])
def test_what_waiting_a_little_does_not_help_is_tried_hourly(cause: FailureCause) -> None:
    assert delay_ms(cause, attempt=1) == HOUR_MS


@pytest.mark.promise("R164")
@pytest.mark.case("C28")
@given(cause=CAUSES.filter(lambda cause: cause is not FailureCause.CAPPED))
def test_every_cause_comes_to_an_end(cause: FailureCause | None) -> None:
    assert delay_ms(cause, attempt=TRIES_MAX) is None


def test_a_cap_of_ours_is_waited_for_as_long_as_it_takes() -> None:
    assert delay_ms(FailureCause.CAPPED, attempt=TRIES_MAX) == HOUR_MS


@given(cause=CAUSES, attempt=st.integers(1, TRIES_MAX), asked=st.integers(0, 10**12))
def test_a_server_gets_the_time_it_asks_for_up_to_a_day(
    cause: FailureCause | None, attempt: int, asked: int
) -> None:
    own = delay_ms(cause, attempt=attempt)
    wait = delay_ms(cause, attempt=attempt, retry_after_ms=asked)

    assert (own is None) == (wait is None)
    if own is not None and wait is not None:
        assert own <= wait <= max(own, 24 * HOUR_MS)
        assert wait >= min(asked, 24 * HOUR_MS)
