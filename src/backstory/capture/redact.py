"""Secrets replaced by visible placeholders, with the way back from every offset."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from backstory.capture.folding import fold
from backstory.capture.packaged import packaged_text
from backstory.capture.patterns import SecretPattern

_PLACEHOLDER = re.compile(r"\[REDACTED:[a-z-]{1,24}\]")
_VALUE = r"[\"'`“‘]?([A-Za-z0-9_+/=.!@#$%^&*~?-]{4,300})"
# A value of random letters and digits carries more than 3 bits a character at 10 characters
# or more; English words carry about 2 to 3 (Shannon, 1951).
_ENTROPY_BITS_MIN = 3.0
_ENTROPY_CHARS_MIN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """One secret in a text: where it stood and what sort it is."""

    start: int
    end: int
    type: str

    @property
    def placeholder(self) -> str:
        """The text that stands for it."""
        return f"[REDACTED:{self.type}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A text without its secrets. `secrets` are spans of the original, in order, disjoint."""

    text: str
    original: str
    secrets: tuple[Secret, ...]

    def cut(self, start: int, end: int) -> str:
        """Return a span with placeholders; a secret cut in two is replaced whole."""
        parts: list[str] = []
        position = start
        for secret in self.secrets:
            if secret.end <= start or secret.start >= end:
                continue
            parts.append(self.original[position : max(position, secret.start)])
            parts.append(secret.placeholder)
            position = secret.end
        parts.append(self.original[position : max(position, end)])
        return "".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shapes:
    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    beside: tuple[re.Pattern[str], ...]  # surest link first
    weak: re.Pattern[str]  # words that name a secret only beside a random value


@lru_cache(maxsize=1)
def _shapes() -> _Shapes:
    import tomllib  # noqa: PLC0415 - slow to load, and most prompts do without

    tables = tomllib.loads(packaged_text(__spec__, "data/secrets.toml"))
    weak = "|".join(tables["beside"]["weak"])
    words = "|".join(tables["beside"]["words"]) + "|" + weak
    # An ASCII word must not continue a longer one, but may follow "_" as in DB_PASSWORD.
    before = r"(?<![A-Za-z0-9])"
    quote = r"[\"'`]?"
    return _Shapes(
        patterns=tuple(
            (shape["type"], re.compile(shape["pattern"], re.DOTALL)) for shape in tables["shape"]
        ),
        beside=tuple(
            re.compile(f"{before}({words}){quote}{link}{_VALUE}", re.IGNORECASE)
            for link in tables["beside"]["links"]
        ),
        weak=re.compile(weak, re.IGNORECASE),
    )


class _Own:
    """The patterns of a person that are in force in this process."""

    patterns: tuple[SecretPattern, ...] = ()


def also_redact(patterns: Iterable[SecretPattern]) -> None:
    """Let these patterns of a person count as secrets, too, as long as this process runs.

    All that is derived is redacted at many places, and no place may miss one: therefore they
    hold for the whole process, and whoever opens a memory names those of its settings. Where
    several projects are open in one process, the patterns of each hold for all of them.
    """
    new = [pattern for pattern in patterns if pattern not in _Own.patterns]
    if new:
        _Own.patterns = (*_Own.patterns, *new)


def redact(text: str) -> Redacted:
    """Replace what looks like a secret by `[REDACTED:type]`.

    Found are keys and tokens by their published prefixes, PEM private keys, JWTs, user
    information in URLs, `<private>` parts, values beside a word such as "password" or
    "口令", and what a person's own patterns match. Redacting twice changes nothing more.
    """
    return _redacted(text, _Own.patterns)


# The drafts of one turn ask for it again and again; a few texts are kept.
@lru_cache(maxsize=4)
def _redacted(text: str, own: tuple[SecretPattern, ...]) -> Redacted:
    shapes = (*_shapes().patterns, *((pattern.name, pattern.shape) for pattern in own))
    secrets = _disjoint(_shaped(text, shapes) + _beside(text), text)
    parts: list[str] = []
    position = 0
    for secret in secrets:
        parts.append(text[position : secret.start])
        parts.append(secret.placeholder)
        position = secret.end
    parts.append(text[position:])
    return Redacted(text="".join(parts), original=text, secrets=secrets)


def _shaped(text: str, shapes: Sequence[tuple[str, re.Pattern[str]]]) -> list[Secret]:
    found: list[Secret] = []
    for type_, pattern in shapes:
        for match in pattern.finditer(text):
            group = match.lastindex or 0
            start, end = match.span(group)
            found.append(Secret(start=start, end=end, type=type_))
    return found


def _beside(text: str) -> list[Secret]:
    found: list[Secret] = []
    wide = fold(text, lower=False)
    shapes = _shapes()
    for certainty, pattern in zip(_CERTAINTIES, shapes.beside, strict=True):
        for match in pattern.finditer(wide):
            value = match.group(2).rstrip(".,;:!?")
            is_weak = shapes.weak.fullmatch(match.group(1)) is not None
            if (_is_random if is_weak else certainty)(value):
                start = match.start(2)
                found.append(Secret(start=start, end=start + len(value), type="password"))
    return found


def _is_assigned(value: str) -> bool:
    """Whether a value after "=" or ":" is one: all but plain short words."""
    return _is_told(value) or (len(value) >= 6 and value.isalpha() and value not in _PLAIN)


def _is_told(value: str) -> bool:
    """Whether a value after "is" is one: it has a digit, or marks inside, or mixed case."""
    if len(value) < 4 or value.lower() in _PLAIN or "://" in value:
        return False
    has_digit = any(c.isdigit() for c in value)
    has_mark = any(not c.isalnum() and c not in "-_./" for c in value)
    return has_digit or has_mark or (value[1:].lower() != value[1:] and not value.isupper())


def _is_random(value: str) -> bool:
    """Whether a value that only stands beside the word looks random."""
    if len(value) < _ENTROPY_CHARS_MIN or "/" in value or "." in value:
        return False
    has_both = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return has_both and _entropy_bits(value) >= _ENTROPY_BITS_MIN


def _entropy_bits(value: str) -> float:
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())


_CERTAINTIES = (_is_assigned, _is_told, _is_random)

_PLAIN = frozenset(
    {
        "true",
        "false",
        "null",
        "none",
        "string",
        "required",
        "optional",
        "password",
        "secret",
        "token",
    }
)


def _disjoint(found: list[Secret], text: str) -> tuple[Secret, ...]:
    """Return the secrets in order, the longest where two overlap, none of them a placeholder."""
    taken = [match.span() for match in _PLACEHOLDER.finditer(text)]
    kept: list[Secret] = []
    for secret in sorted(found, key=lambda s: (s.start, -s.end)):
        is_placeholder = any(secret.start < end and secret.end > start for start, end in taken)
        if secret.end <= secret.start or is_placeholder:
            continue
        if kept and secret.start < kept[-1].end:
            end = max(kept[-1].end, secret.end)
            kept[-1] = Secret(start=kept[-1].start, end=end, type=kept[-1].type)
        else:
            kept.append(secret)
    return tuple(kept)
