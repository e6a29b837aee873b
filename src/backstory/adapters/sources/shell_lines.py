"""What shells wrote down, as a file in the project's spool: taken away, read, and then removed.

Each line is one command: version, begin, end, exit code, shell, head, directory and command,
with the unit separator between them and the record separator for line ends inside.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

FILE_NAME = "shell.lines"
SWITCH_NAME = "no-shell"  # while it is there, shells write nothing

_TAKEN = ".taken"
_LINE_BYTES_MAX = 64 * 1024
_FIELDS = 8
_BRANCH = "ref: refs/heads/"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedCommand:
    """A command that was typed at a prompt."""

    begun_at_ms: int
    ended_at_ms: int
    exit_code: int
    shell: str  # which one, so that two that type at one moment are two
    branch: str | None
    folder: str
    command: str


def take(spool: Path, *, now_ms: int) -> tuple[Path, ...]:
    """Take away what shells wrote, so that they begin a new file, and return it oldest first.

    What an earlier reader took and did not finish is taken again.
    """
    with suppress(FileNotFoundError):
        # A name of its own: two readers never take the same file.
        (spool / FILE_NAME).rename(spool / f"shell-{now_ms:015d}-{os.getpid()}{_TAKEN}")
    return tuple(sorted(path for path in _entries(spool) if path.suffix == _TAKEN))


def typed_in(path: Path) -> Iterator[TypedCommand | None]:
    """Yield the commands of a file in order; None for each line that is none.

    Nothing where another reader has finished with the file meanwhile.
    """
    with suppress(FileNotFoundError), path.open("rb") as file:
        while line := file.readline(_LINE_BYTES_MAX):
            yield _typed(line)


def throw_away(spool: Path, *, now_ms: int) -> None:
    """Remove what waits, unread."""
    for path in take(spool, now_ms=now_ms):
        path.unlink(missing_ok=True)


def count(spool: Path) -> int:
    """Return how many commands wait to be read."""
    waiting = [path for path in _entries(spool) if path.name == FILE_NAME or path.suffix == _TAKEN]
    return sum(_lines_in(path) for path in waiting)


def _lines_in(path: Path) -> int:
    found = 0
    with suppress(FileNotFoundError), path.open("rb") as file:
        while piece := file.read(_LINE_BYTES_MAX):
            found += piece.count(b"\n")
    return found


def _entries(spool: Path) -> list[Path]:
    try:
        return list(spool.iterdir())
    except OSError:
        return []


def _typed(line: bytes) -> TypedCommand | None:
    fields = line.decode("utf-8", "replace").removesuffix("\n").split("\x1f")
    if len(fields) != _FIELDS or fields[0] != "1" or not line.endswith(b"\n"):
        return None
    _, begun, ended, code, shell, head, folder, command = fields
    numbers = (begun, ended, code)
    if not all(text.isascii() and text.isdecimal() and len(text) < 16 for text in numbers):
        return None
    return TypedCommand(
        begun_at_ms=int(begun),
        ended_at_ms=int(ended),
        exit_code=int(code),
        shell=shell,
        branch=head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else None,
        folder=folder.replace("\x1e", "\n"),
        command=command.replace("\x1e", "\n"),
    )
