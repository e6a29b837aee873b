"""When a job that failed is tried again, and when it is given up. Pure."""

from collections.abc import Mapping

from backstory.model.job import FailureCause
from backstory.model.limits import HOUR_MS, MINUTE_MS, SECOND_MS

# Requirement: 5 s, 30 s, 2 min, 10 min, 1 h, then hourly to a cap.
DELAYS_MS = (5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS)

# How often a job is begun before it is given up. What may pass by itself gets a day and a
# half; what a second look can hardly change gets few tries. Conservative guesses.
_TRIES_MAX: Mapping[FailureCause, int] = {
    FailureCause.TRANSIENT: 40,
    FailureCause.QUOTA: 40,
    FailureCause.MISCONFIGURED: 40,
    FailureCause.TOO_LONG: 3,
    FailureCause.INVALID: 4,
    FailureCause.REFUSED: 3,
}
_BUG_TRIES_MAX = 5
# No job is begun more often, whatever became of the tries before.
TRIES_MAX = max(_TRIES_MAX.values())
# Waiting a little does not help against these.
_SLOW = {FailureCause.QUOTA, FailureCause.CAPPED, FailureCause.MISCONFIGURED}


def delay_ms(
    cause: FailureCause | None, *, attempt: int, retry_after_ms: int | None = None
) -> int | None:
    """Return how long to wait after the try numbered `attempt`, or None to give up.

    A cause of None is a bug of ours. A server that asks for more time than we would wait
    gets it, up to a day. A cap of ours is no failure: a job waits for it as long as it takes.
    """
    tries_max = _BUG_TRIES_MAX if cause is None else _TRIES_MAX.get(cause)
    if tries_max is not None and attempt >= tries_max:
        return None
    own = DELAYS_MS[min(attempt, len(DELAYS_MS)) - 1]
    if cause in _SLOW:
        own = max(own, HOUR_MS)
    return max(own, min(retry_after_ms or 0, 24 * HOUR_MS))
