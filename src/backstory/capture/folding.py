"""Folding of text for comparison: width, script and case, with every offset kept."""

import unicodedata
from functools import lru_cache

from backstory.capture.packaged import packaged_text


class _FoldTable(dict[int, str]):
    """A translation table that works out a character when it is first met.

    The table grows with the distinct characters seen, never with the text.
    """

    def __init__(self, *, is_lower: bool) -> None:
        super().__init__()
        self._is_lower = is_lower

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code), is_lower=self._is_lower)
        self[code] = folded
        return folded


def fold(text: str, *, lower: bool = True) -> str:
    """Return the text with widths, traditional characters and (if `lower`) case folded.

    The result has exactly as many characters as the text, so a span found in it cuts the
    same words from the original. A character whose folded form is longer stays as it is.
    """
    return text.translate(_lower_table() if lower else _plain_table())


@lru_cache(maxsize=1)
def _lower_table() -> _FoldTable:
    return _FoldTable(is_lower=True)


@lru_cache(maxsize=1)
def _plain_table() -> _FoldTable:
    return _FoldTable(is_lower=False)


def _fold_character(character: str, *, is_lower: bool) -> str:
    wide = unicodedata.normalize("NFKC", character)
    if len(wide) == 1:
        character = wide
    character = _simplified().get(character, character)
    if not is_lower:
        return character
    small = character.lower()
    return small if len(small) == 1 else character


@lru_cache(maxsize=1)
def _simplified() -> dict[str, str]:
    """Return the traditional characters and what each folds to."""
    source = packaged_text(__spec__, "data/trad_simp.txt")
    pairs: dict[str, str] = {}
    for line in source.splitlines():
        if line and not line.startswith("#"):
            traditional, simplified = line.split(" ")
            pairs.update(zip(traditional, simplified, strict=True))
    return pairs
