"""The worker of a program that stands by for hours, beside others of the same project."""

import threading
from collections.abc import Callable
from contextlib import suppress

from backstory.api.memory import Memory
from backstory.model.errors import BackstoryError
from backstory.wiring.work.clients import Stop
from backstory.wiring.work.worker import Worker

# How often it looks, and how far it looks ahead.
_LOOK_EVERY_S = 1.0


class StandbyWorker:
    """Runs a project's jobs in a thread, with the lock taken only while there is work.

    So whoever comes first does the work, and nobody does it twice. Nothing is done while
    `is_idle` says so. Idle, it writes nothing.
    """

    def __init__(self, memory: Memory, *, is_idle: Callable[[], bool]) -> None:
        self._store = memory._desk.store
        self._stop = Stop()
        self._worker = Worker(memory._desk, stop=self._stop)
        self._is_idle = is_idle
        self._thread = threading.Thread(target=self._run, name="backstory-standby", daemon=True)

    def begin(self) -> None:
        """Start the thread."""
        self._thread.start()

    def end(self, *, within_s: float) -> None:
        """End after the job that is being run, or leave it to the end of the program."""
        self._stop.event.set()
        self._thread.join(within_s)

    def _run(self) -> None:
        try:
            while not self._stop.event.wait(_LOOK_EVERY_S):
                self._look()
        finally:
            self._store.close()  # this thread's connection

    def _look(self) -> None:
        # A store that is locked or gone for a while may be there again later.
        with suppress(BackstoryError):
            if not self._is_idle():
                self._worker.run(seconds=_LOOK_EVERY_S)
