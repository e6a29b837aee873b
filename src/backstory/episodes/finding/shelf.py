"""What finding episodes asks of whoever keeps them, and the form in which they are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An episode as recall compares it. Later episodes have higher numbers."""

    number: int
    words: Mapping[str, float]  # from `words.saturated`
    paths: tuple[str, ...]
    title: str  # the terms of the subject, joined by blanks
    names: tuple[int, ...] = ()  # earlier episodes that this one refers to
    named_by: tuple[int, ...] = ()  # later episodes that refer to this one


class Shelf(Protocol):
    """Keeps episodes by the words and paths that they hold."""

    def size(self) -> int:
        """Return how many episodes there are."""

    def now(self) -> int:
        """Return the number that the next episode would get."""

    def word_counts(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return how many episodes hold each of these terms; unknown ones are left out."""

    def path_counts(self, paths: Sequence[str]) -> Mapping[str, int]:
        """Return how many episodes touched each of these paths, under any earlier name too."""

    def with_word(self, term: str, limit: int) -> Sequence[int]:
        """Return the episodes that hold a term, newest first."""

    def with_path(self, path: str, limit: int) -> Sequence[int]:
        """Return the episodes that touched a path, under any earlier name too, newest first."""

    def entries(self, numbers: Sequence[int]) -> Sequence[Entry]:
        """Return these episodes, in any order."""

    def distances(self) -> Sequence[int]:
        """Return how often earlier episodes were referred to over 2**n to 2**(n+1) - 1 others."""
