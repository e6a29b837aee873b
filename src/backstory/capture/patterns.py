r"""A person's own patterns of what is secret: read strictly, and quick on whatever text. Pure.

Python's `re` tries one way after the other, so that a pattern such as `(a+)+b` takes longer than
anybody lives on a few dozen letters, and these run on all that is said. Therefore a pattern is
read here first, by the part of the syntax that the reference documents, and refused where it could
try too many ways at one place: a repeated part holds no repetition or choice, and all counts
together have a bound. A part that ends the pattern needs none, since nothing after it can make it
try again.
"""

import math
import re
from dataclasses import dataclass

PATTERN_CHARS_MAX = 300
PATTERNS_MAX = 50
# How many ways may be tried at one place: a megabyte on which all of them fail takes about four
# seconds (measured with `[a-z]{1,40}[a-z]{1,40}X` on letters alone). A conservative guess.
_WAYS_MAX = 2_048
# What `+`, `*` and `{2,}` stand for where something follows. No key is longer between its marks.
_OPEN_MAX = 256
_COUNT_MAX = 1_000

_NAME = re.compile(r"[a-z][a-z-]{0,23}")
_CASELESS = "(?i)"
_ESCAPED = frozenset("dDwWsSbBnrt")
_MARKS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_COUNT = re.compile(r"\{(\d{0,4})(?:(,)(\d{0,4}))?\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretPattern:
    """One pattern that passed. Where it has a group, that part alone is the secret."""

    name: str  # small letters and hyphens: it stands in the placeholder
    shape: re.Pattern[str]


def secret_pattern(written: str, *, name: str = "custom") -> SecretPattern:
    """Read one pattern. Raises `ValueError` saying what is wrong with it, and where.

    A leading `(?i)` makes letter case not matter; `^` and `$` are the ends of a line.
    """
    if _NAME.fullmatch(name) is None:
        raise ValueError(f"the name {name!r} is not 1 to 24 small letters and hyphens")
    if not 0 < len(written) <= PATTERN_CHARS_MAX:
        raise ValueError(f"a pattern has 1 to {PATTERN_CHARS_MAX} characters")
    flags = re.MULTILINE | (re.IGNORECASE if written.startswith(_CASELESS) else 0)
    pattern = written.removeprefix(_CASELESS)
    try:
        re.compile(pattern, flags)
    except (re.error, OverflowError) as error:
        raise ValueError(f"{written!r} is no regular expression: {error}") from error
    whole = _weighed(_Reading(pattern).whole(), is_last=True)
    if whole.shortest == 0:
        raise ValueError(f"{written!r} can match nothing at all")
    if whole.ways > _WAYS_MAX:
        raise ValueError(
            f"{written!r} may try {whole.ways} ways at one place, and {_WAYS_MAX} are the most: "
            "say how long its parts are, such as {1,40} instead of +"
        )
    return SecretPattern(name=name, shape=re.compile(whole.text, flags))


@dataclass(frozen=True, slots=True)
class _Piece:
    """One character, set or edge."""

    text: str
    width: int


@dataclass(frozen=True, slots=True)
class _Repeat:
    """A part that is repeated; `most` is None where it is open."""

    part: "_Node"
    least: int
    most: int | None
    is_lazy: bool


@dataclass(frozen=True, slots=True)
class _Choice:
    """Alternatives, each a sequence; with `opening` they stand in brackets."""

    branches: "tuple[tuple[_Node, ...], ...]"
    opening: str = ""


_Node = _Piece | _Repeat | _Choice


class _Reading:
    """Reads a pattern that is known to be a regular expression, from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._has_group = False

    def whole(self) -> _Choice:
        """Return the pattern's parts. Raises `ValueError` for syntax that is not read here."""
        return self._choice("")

    def _choice(self, opening: str) -> _Choice:
        branches = [self._branch()]
        while self._took("|"):
            branches.append(self._branch())
        return _Choice(tuple(branches), opening)

    def _branch(self) -> tuple[_Node, ...]:
        parts: list[_Node] = []
        while self._next() not in {"", "|", ")"}:
            parts.append(self._repeated(self._part()))
        return tuple(parts)

    def _repeated(self, part: _Node) -> _Node:
        bounds = self._bounds()
        if bounds is None:
            return part
        least, most = bounds
        if max(least, most or 0) > _COUNT_MAX:
            raise self._refused(f"counts beyond {_COUNT_MAX}")
        is_lazy = self._took("?")
        if self._next() == "+":
            raise self._refused("repeats a repetition")
        return _Repeat(part, least, most, is_lazy)

    def _bounds(self) -> tuple[int, int | None] | None:
        for mark, bounds in _MARKS.items():
            if self._took(mark):
                return bounds
        found = _COUNT.match(self._pattern, self._at)
        if found is None:
            return None
        self._at = found.end()
        low, comma, high = found.groups()
        least = int(low or 0)
        if not comma:
            return least, least
        return least, int(high) if high else None

    def _part(self) -> _Node:
        first = self._next()
        match first:
            case "(":
                return self._group()
            case "[":
                return self._set()
            case "\\":
                return self._escape()
            case "{" | "}":
                raise self._refused(f"has a bare {first}: write \\{first}")
        self._at += 1
        return _Piece(first, 0 if first in "^$" else 1)

    def _group(self) -> _Choice:
        opening = "(?:" if self._took("(?:") else "("
        if opening == "(":
            self._at += 1
            if self._next() == "?":
                raise self._refused("uses `(?`: only (?:…), and (?i) in front, are read")
            if self._has_group:
                raise self._refused("has more than one group: write (?:…)")
            self._has_group = True
        inner = self._choice(opening)
        self._at += 1  # the closing bracket
        return inner

    def _set(self) -> _Piece:
        start = self._at
        self._at += 1
        self._took("^")
        self._took("]")
        while not self._took("]"):
            self._at += 2 if self._next() == "\\" else 1
        return _Piece(self._pattern[start : self._at], 1)

    def _escape(self) -> _Piece:
        letter = self._pattern[self._at + 1]
        if letter.isalnum() and letter not in _ESCAPED:
            raise self._refused(f"uses \\{letter}, which is not read here")
        self._at += 2
        return _Piece(f"\\{letter}", 0 if letter in "bB" else 1)

    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _took(self, mark: str) -> bool:
        if not self._pattern.startswith(mark, self._at):
            return False
        self._at += len(mark)
        return True

    def _refused(self, because: str) -> ValueError:
        return ValueError(f"{self._pattern!r} {because} (at character {self._at + 1})")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighed:
    """A part as it is compiled, its least length, and the ways that it may be tried in."""

    text: str
    shortest: int
    ways: int
    is_plain: bool  # holds no repetition and no choice


def _weighed(node: _Node, *, is_last: bool) -> _Weighed:
    match node:
        case _Piece(text, width):
            return _Weighed(text=text, shortest=width, ways=1, is_plain=True)
        case _Repeat():
            return _weighed_repeat(node, is_last=is_last)
        case _Choice():
            return _weighed_choice(node, is_last=is_last)


def _weighed_repeat(node: _Repeat, *, is_last: bool) -> _Weighed:
    part = _weighed(node.part, is_last=is_last and node.most == 1)
    if not part.is_plain and (node.least, node.most) != (0, 1):
        raise ValueError(f"{part.text!r} holds a repetition or a choice and is itself repeated")
    is_open = node.most is None
    most = max(node.least, _OPEN_MAX) if node.most is None else node.most
    upper = "" if is_open and is_last else str(most)
    return _Weighed(
        text=f"{part.text}{{{node.least},{upper}}}{'?' if node.is_lazy else ''}",
        shortest=part.shortest * node.least,
        ways=part.ways * (1 if is_last else most - node.least + 1),
        is_plain=False,
    )


def _weighed_choice(node: _Choice, *, is_last: bool) -> _Weighed:
    branches = [_weighed_branch(branch, is_last=is_last) for branch in node.branches]
    text = "|".join(branch.text for branch in branches)
    return _Weighed(
        text=f"{node.opening}{text})" if node.opening else text,
        shortest=min(branch.shortest for branch in branches),
        ways=sum(branch.ways for branch in branches),
        is_plain=len(branches) == 1 and branches[0].is_plain,
    )


def _weighed_branch(nodes: tuple[_Node, ...], *, is_last: bool) -> _Weighed:
    ends = len(nodes) - 1
    parts = [_weighed(node, is_last=is_last and at == ends) for at, node in enumerate(nodes)]
    return _Weighed(
        text="".join(part.text for part in parts),
        shortest=sum(part.shortest for part in parts),
        ways=math.prod(part.ways for part in parts),
        is_plain=all(part.is_plain for part in parts),
    )
