"""A text longer than a question as several questions: one for each of its sentences. Pure."""

import re
from collections.abc import Sequence

from backstory.model.limits import QUERY_CHARS_MAX
from backstory.model.recall import Cues
from backstory.recall.asking.question import Asked, understand
from backstory.segment.terms import name_key
from backstory.segment.tokens import normalise

# A message is asked about at its beginning or its end; what is pasted stands between.
_CLAUSES_AT_EACH_END = 12
_READ_CHARS_MAX = 8_000
_END = r"(?<=[.!?;])\s+|[。！？；\n]+"


def asked_of(text: str, cues: Cues, *, now_ms: int) -> tuple[Asked, ...]:
    """Return what a text asks for: itself, or the sentences of one too long for a question.

    A question has at most 256 characters once it is normalised. Of longer texts the first and
    the last sentences are taken apart, each cut to that length.
    """
    if len(text) <= _READ_CHARS_MAX and len(name_key(text)) <= QUERY_CHARS_MAX:
        return (understand(text, cues, now_ms=now_ms),)
    if len(text) > _READ_CHARS_MAX:
        text = f"{text[: _READ_CHARS_MAX // 2]}\n{text[-_READ_CHARS_MAX // 2 :]}"
    sentences = [part.strip() for part in re.split(_END, normalise(text)) if part.strip()]
    asked = [
        understand(sentence[:QUERY_CHARS_MAX], cues, now_ms=now_ms)
        for sentence in _at_both_ends(sentences)
    ]
    return tuple(one for one in asked if one.units) or (asked[0],)


def _at_both_ends(sentences: Sequence[str]) -> Sequence[str]:
    if len(sentences) <= 2 * _CLAUSES_AT_EACH_END:
        return sentences
    return [*sentences[:_CLAUSES_AT_EACH_END], *sentences[-_CLAUSES_AT_EACH_END:]]
