"""When something was said, and which of two things was said later. Pure."""

from dataclasses import dataclass

from backstory.model.ids import ItemId, ThreadId
from backstory.model.item import Evidence
from backstory.model.turn import Turn
from backstory.ports.store_rows import Tombstone


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A place in the order of what was said. `seq` is None for what no turn said."""

    said_at_ms: int
    seq: int | None = None
    thread_id: ThreadId | None = None
    is_imported: bool = False
    start: int = 0  # place in its turn

    def is_after(self, other: "Moment") -> bool:
        """Whether this was said later than the other; what is said once is not later than itself.

        In one thread the order of turns decides, and so it does for what was recorded as it
        was said, whatever the clock did. Only an imported turn must be placed by its time.
        """
        if self.seq is None or other.seq is None:
            return self.said_at_ms > other.said_at_ms
        if self.seq == other.seq:
            return self.start > other.start
        is_ordered = self.thread_id == other.thread_id or not (
            self.is_imported or other.is_imported
        )
        if is_ordered or self.said_at_ms == other.said_at_ms:
            return self.seq > other.seq
        return self.said_at_ms > other.said_at_ms

    def is_after_tombstone(self, tombstone: Tombstone) -> bool:
        """Whether this was said after the claim was forgotten or taken back.

        A tombstone without a turn (0) came from an imported one, and is placed by its time.
        """
        if self.seq is not None and self.seq <= tombstone.turn_seq:
            return False
        is_live = self.seq is not None and not self.is_imported and tombstone.turn_seq > 0
        return is_live or self.said_at_ms > tombstone.at_ms


def moment_of(turn: Turn, start: int) -> Moment:
    """Return the moment of a place in a turn."""
    return Moment(
        said_at_ms=turn.said_at_ms,
        seq=turn.seq,
        thread_id=turn.thread_id,
        is_imported=turn.is_imported,
        start=start,
    )


def event_moment(evidence: Evidence) -> Moment:
    """Return the moment of something that no turn said."""
    return Moment(said_at_ms=evidence.said_at_ms, start=evidence.quote.start)


def latest(moments: tuple[Moment, ...]) -> Moment:
    """Return the last of at least one moment."""
    last = moments[0]
    for moment in moments[1:]:
        if moment.is_after(last):
            last = moment
    return last


def tombstone_at(
    moment: Moment, *, item_id: ItemId, claim_key: str | None, fingerprint: str = ""
) -> Tombstone:
    """Return what keeps words said before this moment from rebuilding an item.

    What the same turn says besides is not older: the turn itself is left out.
    """
    is_placed_by_turn = moment.seq is not None and not moment.is_imported
    return Tombstone(
        item_id=item_id,
        claim_key=claim_key,
        fingerprint=fingerprint,
        turn_seq=(moment.seq or 1) - 1 if is_placed_by_turn else 0,
        at_ms=moment.said_at_ms - 1,
    )
