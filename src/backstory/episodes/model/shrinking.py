"""A diff in its essential parts: what was defined and changed, not how it is laid out. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

# Requirement: so many characters of a diff are shown to a model.
DIFF_CHARS_MAX = 2_000

_FILES_MAX = 12
_LINE_CHARS_MAX = 160
_HEAD = re.compile(r"^diff --git (?:a/.* )b/(.+)$")
# What nobody writes by hand tells nothing of why.
_MADE = re.compile(
    r"(?:^|/)(?:[\w.-]*lock(?:\.\w+)?|go\.sum|vendor|node_modules|dist|build|__snapshots__)(?:/|$)"
    r"|\.(?:min\.\w+|map|snap|svg|lock|sum|pb\.go|po)$|_pb2\.py$",
    re.IGNORECASE,
)
# Lines that define something, in the languages that most projects are written in.
_DEFINES = re.compile(
    r"^\s*(?:(?:export|public|private|protected|static|async|pub|default|final|abstract)\s+)*"
    r"(?:def|class|func|function|fn|interface|struct|enum|trait|impl|type|const|let|var|module"
    r"|CREATE|ALTER|DROP|@\w+|#define|\[\w)",
)
_EMPTY = re.compile(
    r"^\s*(?:[\])}({\[;,]*|import\b.*|from\b.*\bimport\b.*|#include\b.*|use\b.*;)$"
)


@dataclass(slots=True)
class _File:
    """What a diff says of one file."""

    path: str
    lines: list[str] = field(default_factory=list)

    @property
    def head(self) -> str:
        """The file with the number of lines that came and went."""
        added = sum(line.startswith("+") for line in self.lines)
        return f"{self.path} (+{added} -{len(self.lines) - added})"


def shrunk(diff: str, *, chars_max: int = DIFF_CHARS_MAX) -> str:
    """Return the essential lines of a diff within a bound: of each file a fair share.

    Generated files are left out, and of the others what is empty, imports or moves only.
    """
    files = [one for one in _files(diff) if one.lines and not _MADE.search(one.path)]
    files = sorted(files, key=lambda one: -len(one.lines))[:_FILES_MAX]
    left = chars_max
    told: list[str] = []
    for number, one in enumerate(sorted(files, key=lambda one: len(one.lines))):
        share = left // (len(files) - number)
        part = _part(one, share)
        told.append(part)
        left -= len(part) + 1
    return "\n".join(part for part in told if part)[:chars_max]


def paths_in(diff: str) -> tuple[str, ...]:
    """Return the paths that a diff changes."""
    return tuple(dict.fromkeys(one.path for one in _files(diff)))


def _files(diff: str) -> Iterator[_File]:
    current: _File | None = None
    is_hunk = False
    for line in diff.splitlines():
        head = _HEAD.match(line)
        if head:
            if current is not None:
                yield current
            current, is_hunk = _File(head[1]), False
        elif line.startswith("@@"):
            is_hunk = True
        elif is_hunk and current is not None and line[:1] in {"+", "-"}:
            current.lines.append(line[:_LINE_CHARS_MAX])
    if current is not None:
        yield current


def _part(file: _File, chars_max: int) -> str:
    """Return a file's most telling lines in their order: definitions first, then the others."""
    if len(file.head) > chars_max:
        return ""
    telling = [n for n, line in enumerate(file.lines) if not _is_idle(line, file.lines)]
    telling.sort(key=lambda n: not _DEFINES.match(file.lines[n][1:]))
    kept: list[int] = []
    room = chars_max - len(file.head)
    for number in telling:
        length = len(file.lines[number]) + 1
        if length <= room:
            kept.append(number)
            room -= length
    return "\n".join([file.head, *(file.lines[number] for number in sorted(kept))])


def _is_idle(line: str, lines: Sequence[str]) -> bool:
    """Whether a line says nothing: empty, an import, or moved as it is."""
    if _EMPTY.match(line[1:]):
        return True
    other = ("-" if line[0] == "+" else "+") + line[1:]
    return other in lines
