"""What goes to the host: once, whole, and nothing beside it."""

import os
import sys
import time
from _thread import allocate_lock, start_new_thread
from collections.abc import Callable

# The host waits a second and more. The start of Python counts where the system tells it, and
# there is room for it where it does not.
DEADLINE_S = 0.8
# So much is left at least: enough to say that there is nothing to say.
_LEAST_S = 0.05
# Another time, for a machine that is slow or very busy.
DEADLINE_VARIABLE = "BACKSTORY_HOOK_SECONDS"
_DEADLINE_MAX_S = 20.0


class Reply:
    """The host's end of the real standard output, which nothing else can write to."""

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._is_sent = False
        self.text = ""
        sys.stdout.flush()
        # Whatever prints from here on (a library, a warning) reaches the log, not the host.
        self._file = os.dup(1)
        os.dup2(2, 1)

    def send(self) -> None:
        """Write the text and close; a second time nothing happens."""
        with self._lock:
            if self._is_sent:
                return
            self._is_sent = True
            rest = self.text.encode("utf-8", "replace")
            try:
                while rest:
                    rest = rest[os.write(self._file, rest) :]
            except OSError:  # the host has gone
                pass
            os.close(self._file)


class Timer:
    """Does something when the time is up, unless it is cancelled before.

    A thread of the plainest sort does it: what `threading` has more is not worth loading it.
    """

    def __init__(self, left_s: float, then: Callable[[], None]) -> None:
        self.left_s = left_s
        self._then = then
        self._is_over = allocate_lock()
        self._is_over.acquire()
        start_new_thread(self._wait, ())

    def cancel(self) -> None:
        """Let nothing happen. It is called once."""
        self._is_over.release()

    def _wait(self) -> None:
        if not self._is_over.acquire(timeout=self.left_s):
            self._then()


def end_in_time(reply: Reply, *, when_late: Callable[[], None]) -> Timer:
    """Answer with what there is when the time is up, and end the process, whatever it does."""

    def end() -> None:
        try:
            reply.send()
            when_late()
        finally:
            os._exit(0)

    return Timer(max(deadline_s() - started_before_s(), _LEAST_S), end)


def deadline_s() -> float:
    """Return how many seconds a hook has, from when it was started."""
    try:
        wanted = float(os.environ.get(DEADLINE_VARIABLE, ""))
    except ValueError:
        return DEADLINE_S
    return min(wanted, _DEADLINE_MAX_S) if wanted > 0 else DEADLINE_S


def started_before_s() -> float:
    """Return how long this process has run, in seconds, or 0 where only other systems tell.

    The moment of its start is field 22 of /proc/self/stat (proc_pid_stat(5)), in clock ticks.
    """
    try:
        with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 - pathlib is not loaded yet
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        now_s = time.clock_gettime(time.CLOCK_BOOTTIME)
        return max(0.0, now_s - ticks / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0
