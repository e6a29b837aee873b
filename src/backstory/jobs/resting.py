"""How long a model that does not answer is left alone, by all jobs together. Pure.

A server that is down or hangs is asked once at a time, and less and less often, whatever waits
for it: otherwise every thread would spend a minute on each try. What one thread asks may well be
what the server chokes on; that alone never keeps the others waiting. Compare the circuit breaker
of M. Nygard, "Release It!" (2007): closed, open, and one call that tries.
"""

from collections.abc import Sequence
from itertools import takewhile

from backstory.jobs.retry import DELAYS_MS
from backstory.model.job import Call, CallOutcome
from backstory.model.limits import MINUTE_MS, SECOND_MS

# More failures in a row do not make the wait longer, so that no more calls need to be known.
CALLS_LOOKED_AT = 12
# Who keeps a call waiting so long keeps everybody waiting. Half of a call's time, a guess.
_HANGS_MS = 30 * SECOND_MS
# A call written so much later than now was written before the clock was set back.
_CLOCK_SLACK_MS = 10 * MINUTE_MS


def rests_until_ms(calls: Sequence[Call], *, now_ms: int) -> int | None:
    """Return when a model may be asked again, or None where it may be asked now.

    Args:
        calls: the last calls of this model, newest first.
        now_ms: what time it is.
    """
    failed = list(takewhile(lambda call: call.outcome is CallOutcome.TRANSIENT, calls))
    if not failed or failed[0].at_ms > now_ms + _CLOCK_SLACK_MS:
        return None
    is_everybodys = len({call.session for call in failed}) > 1
    if not is_everybodys and failed[0].duration_ms < _HANGS_MS:
        return None
    ended_ms = failed[0].at_ms + failed[0].duration_ms
    until_ms = ended_ms + DELAYS_MS[min(len(failed), len(DELAYS_MS)) - 1]
    return until_ms if until_ms > now_ms else None
