"""The derived indexes as the core sees them: what finds entries, and what finds turns."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from backstory.model.ids import ThreadId
from backstory.model.turn import Turn
from backstory.ports.store_rows import Match, Miscount, NewDocument, Wanted


class Postings(Protocol):
    """The derived index of items and episodes."""

    def put(self, document: NewDocument) -> None:
        """Index an entry, in place of what was there."""

    def renew(self, document: NewDocument) -> None:
        """Index an entry anew in the place that it has; what is right already is not written."""

    def entry_ids(self) -> frozenset[str]:
        """Return all that is in the index."""

    def is_torn(self) -> bool:
        """Whether it holds terms of an entry that is not in it. Reads all of the index."""

    def miscounts(self) -> tuple[Miscount, ...]:
        """Return by how much counts differ from what entries hold. Reads all of the index."""

    def correct(self, found: Sequence[Miscount]) -> None:
        """Add what counts differ by, whatever was counted since that was found out."""

    def remove(self, entry_id: str) -> None: ...
    def clear(self) -> None: ...
    def totals(self, terms: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        """Return how many entries there are and the count of each known term, in one statement."""

    def spellings(self, words: Sequence[str], *, limit: int) -> Mapping[str, tuple[str, ...]]:
        """Return known words that share a half with each of these, or begin with it.

        It is one statement.
        """

    def matches(self, wanted: Wanted) -> tuple[Match, ...]:
        """Return what the best entries hold of the wanted terms, in one statement."""


class TurnTexts(Protocol):
    """The derived full text of raw turns, segmented by the caller."""

    def watermark(self) -> int:
        """Return the highest turn.seq that is indexed."""

    def remove(self, seqs: Sequence[int]) -> None:
        """Take turns out so that no byte of their words is left."""

    def put(self, rows: Sequence[tuple[int, str, str]]) -> None:
        """Index turns as (seq, user terms, answer terms), terms separated by spaces."""

    def clear(self) -> None: ...
    def ranked(
        self, terms: Sequence[str], *, limit: int, answer_weight: float
    ) -> tuple[tuple[Turn, float], ...]:
        """Return turns that hold any of the terms, best BM25 first."""

    def at(self, places: Sequence[tuple[ThreadId, int]]) -> tuple[Turn, ...]:
        """Return the turns at these places (thread and position), in one statement."""
