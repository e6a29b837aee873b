"""Somebody at a terminal: a program is run in one, is waited for, and gets keys."""

import os
import pty
import re
import select
import subprocess
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_SECONDS = 60
_TRIES, _BETWEEN_TRIES = 10, 4
_SHOWN_CHARS = 2_000
_ROWS, _COLUMNS = 50, 160
# What draws, colours and moves is left out; words stand where they were written.
_DRAWING = re.compile(
    rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?<>=:$]*[ -/]*[@-~]"
    rb"|\x1b[()][A-Z0-9]|\x1b[=>78]"
)
# A program asks a terminal where the cursor is, what it can do, and which colours it has.
_ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}
_ASKED = re.compile(b"|".join(map(re.escape, _ANSWERS)))


class EndedError(AssertionError):
    """The program ended before what was waited for."""


class Terminal:
    """A terminal with a program in it."""

    def __init__(self, screen: int) -> None:
        self._screen = screen
        self._shown = b""
        self._answered_to = 0

    def wait(self, has_come: Callable[[], bool]) -> None:
        """Wait until something has come, such as words in `text`."""
        assert self._has_come(has_come, seconds=_SECONDS), self.text

    def press(self, keys: str, *, until: Callable[[], bool]) -> None:
        """Press keys, and again where nothing comes of it.

        A program that has just drawn a question may not listen yet.
        """
        for _ in range(_TRIES):
            os.write(self._screen, keys.encode())
            if self._has_come(until, seconds=_BETWEEN_TRIES):
                return
        raise AssertionError(self.text)

    def _has_come(self, has_come: Callable[[], bool], *, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not has_come() and time.monotonic() < deadline:
            self._read()
        return has_come()

    @property
    def text(self) -> str:
        """What was written, without blanks at its ends and more than one in a row."""
        return " ".join(_DRAWING.sub(b" ", self._shown).decode("utf-8", "replace").split())

    def _read(self) -> None:
        ready, _, _ = select.select([self._screen], [], [], 0.2)
        if not ready:
            return
        try:
            read = os.read(self._screen, 65536)
        except OSError as error:  # a terminal in which nothing runs any more
            raise EndedError(self.text[-_SHOWN_CHARS:]) from error
        self._shown += read
        # One question may come in two pieces, and several in one.
        for asked in _ASKED.finditer(self._shown, self._answered_to):
            os.write(self._screen, _ANSWERS[asked[0]])
            self._answered_to = asked.end()


@contextmanager
def at_terminal(words: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> Iterator[Terminal]:
    """Run a program in a terminal until the block ends."""
    screen, inside = pty.openpty()
    termios.tcsetwinsize(inside, (_ROWS, _COLUMNS))
    program = subprocess.Popen(
        words,
        cwd=cwd,
        env={**env, "TERM": "xterm-256color"},
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
    )
    os.close(inside)
    try:
        yield Terminal(screen)
    finally:
        program.terminate()
        with suppress(subprocess.TimeoutExpired):
            program.wait(10)
        program.kill()
        program.wait()
        os.close(screen)
