"""English word stems: Snowball's English stemmer after irregular forms and spellings."""

import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from types import ModuleType
from typing import TYPE_CHECKING

from backstory.segment.wordlists import pairs

if TYPE_CHECKING:
    from snowballstemmer.english_stemmer import EnglishStemmer

# A longer run of letters is a key, a hash or a mistake: it has no plural.
_STEMMED_CHARS_MAX = 32
_BUCKET_CHARS = 2


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; what is not plain English letters stays as it is."""
    if len(word) < 3 or len(word) > _STEMMED_CHARS_MAX or not (word.isascii() and word.isalpha()):
        return word
    stemmed: str = _english().stemWord(_regular(word))
    return stemmed


class AnyForm:
    """Words, known by the stem of any of their forms.

    A stem begins like its word, so that only words of the same beginning are ever stemmed:
    a question pays for its own words, not for the whole list.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words: dict[str, list[str]] = {}
        for word in map(_regular, words):
            self._words.setdefault(word[:_BUCKET_CHARS], []).append(word)

    def __contains__(self, stemmed: str) -> bool:
        """Whether it is the stem of one of the words."""
        head = stemmed[:-1]  # "tri" is the stem of "try"
        words = self._words.get(stemmed[:_BUCKET_CHARS], ())
        return any(word.startswith(head) and stem(word) == stemmed for word in words)


def _regular(word: str) -> str:
    return pairs("irregular_en").get(word, word)


@lru_cache(maxsize=1)
def _english() -> "EnglishStemmer":
    """Load the one stemmer of thirty that is needed.

    The package imports all its languages in its `__init__`, which takes longer than a recall.
    A bare package of another name over the same directory loads this one alone.
    """
    found = PathFinder.find_spec("snowballstemmer")
    assert found is not None
    alias = ModuleType("backstory_snowballstemmer")
    alias.__path__ = list(found.submodule_search_locations or ())
    sys.modules.setdefault(alias.__name__, alias)
    stemmer: EnglishStemmer = import_module(f"{alias.__name__}.english_stemmer").EnglishStemmer()
    return stemmer
