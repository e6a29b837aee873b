"""What one run of consolidation looks at: items by claim and by term, and graves."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from heapq import heapify, heappop
from itertools import chain, islice

from backstory.capture.wording import core_terms_of, retracted_terms_of, withdrawn_part
from backstory.consolidate.changes.situation import Before, Grave, Offered, Situation
from backstory.consolidate.changes.words import (
    Around,
    dismissed_in,
    ends_a_sentence_and_goes_on,
    load_words,
    words_around,
)
from backstory.consolidate.keys import contrary_keys, item_slot, own_keys, slot_of
from backstory.consolidate.likeness import Rarity, fingerprint_of
from backstory.consolidate.moments import Moment, event_moment, latest, moment_of, tombstone_at
from backstory.consolidate.operations import Proposed
from backstory.model.candidate import Candidate, Quote
from backstory.model.ids import ItemId, TurnId
from backstory.model.item import Item
from backstory.model.limits import RELATED_OFFERED_MAX
from backstory.model.turn import Turn
from backstory.model.words import Intent, Kind, Role, Status
from backstory.ports.store import Tables
from backstory.ports.store_rows import Tombstone

_OPEN = (Status.ACTIVE, Status.STALE)
# How far back withdrawals that found nothing are kept in mind.
_WITHDRAWALS_MAX = 200
# How many turns back "that rule" may point: a question or a task may lie between.
_TURNS_BACK_MAX = 3


class Shelf:
    """The items that a run may touch, kept as they are while the run changes them.

    Filling it reads every item that is open. That may be done in a transaction of its own, before
    the one that writes (`jobs.writing_after`); `within` then binds it to this one, and
    `caught_up` puts on it what others changed in between.
    """

    def __init__(self, tables: Tables) -> None:
        load_words()
        self._tables = tables
        self._items: dict[ItemId, Item] = {}
        self._moments: dict[ItemId, Moment] = {}
        self._of_claim: dict[str, set[ItemId]] = defaultdict(set)
        self._of_slot: dict[str, set[ItemId]] = defaultdict(set)
        self._of_term: dict[str, set[ItemId]] = defaultdict(set)
        self.put(tables.items.listed(statuses=_OPEN))
        self._seen = tables.items.changes_seen()
        # What the user took back before it was known: transcripts come in any order.
        self._withdrawals = tables.candidates.unmet_withdrawals(limit=_WITHDRAWALS_MAX)
        self.rarity = Rarity(core_terms_of(_text_of(item)) for item in self._items.values())

    def within(self, tables: Tables) -> "Shelf":
        """Bind the shelf to a transaction that sees the items as they are on it, and return it."""
        self._tables = tables
        return self

    def caught_up(self, tables: Tables) -> "Shelf | None":
        """Put on what was changed since it was filled, and return it.

        None where that is not known: after an undo, an erasure or a `clear` it is filled anew.
        """
        changed = tables.items.changed_since(self._seen)
        if changed is None:
            return None
        before = self.items(changed).values()
        self.put(tables.items.many(changed))
        for item in before:
            self.rarity.take_out(core_terms_of(_text_of(item)))
        for item in self.items(changed).values():
            self.rarity.add(core_terms_of(_text_of(item)))
        self._moments.clear()  # another proof may have been added to an item that stays as it is
        self._seen = tables.items.changes_seen()
        self._withdrawals = tables.candidates.unmet_withdrawals(limit=_WITHDRAWALS_MAX)
        return self.within(tables)

    def put(self, items: Iterable[Item]) -> None:
        """Take items as they are now; what is no longer open leaves the shelf."""
        for item in items:
            self._take_out(item.id)
            if item.status in _OPEN:
                self._items[item.id] = item
                for term in core_terms_of(_text_of(item)):
                    self._of_term[term].add(item.id)
                if item.claim_key is not None:
                    self._of_claim[item.claim_key].add(item.id)
                self._of_slot[item_slot(item)].add(item.id)

    def _take_out(self, item_id: ItemId) -> None:
        self._moments.pop(item_id, None)
        item = self._items.pop(item_id, None)
        if item is None:
            return
        for term in core_terms_of(_text_of(item)):
            self._of_term[term].discard(item_id)
        if item.claim_key is not None:
            self._of_claim[item.claim_key].discard(item_id)
        self._of_slot[item_slot(item)].discard(item_id)

    def items(self, item_ids: Iterable[ItemId]) -> dict[ItemId, Item]:
        """Return those that are open."""
        return {i: self._items[i] for i in item_ids if i in self._items}

    def situation(self, proposed: Proposed) -> Situation:
        """Gather what a decision on this candidate may look at."""
        around = self._around(proposed.candidate)
        return Situation(
            proposed=proposed,
            moment=self._moment_of(proposed.candidate.quotes),
            offered=tuple(
                Offered(item=self._items[item_id], last_said=partial(self._last_said, item_id))
                for item_id in self._related(proposed, around=around)
            ),
            graves=(*self._graves(proposed.candidate), *self._foreseen(proposed.candidate)),
            rarity=self.rarity,
            around=around,
            said_before=partial(self._said_before, proposed),
        )

    def _related(self, proposed: Proposed, *, around: Around) -> list[ItemId]:
        """Return the items to offer: those of the claim first, then those that share most."""
        candidate = proposed.candidate
        found: dict[ItemId, None] = {}
        for key in sorted(own_keys(candidate) | contrary_keys(candidate)):
            found.update(dict.fromkeys(sorted(self._of_claim.get(key, ()))))
        found.update(dict.fromkeys(sorted(self._in_slot(candidate))))
        alike = (one for one in self._alike(candidate, around=around) if one not in found)
        visible = (one for one in chain(found, alike) if self._is_visible(one, proposed))
        return list(islice(visible, RELATED_OFFERED_MAX))

    def _alike(self, candidate: Candidate, *, around: Around) -> Iterator[ItemId]:
        """Yield the items that share a term with the candidate, those that share most first.

        A common term may be in every item, and the first few are all that is asked for.
        """
        shares: dict[ItemId, int] = {}
        named = retracted_terms_of(dismissed_in(around))
        for term in dict.fromkeys((*_terms_of(candidate), *named)):
            share = 1000 + round(100 * self.rarity.weight(term))
            for item_id in self._of_term.get(term, ()):
                shares[item_id] = shares.get(item_id, 0) + share
        waiting = [(-share, item_id) for item_id, share in shares.items()]
        heapify(waiting)
        while waiting:
            yield heappop(waiting)[1]

    def _in_slot(self, candidate: Candidate) -> set[ItemId]:
        """Return items of the candidate's slot, for a change or retraction that names it."""
        claim = candidate.claim
        if claim is None or (candidate.intent is Intent.ASSERT and not claim.is_negative):
            return set()
        return self._of_slot.get(slot_of(claim.subject), set())

    def _is_visible(self, item_id: ItemId, proposed: Proposed) -> bool:
        """Whether the item lives where the candidate was said: a discussion in its own thread."""
        item = self._items[item_id]
        is_discussion = proposed.candidate.kind is Kind.DISCUSSION_CONTEXT
        if is_discussion != (item.kind is Kind.DISCUSSION_CONTEXT):
            return False
        return item.thread_id is None or item.thread_id == proposed.thread_id

    def _moment_of(self, quotes: Sequence[Quote]) -> Moment:
        """Return when this was said: the last of the user's words in it."""
        moments: list[Moment] = []
        for quote in quotes:
            if quote.turn_id is not None and quote.role is Role.USER:
                turn = self._tables.turns.get(quote.turn_id)
                moments += [] if turn is None else [moment_of(turn, quote.start)]
            elif quote.event_id is not None:
                event = self._tables.events.get(quote.event_id)
                moments += [] if event is None else [Moment(said_at_ms=event.at_ms)]
        return latest(tuple(moments)) if moments else Moment(said_at_ms=0, seq=0)

    def _around(self, candidate: Candidate) -> Around:
        """Return the words that a statement stands in; none for what takes something back."""
        quote = _user_quote(candidate)
        turn = None if quote is None else self._tables.turns.get(quote.turn_id or TurnId(""))
        if turn is None or quote is None or candidate.intent is Intent.RETRACT:
            return Around()
        return words_around(turn.user_text, (quote.start, quote.end))

    def _said_before(self, proposed: Proposed) -> Before:
        """Return what was said nearest before in the same thread, a few turns back at most."""
        quote = _user_quote(proposed.candidate)
        turn = None if quote is None else self._tables.turns.get(quote.turn_id or TurnId(""))
        end = 0 if quote is None else quote.start
        for step in range(_TURNS_BACK_MAX + 1):
            if turn is None:
                break
            found = self._said_in(turn, end, proposed=proposed)
            if found.offers:
                return found if step <= 1 else replace(found, is_next=False)
            turn = self._tables.turns.before(turn)
            end = len(turn.user_text) if turn is not None else 0
        return Before()

    def _said_in(self, turn: Turn, end: int, *, proposed: Proposed) -> Before:
        """Return what was last said in a turn before a place of it."""
        offers, reach = [], 0
        for item_id in self._tables.items.of_turn(turn.id):
            if item_id not in self._items or not self._is_visible(item_id, proposed):
                continue
            moment = self._last_said(item_id)
            if moment.seq == turn.seq and moment.start < end:
                offers.append(
                    Offered(item=self._items[item_id], last_said=partial(self._last_said, item_id))
                )
                reach = max(reach, self._end_of(item_id, turn))
        between = turn.user_text[reach:end]
        return Before(offers=tuple(offers), is_next=not ends_a_sentence_and_goes_on(between))

    def _end_of(self, item_id: ItemId, turn: Turn) -> int:
        story = self._tables.items.story(item_id)
        proofs = () if story is None else story.evidence
        return max(
            (
                proof.quote.end
                for proof in proofs
                if proof.quote.turn_id == turn.id and proof.quote.role is Role.USER
            ),
            default=0,
        )

    def _last_said(self, item_id: ItemId) -> Moment:
        """Return when the item was last said, looked up once while it stays as it is."""
        if item_id not in self._moments:
            self._moments[item_id] = self._moment_of_item(item_id)
        return self._moments[item_id]

    def _moment_of_item(self, item_id: ItemId) -> Moment:
        """Return when an item was last said or, where a person wrote it, written."""
        story = self._tables.items.story(item_id)
        if story is None:
            return Moment(said_at_ms=0, seq=0)
        moments: list[Moment] = []
        for evidence in story.evidence:
            turn_id = evidence.quote.turn_id
            turn = None if turn_id is None else self._tables.turns.get(turn_id)
            if turn is None:
                moments.append(event_moment(evidence))
            elif evidence.quote.role is Role.USER:
                moments.append(moment_of(turn, evidence.quote.start))
        return (
            latest(tuple(moments))
            if moments
            else Moment(said_at_ms=story.item.revision.created_at_ms)
        )

    def _graves(self, candidate: Candidate) -> tuple[Grave, ...]:
        keys = [None, *sorted(own_keys(candidate))]
        fingerprint = fingerprint_of(candidate.statement)
        found: dict[tuple[str, int, int], Tombstone] = {}
        for key in keys:
            for tombstone in self._tables.items.tombstones(claim_key=key, fingerprint=fingerprint):
                found[(tombstone.item_id, tombstone.turn_seq, tombstone.at_ms)] = tombstone
        status = {
            item.id: item.status
            for item in self._tables.items.many([stone.item_id for stone in found.values()])
        }
        return tuple(Grave(tombstone=t, status=status.get(t.item_id)) for t in found.values())

    def _foreseen(self, candidate: Candidate) -> tuple[Grave, ...]:
        """Return graves that withdrawals dug for this candidate before it was known."""
        if candidate.intent is Intent.RETRACT:
            return ()
        words = set(core_terms_of(candidate.statement))
        graves = []
        for stored in self._withdrawals:
            asked = set(retracted_terms_of(withdrawn_part(stored.statement)))
            if asked and asked <= words:
                moment = self._moment_of(stored.quotes)
                graves.append(
                    Grave(
                        tombstone=tombstone_at(moment, item_id=ItemId(""), claim_key=None),
                        status=Status.RETRACTED,
                    )
                )
        return tuple(graves)


def _user_quote(candidate: Candidate) -> Quote | None:
    """Return the first of the user's words that a candidate rests on; a reason comes after."""
    said = [q for q in candidate.quotes if q.role is Role.USER and q.turn_id is not None]
    return said[0] if said else None


def _terms_of(candidate: Candidate) -> tuple[str, ...]:
    if candidate.intent is Intent.RETRACT:
        return retracted_terms_of(withdrawn_part(candidate.words))
    return core_terms_of(candidate.words)


def _text_of(item: Item) -> str:
    return f"{item.revision.title}\n{item.revision.statement}"
