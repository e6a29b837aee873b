"""A hook answers in time, and the time that Python took to start counts."""

import pytest

from backstory.hooks import reply


class Answered:
    """Stands in for the host's end of the wire."""

    def send(self) -> None:
        """Send nothing."""


def time_left(monkeypatch: pytest.MonkeyPatch, *, started_before_s: float) -> float:
    """Return how long a hook waits that was started so long ago."""
    monkeypatch.setattr(reply, "started_before_s", lambda: started_before_s)
    timer = reply.end_in_time(Answered(), when_late=lambda: None)  # type: ignore[arg-type]
    timer.cancel()
    return timer.left_s


@pytest.mark.case("C15")
def test_the_start_of_python_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(reply.DEADLINE_VARIABLE, raising=False)
    left = [time_left(monkeypatch, started_before_s=ago_s) for ago_s in (0.0, 0.3, 60.0)]

    assert left[0] == reply.DEADLINE_S < 1
    assert left[1] == pytest.approx(reply.DEADLINE_S - 0.3)
    assert 0 < left[2] < 0.1  # enough for an empty answer


@pytest.mark.parametrize("stated", ["", "soon", "0", "-1", "nan"])
def test_a_time_that_makes_no_sense_is_the_usual_one(
    stated: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(reply.DEADLINE_VARIABLE, stated)

    assert reply.deadline_s() == reply.DEADLINE_S


def test_where_no_system_tells_when_it_was_started_nothing_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(reply.time, "CLOCK_BOOTTIME", raising=False)

    assert reply.started_before_s() == 0.0
