"""How much one session may propose: an agent in a loop must not fill a person's review."""

import threading
from collections import Counter

from backstory.model.errors import UsageError
from backstory.model.limits import AGENT_PROPOSALS_PER_SESSION_MAX, HOUR_MS

_SESSIONS_MAX = 1_000


class Quota:
    """Counts proposals by session; where the transport has no sessions, by the hour."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()

    def take(self, session: str, *, now_ms: int) -> None:
        """Count one, or raise `UsageError` where the session has had its share."""
        key = session or f"hour {now_ms // HOUR_MS}"
        with self._lock:
            if self._taken[key] >= AGENT_PROPOSALS_PER_SESSION_MAX:
                raise UsageError(
                    f"{AGENT_PROPOSALS_PER_SESSION_MAX} things were proposed to be remembered, "
                    "which is all that an agent may; the user can run `backstory remember`"
                )
            if len(self._taken) > _SESSIONS_MAX:
                self._taken.clear()
            self._taken[key] += 1
