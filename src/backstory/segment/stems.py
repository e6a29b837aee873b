"""English word stems: Snowball's English stemmer after irregular forms and spellings."""

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
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


class StemTable:
    """Values of words, found by the stem of any of their forms.

    A stem begins like its word, so that only words of the same beginning are ever stemmed:
    a question pays for its own words, not for the whole list.
    """

    def __init__(self, values: Mapping[str, tuple[str, ...]]) -> None:
        self._values = values
        self._words: dict[str, list[str]] = {}
        for word in values:
            self._words.setdefault(_regular(word)[:_BUCKET_CHARS], []).append(word)
        self._stemmed: dict[str, dict[str, tuple[str, ...]]] = {}

    def of(self, stemmed: str) -> tuple[str, ...]:
        """Return the values of the words with this stem."""
        beginning = stemmed[:_BUCKET_CHARS]
        table = self._stemmed.get(beginning)
        if table is None:
            # Whole when it is put there: another thread sees all of it or makes its own.
            table = self._stemmed[beginning] = self._table(beginning)
        return table.get(stemmed, ())

    def _table(self, beginning: str) -> dict[str, tuple[str, ...]]:
        table: dict[str, tuple[str, ...]] = {}
        for word in self._words.get(beginning, ()):
            key = stem(word)
            table[key] = tuple(dict.fromkeys((*table.get(key, ()), *self._values[word])))
        return table


def _regular(word: str) -> str:
    return pairs("irregular_en").get(word, word)


@lru_cache(maxsize=1)
def _english() -> "EnglishStemmer":
    """Load the one stemmer of thirty that is needed.

    The package imports all its languages in its `__init__`, which takes longer than a recall.
    A bare package of another name over the same directory loads this one alone.
    """
    found = find_spec("snowballstemmer")
    assert found is not None
    alias = ModuleType("backstory_snowballstemmer")
    alias.__path__ = list(found.submodule_search_locations or ())
    sys.modules.setdefault(alias.__name__, alias)
    stemmer: EnglishStemmer = import_module(f"{alias.__name__}.english_stemmer").EnglishStemmer()
    return stemmer
