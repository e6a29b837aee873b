"""The part of a text that holds most of what was looked for. Pure."""

import re
from collections.abc import Set as AbstractSet

from backstory.segment.terms import search_terms

EXCERPT_CHARS_MAX = 240
# A sentence, or as much of a very long one as an excerpt has room for.
_SENTENCE = re.compile(r"[^\n。！？!?]{1,160}?(?:[。！？!?\n]|\.(?=\s)|$)|[^\n]{1,160}|\n")
# A wall of text is searched no further than this for its best sentence.
_LOOKED_AT_MAX = 20_000


def excerpt(text: str, wanted: AbstractSet[str]) -> str:
    """Return the sentence that holds most of the terms, and what follows it, within bounds."""
    best, most = 0, 0
    for found in _SENTENCE.finditer(text, 0, _LOOKED_AT_MAX):
        held = len(wanted & set(search_terms(found[0]))) if found[0].strip() else 0
        if held > most:
            best, most = found.start(), held
    cut = " ".join(text[best : best + EXCERPT_CHARS_MAX * 2].split())
    if len(cut) > EXCERPT_CHARS_MAX:
        cut = cut[: EXCERPT_CHARS_MAX - 1] + "…"
    return cut if best == 0 else f"…{cut[: EXCERPT_CHARS_MAX - 1]}"
