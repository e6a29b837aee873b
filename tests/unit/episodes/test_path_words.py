"""The words of paths are found without taking every path apart."""

import pytest

from backstory.episodes.finding.words import PathWords, path_words
from backstory.segment.terms import search_terms

PATHS = (
    "src/rateLimiter/caches.py",
    "docs/入门/缓存.md",
    "lib/vtls/openssl.c",
    "héros/Über.txt",
)


@pytest.mark.parametrize("asked", ["caching", "rate_limiter", "缓存", "OpenSSL", "uber", "héros"])
def test_word_that_stands_in_a_path_is_found_in_it(asked: str) -> None:
    terms = frozenset(search_terms(asked))

    assert PathWords(terms)(PATHS) == terms & path_words(PATHS)


def test_other_words_of_a_path_are_not_returned() -> None:
    assert PathWords(["openssl"])(PATHS) == {"openssl"}
    assert PathWords(["kubernetes"])(PATHS) == set()
    assert PathWords([])(PATHS) == set()
