"""One worker for each project: a lock that ends with its holder, and who holds it.

The lock is the operating system's own, so that nobody has to take it away from a holder that
was killed. The file stays; it tells who took the lock last, for a person.
"""

import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LOCK_NAME = "worker.lock"
# Looking whether a lock is held takes it for an instant, so that who wants it tries again.
_TRIES = 3
_BETWEEN_TRIES_S = 0.02
_OWNER_BYTES_MAX = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who took the lock last: the process, and when that was."""

    pid: int
    taken_at_ms: int


class WorkerLock:
    """The right to be the one worker of a project."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def take(self, *, now_ms: int) -> bool:
        """Take the lock, or return False where somebody else holds it."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not _locked(file):
            os.close(file)
            return False
        os.ftruncate(file, 0)
        owner = {"pid": os.getpid(), "taken_at_ms": now_ms}
        os.pwrite(file, json.dumps(owner).encode(), 0)
        self._file = file
        return True

    def release(self) -> None:
        """Let the lock go; nothing where it is not held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock at this moment. Nothing is written."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:  # nobody ever took it
        return False
    try:
        return not _locked(file)
    finally:
        os.close(file)


def owner_of(path: Path) -> Owner | None:
    """Return who took the lock last, or None where the file does not say."""
    with suppress(OSError, ValueError, KeyError, TypeError), path.open("rb") as file:
        told = json.loads(file.read(_OWNER_BYTES_MAX))
        return Owner(pid=int(told["pid"]), taken_at_ms=int(told["taken_at_ms"]))
    return None


def _locked(file: int) -> bool:
    for number in range(_TRIES):
        if number:
            time.sleep(_BETWEEN_TRIES_S)
        if _lock(file):
            return True
    return False


try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    def _lock(file: int) -> bool:
        try:
            # A byte far behind the text, so that the owner can still be read.
            os.lseek(file, 2**20, os.SEEK_SET)
            # The type checker knows this module on Windows only.
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
else:

    def _lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
