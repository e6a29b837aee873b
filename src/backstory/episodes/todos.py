"""Whether a later episode did what an earlier one left open. Pure."""

from collections.abc import Sequence
from functools import lru_cache

from backstory.episodes.finding.words import path_words
from backstory.segment.terms import is_generic_word, is_stop_word
from backstory.segment.tokens import Run, tokens

_SHARE_WITH_FILE = 0.5
_SHARE_ALONE = 0.8
_WORDS_MIN = 2


def is_done(todo: str, files: Sequence[str], *, later: str, later_files: Sequence[str]) -> bool:
    """Whether the words of a later message, and its files, do what a todo asks for.

    With a file in common half of the todo's telling words must stand in the later message
    or its paths, without one nearly all; two words at least. A later message that itself
    leaves it open is the caller's to leave out.
    """
    wanted = _telling(todo)
    said = wanted & _telling(later)
    if len(said) < _WORDS_MIN:
        return False
    found = said | (wanted & path_words(later_files))
    share = _SHARE_WITH_FILE if set(files) & set(later_files) else _SHARE_ALONE
    return len(found) >= share * len(wanted)


@lru_cache(maxsize=4_096)
def _telling(text: str) -> frozenset[str]:
    found: set[str] = set()
    for token in tokens(text):
        if isinstance(token, Run):
            found.update(token.pairs)
        elif not is_stop_word(token):
            found.update(part.term for part in token.parts if not is_generic_word(part))
    return frozenset(found)
