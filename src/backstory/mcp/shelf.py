"""One project's memory as the server holds it: opened when it is first asked for."""

import threading
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backstory.adapters.project import Project
from backstory.adapters.switches import ISOLATED, off_for, session_mark
from backstory.model.answers import StatusReport
from backstory.model.errors import BackstoryError, StoreDegradedError

if TYPE_CHECKING:  # half a second to load, for which no client waits before its first call
    from backstory.api import Memory, NullMemory
    from backstory.api.working import StandbyWorker

HOST = "mcp"
# The client waits for the end of the server, so the job that is being run has this long.
_END_S = 0.5
_SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"


@dataclass(frozen=True, slots=True, kw_only=True)
class Silent:
    """Memory that is neither read nor written now: what it is called, and why."""

    health: str  # "off" or "isolated"
    because: str


class Shelf:
    """One project's memory for many calls, each in a thread of its own.

    Between calls nothing is open but connections, one a thread: no transaction, no lock. The
    worker runs beside the calls from the first one on, and takes its lock while there is work.
    """

    def __init__(self, project: Project, *, env: Mapping[str, str]) -> None:
        self.project = project
        self._env = dict(env)
        self._lock = threading.Lock()
        self._memory: Memory | None = None
        self._worker: StandbyWorker | None = None

    def memory(self) -> "Memory | Silent":
        """Return memory, or why there is none now.

        Raises `StoreDegradedError` and other errors that say why it cannot be opened.
        """
        silent = self._switched_off()
        if silent is not None:
            return silent
        with self._lock:
            if self._memory is None:
                return self._opened()
            purpose = self._isolated_since()
            return self._memory if purpose is None else _isolated(purpose)

    def status(self) -> StatusReport | Silent:
        """Return how memory is: what is silent or degraded says so."""
        silent = self._switched_off()
        if silent is not None:
            return silent
        memory = self._asked()
        report = memory.status()
        if memory is not self._memory:
            memory.close()
        return report

    def close(self) -> None:
        """Stop the worker and let go of the store; what waits is done by whoever comes next."""
        if self._worker is not None:
            self._worker.end(within_s=_END_S)
        if self._memory is not None:
            self._memory.close()

    def _opened(self) -> "Memory | Silent":
        from backstory.api import Memory  # noqa: PLC0415 - see above
        from backstory.api.working import StandbyWorker  # noqa: PLC0415 - see above

        memory = self._asked()
        if not isinstance(memory, Memory):
            report = memory.status()
            if report.health != "isolated":
                raise StoreDegradedError(report.problem or "the store cannot be used")
            return _isolated(report.purpose)
        self._memory = memory
        self._worker = StandbyWorker(memory, is_idle=self._is_silent)
        self._worker.begin()
        return memory

    def _asked(self) -> "Memory | NullMemory":
        from backstory.api import Memory, Opening  # noqa: PLC0415 - see above

        if self._memory is not None:
            return self._memory
        opening = Opening(host=HOST, works_inline=False, env=self._env)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # an error or `status` tells it
            return Memory.open(self.project.root, opening=opening)

    def _switched_off(self) -> Silent | None:
        session = self._env.get(_SESSION_VARIABLE, "")
        reach = off_for(self.project, session, env=self._env)
        if reach is not None:
            return Silent(
                health="off",
                because=f"memory is off for this {reach.value}; the user can run `backstory on`",
            )
        if not session:
            return None
        # The hook of a prompt that asks for a review leaves this mark for as long as it runs.
        if session_mark(self.project, session, name=ISOLATED).exists():
            return Silent(health="isolated", because="memory is isolated for this review")
        return None

    def _is_silent(self) -> bool:
        with suppress(BackstoryError):
            return self._isolated_since() is not None or self._switched_off() is not None
        return True

    def _isolated_since(self) -> str | None:
        from backstory.api.memory import isolated_since  # noqa: PLC0415 - see above

        purpose = None if self._memory is None else isolated_since(self._memory)
        return None if purpose is None else purpose.value


def _isolated(purpose: str) -> Silent:
    return Silent(health="isolated", because=f"memory is isolated: the purpose is {purpose}")
