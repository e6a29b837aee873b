"""Running a program that may hang, fork or print without end, so that nothing of it is left."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from backstory.adapters.system import NO_WINDOW

_COMPLAINT_CHARS = 300
_COMPLAINT_BYTES = 4 * _COMPLAINT_CHARS
_READ_BYTES = 64 * 1024
# What is in the pipe when a program has ended is read at once.
_LAST_WORDS_S = 1.0
_PROCESSES = Path("/proc")


def run_alone(
    command: Sequence[str], *, folder: Path, env: Mapping[str, str], home: Path, seconds: float
) -> str:
    """Run a program to its end, and return what went wrong, or "".

    Whatever it started ends with it. Where the system lists processes as files, that is also what
    left its group; it is known by `home`, which must be in `env` and nobody else's.
    """
    try:
        started = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            creationflags=NO_WINDOW,
        )
    except OSError as error:
        return f"it cannot be started: {error.strerror}"
    assert started.stdout is not None
    said = bytearray()
    # Whoever it left behind may hold the pipe open: its end is not waited for.
    reader = threading.Thread(target=_keep_end, args=(started.stdout, said), daemon=True)
    reader.start()
    try:
        started.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"it did not end within {seconds:.0f} seconds"
    finally:
        _end(started, home=home)
        reader.join(_LAST_WORDS_S)
    if started.returncode == 0:
        return ""
    ending = bytes(said).decode("utf-8", "replace").strip()[-_COMPLAINT_CHARS:]
    return f"it ended with {started.returncode}: {ending}"


def _keep_end(pipe: IO[bytes], said: bytearray) -> None:
    with pipe:
        while chunk := os.read(pipe.fileno(), _READ_BYTES):
            said += chunk
            del said[:-_COMPLAINT_BYTES]


def _end(started: subprocess.Popen[bytes], *, home: Path) -> None:
    with suppress(ProcessLookupError, PermissionError):  # all of it has ended
        os.killpg(started.pid, signal.SIGKILL)
    started.wait()
    for process in _at_home_in(home):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)


def _at_home_in(home: Path) -> Iterator[int]:
    """Yield the processes that were started with a home."""
    mark = b"\0HOME=" + os.fsencode(home) + b"\0"
    for process in _PROCESSES.glob("[0-9]*"):
        with suppress(OSError):
            if mark in b"\0" + (process / "environ").read_bytes():
                yield int(process.name)
