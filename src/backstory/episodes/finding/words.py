"""The words of episodes and of what is asked about them, weighted by where they stand. Pure."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from backstory.segment.terms import search_terms

# A subject is written to be found by: one word of it counts as three of the text below.
_SUBJECT_WEIGHT = 3
# BM25's saturation (k1) and a mild correction for length (b), about the middle of what
# Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), report as useful.
# The pivot is fixed: an index that holds weights cannot follow a mean that moves.
_SATURATION = 1.2
_LENGTH_SHARE = 0.4
_PIVOT_WORDS = 100
_BEGINNING_CHARS = 3


def counted_words(subject: str, body: str) -> Counter[str]:
    """Return how often each term stands in a message, the subject's counted more."""
    counts = Counter(search_terms(body))
    for term in search_terms(subject):
        counts[term] += _SUBJECT_WEIGHT
    return counts


def saturated(counts: Mapping[str, int]) -> dict[str, float]:
    """Return each term's weight within its text: repetition counts less and less."""
    length = sum(counts.values())
    room = 1 - _LENGTH_SHARE + _LENGTH_SHARE * length / _PIVOT_WORDS
    scale = 1 + _SATURATION
    return {term: n * scale / (n + _SATURATION * room) for term, n in counts.items()}


def rarity(holders: int, entries: int) -> float:
    """Return how much a term tells that so many of the entries hold, above nought.

    The logarithm of BM25 to the power of one and a half: in a project's own history the
    common words of its trade would otherwise drown the one name that matters.
    """
    told = math.log(1 + (entries - holders + 0.5) / (holders + 0.5))
    return told * math.sqrt(told)


def path_words(paths: Iterable[str]) -> frozenset[str]:
    """Return the terms that stand in paths, segment by segment."""
    segments = {segment for path in paths for segment in path.split("/")}
    return frozenset().union(*map(_words_of, segments))


class PathWords:
    """Which of some terms stand in paths.

    The forms of a word begin alike, so a segment that holds no such beginning need not be
    taken apart. Beyond ASCII there are too many ways to write the same thing: it always is.
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = frozenset(terms)
        begun = sorted({re.escape(term[:_BEGINNING_CHARS]) for term in self._terms})
        self._may_hold = re.compile("|".join([r"[^\x00-\x7f]", *begun]), re.IGNORECASE)
        self._known: dict[str, frozenset[str]] = {}

    def __call__(self, paths: Iterable[str]) -> set[str]:
        """Return the terms that stand in these paths."""
        found: set[str] = set()
        for path in paths:
            for segment in path.split("/"):
                known = self._known.get(segment)
                found |= self._of(segment) if known is None else known
        return found

    def _of(self, segment: str) -> frozenset[str]:
        is_worth_it = self._may_hold.search(segment)
        known = self._terms & _words_of(segment) if is_worth_it else frozenset()
        self._known[segment] = known
        return known


@lru_cache(maxsize=65_536)
def _words_of(segment: str) -> frozenset[str]:
    return frozenset(search_terms(segment))
