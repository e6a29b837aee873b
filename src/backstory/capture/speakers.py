"""Which characters of a user-role message a person really wrote: told by structure alone."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from backstory.capture.folding import fold

Span = tuple[int, int]

# A name of 64 and attributes of 500 characters are far above what hosts write; the bound
# keeps the scan linear on text full of "<".
_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,63})(\s[^<>]{0,500})?(/?)>")
_OUR_FENCE = "backstory-"
# A message that begins so is a command: what follows is the text that the host made of it.
_COMMAND = ("<command-name>", "<command-message>")
_OPENING_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wrappers:
    unclosed: frozenset[str]
    whole_message: re.Pattern[str]
    marks: re.Pattern[str]


@lru_cache(maxsize=1)
def _wrappers() -> _Wrappers:
    source = files("backstory.capture").joinpath("data/wrappers.toml")
    words = tomllib.loads(source.read_text(encoding="utf-8"))
    return _Wrappers(
        unclosed=frozenset(words["unclosed"]),
        whole_message=re.compile("|".join(f"(?:{part})" for part in words["whole_message"])),
        marks=re.compile("|".join(f"(?:{part})" for part in words["marks"]), re.IGNORECASE),
    )


def human_spans(text: str) -> tuple[Span, ...]:
    """Return the spans of a user-role message that are the human's own words, in order.

    Left out are reminders, notifications, hook and command wrappers, recalled memories,
    compaction summaries and every other matched pair of tags. A host's wrapper or one of our
    own fences that is never closed reaches to the end of the text.
    """
    wrappers = _wrappers()
    opening = fold(text[:_OPENING_CHARS]).lstrip()
    if wrappers.whole_message.match(opening) or opening.startswith(_COMMAND):
        return ()
    foreign = _wrapped_spans(text, wrappers.unclosed)
    foreign.extend(match.span() for match in wrappers.marks.finditer(text))
    return tuple(span for span in _gaps(foreign, len(text)) if not _is_blank(text, span))


def _wrapped_spans(text: str, unclosed: frozenset[str]) -> list[Span]:
    spans: list[Span] = []
    waiting: dict[str, list[int]] = {}
    for match in _TAG.finditer(text):
        closing, name, attributes, is_empty = match.groups()
        name = name.lower()
        # Only the same nonce closes one of our fences: content cannot forge it.
        key = name + (attributes or "").strip() if name.startswith(_OUR_FENCE) else name
        if is_empty:
            spans.append(match.span())
        elif not closing:
            waiting.setdefault(key, []).append(match.start())
        elif waiting.get(key):
            spans.append((waiting[key].pop(), match.end()))
        elif name in unclosed or name.startswith(_OUR_FENCE):
            spans.append(match.span())
    for key, starts in waiting.items():
        if starts and (key in unclosed or key.startswith(_OUR_FENCE)):
            spans.append((starts[0], len(text)))
    return spans


def _gaps(spans: list[Span], length: int) -> list[Span]:
    """Return what the spans leave of a text, in order."""
    gaps: list[Span] = []
    position = 0
    for start, end in sorted(spans):
        if start > position:
            gaps.append((position, start))
        position = max(position, end)
    if position < length:
        gaps.append((position, length))
    return gaps


def _is_blank(text: str, span: Span) -> bool:
    return not text[span[0] : span[1]].strip()
