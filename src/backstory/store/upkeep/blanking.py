"""Putting a visible filler in the place of words, so that no offset moves. Pure."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

_OPENING, _FILL, _CLOSING = "[ERASED", "█", "]"
# How every filler begins that stands for words worth looking for elsewhere.
ERASED = _OPENING + _FILL

# Shorter words are too likely to stand elsewhere for another reason.
_NEEDLE_CHARS_MIN = 12


def filler(length: int) -> str:
    """Return a text of exactly this length that says that something was erased."""
    room = length - len(_OPENING) - len(_CLOSING)
    return _FILL * length if room < 0 else f"{_OPENING}{_FILL * room}{_CLOSING}"


def blank_span(text: str, *, start: int, end: int) -> str:
    """Return the text with a filler of the same length in the place of a span."""
    end = min(end, len(text))
    return text[:start] + filler(end - start) + text[end:] if start < end else text


def needles_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts that are long enough to be looked for elsewhere, longest first."""
    return tuple(
        sorted({text for text in texts if len(text) >= _NEEDLE_CHARS_MIN}, key=len, reverse=True)
    )


def blank_words(text: str, needles: Sequence[str]) -> str:
    """Return the text with a filler wherever one of the needles stands."""
    for needle in needles:
        text = text.replace(needle, filler(len(needle)))
    return text


def blank_json(text: str, needles: Sequence[str]) -> str:
    """Return a JSON text with a filler wherever a string in it holds one of the needles."""
    return json.dumps(_blanked(json.loads(text), needles), ensure_ascii=False)


def _blanked(value: Any, needles: Sequence[str]) -> Any:
    if isinstance(value, str):
        return blank_words(value, needles)
    if isinstance(value, list):
        return [_blanked(part, needles) for part in value]
    if isinstance(value, dict):
        return {
            blank_words(name, needles): _blanked(part, needles) for name, part in value.items()
        }
    return value


def byte_forms(needles: Sequence[str]) -> tuple[bytes, ...]:
    """Return how the needles may stand in a file: as they are, and as JSON writes them."""
    forms = {needle.encode() for needle in needles}
    for ascii_only in (True, False):
        forms |= {json.dumps(n, ensure_ascii=ascii_only)[1:-1].encode() for n in needles}
    return tuple(sorted(forms))
