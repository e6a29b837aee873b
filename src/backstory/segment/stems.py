"""English word stems: Snowball's English stemmer after irregular forms and spellings."""

from functools import lru_cache
from typing import Protocol

from backstory.segment.wordlists import pairs

# A longer run of letters is a key, a hash or a mistake: it has no plural.
_STEMMED_CHARS_MAX = 32


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; what is not plain English letters stays as it is."""
    if len(word) < 3 or len(word) > _STEMMED_CHARS_MAX or not (word.isascii() and word.isalpha()):
        return word
    return _english().stemWord(pairs("irregular_en").get(word, word))


@lru_cache(maxsize=1)
def _english() -> _Stemmer:
    # Imported when the first English word comes by: the package loads thirty languages.
    from snowballstemmer.english_stemmer import EnglishStemmer  # noqa: PLC0415

    stemmer: _Stemmer = EnglishStemmer()
    return stemmer
