"""What agents may propose is bounded for each session, and so is what is counted."""

import pytest

from backstory.mcp.quota import Quota
from backstory.model.errors import UsageError
from backstory.model.limits import AGENT_PROPOSALS_PER_SESSION_MAX, HOUR_MS


def used_up(session: str) -> Quota:
    """Return a quota of which a session has taken all that it may."""
    quota = Quota()
    for _ in range(AGENT_PROPOSALS_PER_SESSION_MAX):
        quota.take(session, now_ms=0)
    return quota


def test_one_session_takes_nothing_from_another() -> None:
    quota = used_up("s1")

    with pytest.raises(UsageError, match="all that an agent may"):
        quota.take("s1", now_ms=HOUR_MS)
    quota.take("s2", now_ms=0)


def test_without_sessions_each_hour_has_its_share() -> None:
    quota = used_up("")

    with pytest.raises(UsageError):
        quota.take("", now_ms=HOUR_MS - 1)
    quota.take("", now_ms=HOUR_MS)


def test_counts_of_sessions_that_went_do_not_pile_up() -> None:
    quota = used_up("s1")
    for number in range(2_000):
        quota.take(f"other {number}", now_ms=0)

    quota.take("s1", now_ms=0)
