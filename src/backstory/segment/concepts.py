"""Concepts of the trade that have a word in two languages: one term finds both. Pure."""

import re
from functools import lru_cache

from backstory.segment.stems import StemTable
from backstory.segment.wordlists import lines


def concept_terms(word: str) -> tuple[str, ...]:
    """Return the concepts of an English stem: no word begins with an ampersand."""
    return _by_stem().of(word)


def concepts_in(run: str) -> tuple[tuple[int, int, str], ...]:
    """Return the concepts in a run of Chinese characters: start, end and term."""
    found: list[tuple[int, int, str]] = []
    for match in _words().finditer(run):
        found += [(match.start(), match.end(), term) for term in _by_word()[match[0]]]
    return tuple(found)


@lru_cache(maxsize=1)
def _by_word() -> dict[str, tuple[str, ...]]:
    return _table(is_english=False)


@lru_cache(maxsize=1)
def _by_stem() -> StemTable:
    return StemTable(_table(is_english=True))


def _table(*, is_english: bool) -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for line in lines("concepts"):
        name, *_ = words = line.split()
        for word in words:
            if word.isascii() is is_english:
                table[word] = (*table.get(word, ()), f"&{name}")
    return table


@lru_cache(maxsize=1)
def _words() -> re.Pattern[str]:
    longest_first = sorted(_by_word(), key=lambda word: (-len(word), word))
    return re.compile("|".join(longest_first))
