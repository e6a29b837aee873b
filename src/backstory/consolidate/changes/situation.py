"""What a decision on one candidate may look at. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from backstory.capture.wording import core_terms_of
from backstory.consolidate.changes.words import Around
from backstory.consolidate.likeness import Match, Rarity, ranked
from backstory.consolidate.moments import Moment
from backstory.consolidate.operations import Proposed
from backstory.model.candidate import Candidate
from backstory.model.ids import ItemId
from backstory.model.item import Item
from backstory.model.words import Status
from backstory.ports.store_rows import Tombstone


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """An item that a candidate may be about, and when its last evidence was said.

    Most of what is offered is never asked for its moment, which takes reading its evidence.
    """

    item: Item
    last_said: Callable[[], Moment]

    @property
    def moment(self) -> Moment:
        """Return when the item was last said."""
        return self.last_said()


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What was said right before a candidate in its thread."""

    offers: tuple[Offered, ...] = ()
    is_next: bool = False  # nothing else was said between


def _nothing_before() -> Before:
    return Before()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grave:
    """A claim that was forgotten, taken back or replaced, which old words must not rebuild."""

    tombstone: Tombstone
    status: Status | None  # of the item, None where its bytes are gone


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """One candidate, and all that a decision on it may look at."""

    proposed: Proposed
    moment: Moment
    offered: tuple[Offered, ...]
    graves: tuple[Grave, ...]
    rarity: Rarity
    around: Around = field(default_factory=Around)
    said_before: Callable[[], Before] = _nothing_before

    @property
    def candidate(self) -> Candidate:
        """Return what is proposed."""
        return self.proposed.candidate


def matches_of(
    asked: Sequence[str], offered: Sequence[Offered], *, rarity: Rarity
) -> list[Match[ItemId]]:
    """Rank offered items by what they share with the terms asked for."""
    entries = {o.item.id: core_terms_of(text_of(o.item)) for o in offered}
    return ranked(asked, entries, rarity=rarity)


def text_of(item: Item) -> str:
    """Return the words by which an item is looked for."""
    return f"{item.revision.title}\n{item.revision.statement}"
