"""How much a term says in this store. Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

# A small store cannot tell rare words from common ones: it is judged as if it had so many.
_ENTRIES_MIN = 100
# In a large store a word that nobody used must not outweigh every word that somebody did.
_MOST = 7.0


@dataclass(frozen=True, slots=True)
class Rarity:
    """Counts of entries, in all and for each term."""

    entries: int
    counts: Mapping[str, int]

    def knows(self, term: str) -> bool:
        """Whether any entry holds the term."""
        return term in self.counts

    def of(self, term: str) -> float:
        """Return the inverse document frequency (that of BM25), of an unknown term too."""
        total, held = max(self.entries, _ENTRIES_MIN), self.counts.get(term, 0)
        return min(_MOST, math.log(1 + (total - min(held, total) + 0.5) / (held + 0.5)))
