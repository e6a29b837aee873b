"""How much two statements share: enough to be the same, or to be meant by the other. Pure."""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from backstory.capture.wording import is_negated, main_part, signature_of

_Named = TypeVar("_Named")


def fingerprint_of(statement: str) -> str:
    """Return a hash that wordings of one statement share, and that tells no words."""
    polarity = "no" if is_negated(statement) else "yes"
    words = " ".join((polarity, *signature_of(main_part(statement))))
    return hashlib.sha256(words.encode()).hexdigest()[:32]


def says_the_same(one: str, other: str) -> bool:
    """Whether two statements differ in grammar and insistence alone.

    Every word that tells something must be in both: "in methods" and "in functions" differ in
    one word of ten and are two rules. That is stricter than any share of words in common.
    """
    signature = signature_of(main_part(one))
    return (
        bool(signature)
        and signature == signature_of(main_part(other))
        and is_negated(one) == is_negated(other)
    )


class Rarity:
    """How much a term tells, by how few of the statements hold it."""

    def __init__(self, statements: Iterable[Sequence[str]]) -> None:
        self._counts: Counter[str] = Counter()
        self._total = 0
        for terms in statements:
            self.add(terms)

    def add(self, terms: Sequence[str]) -> None:
        """Count one statement more."""
        self._counts.update(set(terms))
        self._total += 1

    def take_out(self, terms: Sequence[str]) -> None:
        """Count one statement less."""
        self._counts.subtract(set(terms))
        self._total -= 1

    def weight(self, term: str) -> float:
        """Return the inverse document frequency, as BM25 has it, never under zero."""
        count = self._counts[term]
        return math.log(1 + (self._total - count + 0.5) / (count + 0.5))

    def is_telling(self, term: str) -> bool:
        """Whether so few statements hold the term that it can tell one from another."""
        return self._counts[term] <= max(2, self._total // 20)

    def sum_of(self, terms: Iterable[str]) -> float:
        """Return how much terms tell together."""
        return sum(self.weight(term) for term in terms)


@dataclass(frozen=True, slots=True)
class Match(Generic[_Named]):
    """How well an entry fits: 0 for nothing in common, 1 for all that was asked."""

    entry: _Named
    score: float


def ranked(
    asked: Sequence[str], entries: Mapping[_Named, Sequence[str]], *, rarity: Rarity
) -> list[Match[_Named]]:
    """Rank entries by the share of what was asked that they hold, and of what they say."""
    wanted = set(asked)
    total = rarity.sum_of(wanted)
    matches = []
    for entry, terms in entries.items():
        shared = rarity.sum_of(wanted & set(terms))
        if shared > 0:
            own = rarity.sum_of(set(terms))
            matches.append(Match(entry, max(shared / total, shared / own if own else 0.0)))
    return sorted(matches, key=lambda match: -match.score)


def clear_best(
    matches: Sequence[Match[_Named]], *, threshold: float, margin: float
) -> Match[_Named] | None:
    """Return the first match if it is good enough and well before the second; else None."""
    if not matches or matches[0].score < threshold:
        return None
    if len(matches) > 1 and matches[0].score < margin * matches[1].score:
        return None
    return matches[0]
