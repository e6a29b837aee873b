"""The parts of a commit message: subject, prose, trailers and what it refers to. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

# `type(scope)!: subject`, https://www.conventionalcommits.org/en/v1.0.0/
_TYPES = frozenset(
    {"feat", "feature", "fix", "bugfix", "hotfix", "docs", "doc", "style", "refactor", "perf"}
    | {"test", "tests", "build", "ci", "chore", "revert", "security", "deps", "release", "wip"}
)
_HEAD = re.compile(
    r"^(?P<type>[A-Za-z]+)(?:\((?P<scope>[^()\n]{1,60})\))?(?P<mark>!)?:\s+(?P<rest>\S.*)$"
)
# "http2: fix …", "GHA/linux: …", "builtin/gc.c, pack: …": the part of the project comes first.
_AREA = re.compile(r"^(?P<area>[\w./*+@ ,-]{1,48}?):\s+(?P<rest>\S.*)$")

# `Name-of-trailer: value`, https://git-scm.com/docs/git-interpret-trailers
_TRAILER = re.compile(r"^(?P<key>[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+)\s*:\s+(?P<value>\S.*)$")
# Words that many projects use the same way, with a colon or without one.
_NOTE = re.compile(
    r"^(?P<key>follow(?:\s|-)?up\s+(?:to|of|from|for)"
    r"|clos(?:e|es|ed)|fix(?:es|ed)?|resolv(?:e|es|ed)|refs?|bug|issue|link|url|see(?:\s+also)?"
    r"|cc|revert(?:s|ed)?|partially\s+reverts|supersedes|backport(?:s|ed)?\s+(?:of|from))"
    r"(?P<colon>\s*:)?\s+(?P<value>\S.*)$",
    re.IGNORECASE,
)
# Without a colon a number, an address or a hash must follow: "fix the build" is prose.
_POINTER = re.compile(
    r"^(?:#\d|[A-Z][A-Z0-9]+-\d|https?://|(?:commit\s+)?[0-9a-f]{7,64}\b)", re.IGNORECASE
)
_HASH = re.compile(r"(?<![\w/.#-])(?=[a-f]*[0-9])[0-9a-f]{7,64}(?![\w-])", re.IGNORECASE)
_MARK = "\x00"
# `1a2b3c4 (subject, 2024-05-06)`: git's reference format quotes the earlier subject.
_QUOTED_TITLE = re.compile(_MARK + r"\s*\((?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trailer:
    """A line of a message for programs: its key in lower case, and the value as written."""

    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A commit message in its parts."""

    subject: str
    body: str  # prose: without trailers
    trailers: tuple[Trailer, ...]
    type: str | None  # of a conventional commit, lower case
    areas: tuple[str, ...]  # the scope, or the part that the subject names before its colon
    is_breaking: bool


@lru_cache(maxsize=4)  # several readers look at one message, one after the other
def parse_message(text: str) -> Message:
    """Take a message apart. Every line is kept in one of the parts."""
    subject, _, rest = text.strip().partition("\n")
    prose: list[str] = []
    trailers: list[Trailer] = []
    for line in rest.splitlines():
        found = trailer_of(line)
        if found is None or (trailers and line[:1].isspace()):
            prose.append(line)
        else:
            trailers.append(found)
    head = _HEAD.match(subject)
    kind = head["type"].lower() if head and head["type"].lower() in _TYPES else None
    return Message(
        subject=subject.strip(),
        body="\n".join(prose).strip(),
        trailers=tuple(trailers),
        type=kind,
        areas=_areas(subject, head if kind else None),
        is_breaking=bool(kind and head and head["mark"])
        or any(t.key in {"breaking-change", "breaking change"} for t in trailers),
    )


def trailer_of(line: str) -> Trailer | None:
    """Return the trailer that a line is, or None for prose."""
    line = line.strip()
    named = _TRAILER.match(line)
    if named:
        return Trailer(key=named["key"].lower(), value=named["value"].strip())
    note = _NOTE.match(line)
    if note and (note["colon"] or _POINTER.match(note["value"])):
        key = "-".join(note["key"].lower().split())
        return Trailer(key=key, value=note["value"].strip())
    return None


def hashes(text: str) -> tuple[str, ...]:
    """Return what looks like commit hashes in a text, lower case, each once."""
    return tuple(dict.fromkeys(found[0].lower() for found in _HASH.finditer(text)))


def without_hashes(text: str, *, and_titles: bool = False) -> str:
    """Return a text without hashes, and if asked without the subjects quoted behind them."""
    marked = _HASH.sub(_MARK, text)
    if and_titles:
        marked = _QUOTED_TITLE.sub(_MARK, marked)
    return marked.replace(_MARK, "")


def bare_subject(subject: str) -> str:
    """Return what a subject says, without its type, scope or area."""
    head = _HEAD.match(subject)
    if head and head["type"].lower() in _TYPES:
        return head["rest"]
    area = _AREA.match(subject)
    return area["rest"] if area and "  " not in area["area"] else subject


def _areas(subject: str, head: re.Match[str] | None) -> tuple[str, ...]:
    if head is not None:
        named = head["scope"] or ""
    else:
        area = _AREA.match(subject)
        named = area["area"] if area else ""
    return tuple(part for part in re.split(r"[,\s]+", named.strip()) if part)
