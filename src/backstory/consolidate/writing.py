"""Writing verified operations into the tables, in the caller's transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from backstory.consolidate.keys import claim_key
from backstory.consolidate.likeness import fingerprint_of
from backstory.consolidate.moments import Moment, tombstone_at
from backstory.consolidate.operations import (
    Create,
    Grounds,
    Operation,
    Proposed,
    Reject,
    Retract,
    Revise,
    Supersede,
)
from backstory.model.candidate import Candidate, Quote, Reason
from backstory.model.ids import CandidateId, ItemId
from backstory.model.item import Evidence, Item, Revision
from backstory.model.limits import (
    ITEM_ALIASES_MAX,
    KEYWORDS_MAX,
    SYNOPSIS_CHARS_MAX,
    TITLE_CHARS_MAX,
)
from backstory.model.words import Action, Author, CandidateState, Kind, Scope, Status
from backstory.ports.clock import NameSource
from backstory.ports.store import Tables
from backstory.ports.store_rows import NewItem, Stamp, Tombstone

_PRIORITY = 50  # of 100: a person moves it, a job never does
_MODEL_CONFIDENCE = 0.8  # what a model read from the same words is a little less sure


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Writes operations. `approved_by` names the person who asked for it, if one did."""

    tables: Tables
    ids: NameSource
    now_ms: int
    approved_by: str | None = None

    def write(
        self, operation: Operation, proposed: Proposed, *, moment: Moment
    ) -> tuple[ItemId, ...]:
        """Write one operation and return the items that it touched."""
        match operation:
            case Create(grounds=grounds):
                return (self._add(proposed, grounds, batch=self.ids("b")),)
            case Supersede():
                return self._supersede(operation, proposed, moment=moment)
            case Revise():
                return self._revise(operation, proposed)
            case Retract():
                return self._retract(operation, moment=moment)
            case Reject(reason=reason):
                self._decide(operation.candidate_id, CandidateState.REFUSED, reason=reason)
                return ()
        assert_never(operation)

    def _add(self, proposed: Proposed, grounds: Grounds, *, batch: str) -> ItemId:
        item_id = ItemId(self.ids("m"))
        item = _new_item(
            item_id, proposed, grounds=grounds, now_ms=self.now_ms, approved_by=self.approved_by
        )
        evidence = self._evidence(proposed.candidate, revision=1)
        actor = self._actor(proposed.candidate)
        self.tables.items.add(
            NewItem(item=item, evidence=evidence), batch=batch, actor=actor, now_ms=self.now_ms
        )
        self._accept(proposed.id, item_id, grounds=grounds)
        return item_id

    def _supersede(
        self, operation: Supersede, proposed: Proposed, *, moment: Moment
    ) -> tuple[ItemId, ...]:
        # The old items leave their claim first: two active ones of one claim cannot exist. The
        # link to the new one is checked when the transaction ends.
        batch, item_id = self.ids("b"), ItemId(self.ids("m"))
        named = replace(self, ids=_fixed(item_id, self.ids))
        for old_id in operation.item_ids:
            self._retire(
                old_id,
                Status.SUPERSEDED,
                stamp=self._stamp(proposed.candidate, operation.grounds, batch=batch),
                moment=moment,
                superseded_by=item_id,
            )
        named._add(proposed, operation.grounds, batch=batch)
        return (*operation.item_ids, item_id)

    def _retract(self, operation: Retract, *, moment: Moment) -> tuple[ItemId, ...]:
        batch = self.ids("b")
        for item_id in operation.item_ids:
            stamp = Stamp(
                batch=batch,
                actor=self.approved_by or operation.grounds.rule,
                reason=operation.grounds.line,
                at_ms=self.now_ms,
            )
            self._retire(item_id, Status.RETRACTED, stamp=stamp, moment=moment)
        first = operation.item_ids[0] if operation.item_ids else None
        self._accept(operation.candidate_id, first, grounds=operation.grounds)
        return operation.item_ids

    def _retire(
        self,
        item_id: ItemId,
        status: Status,
        *,
        stamp: Stamp,
        moment: Moment,
        superseded_by: ItemId | None = None,
    ) -> None:
        item = self.tables.items.get(item_id)
        assert item is not None  # verified a moment ago, in this transaction
        self.tables.items.set_status(
            item_id,
            status,
            action=Action.RETRACT if status is Status.RETRACTED else Action.SUPERSEDE,
            stamp=stamp,
            superseded_by=superseded_by,
        )
        self.tables.items.add_tombstone(_tombstone(item, status, moment=moment))

    def _revise(self, operation: Revise, proposed: Proposed) -> tuple[ItemId, ...]:
        item = self.tables.items.get(operation.item_id)
        assert item is not None  # verified a moment ago, in this transaction
        number = item.revision.number
        if operation.takes_words:
            number = self._reword(item, proposed, grounds=operation.grounds)
        evidence = self._evidence(proposed.candidate, revision=number)
        added = self.tables.items.add_evidence(item.id, evidence)
        self._accept(proposed.id, item.id, grounds=operation.grounds)
        return (item.id,) if added or operation.takes_words else ()

    def _reword(self, item: Item, proposed: Proposed, *, grounds: Grounds) -> int:
        story = self.tables.items.story(item.id)
        assert story is not None  # the item was read a moment ago
        # Not the current number: after an undo there are later ones that do not hold.
        number = 1 + max(revision.number for revision in story.revisions)
        revision = _revision(
            proposed, grounds, number=number, now_ms=self.now_ms, approved_by=self.approved_by
        )
        self.tables.items.add_revision(
            item.id,
            revision,
            action=Action.REVISE,
            batch=self.ids("b"),
            actor=self._actor(proposed.candidate),
            now_ms=self.now_ms,
        )
        claim = proposed.candidate.claim
        self.tables.items.set_claim(
            item.id,
            key=claim_key(claim, item.kind),
            value=claim.value if claim else None,
            is_negative=claim is not None and claim.is_negative,
        )
        return number

    def _evidence(self, candidate: Candidate, *, revision: int) -> tuple[Evidence, ...]:
        return tuple(
            Evidence(revision=revision, quote=quote, said_at_ms=self._said_at_ms(quote))
            for quote in candidate.quotes
        )

    def _said_at_ms(self, quote: Quote) -> int:
        if quote.turn_id is not None:
            turn = self.tables.turns.get(quote.turn_id)
            return self.now_ms if turn is None else turn.said_at_ms
        assert quote.event_id is not None  # a quote names one or the other
        event = self.tables.events.get(quote.event_id)
        return self.now_ms if event is None else event.at_ms

    def _stamp(self, candidate: Candidate, grounds: Grounds, *, batch: str) -> Stamp:
        return Stamp(
            batch=batch, actor=self._actor(candidate), reason=grounds.line, at_ms=self.now_ms
        )

    def _actor(self, candidate: Candidate) -> str:
        return self.approved_by or candidate.proposer

    def _accept(
        self, candidate_id: CandidateId, item_id: ItemId | None, *, grounds: Grounds
    ) -> None:
        self._decide(
            candidate_id,
            CandidateState.ACCEPTED,
            item_id=item_id,
            reason=Reason(slug=grounds.rule, message=grounds.line),
        )

    def _decide(
        self,
        candidate_id: CandidateId,
        state: CandidateState,
        *,
        reason: Reason,
        item_id: ItemId | None = None,
    ) -> None:
        self.tables.candidates.decide(
            candidate_id, state, item_id=item_id, reasons=(reason,), now_ms=self.now_ms
        )


def _fixed(item_id: ItemId, ids: NameSource) -> NameSource:
    return lambda prefix: item_id if prefix == "m" else ids(prefix)


def _new_item(
    item_id: ItemId,
    proposed: Proposed,
    *,
    grounds: Grounds,
    now_ms: int,
    approved_by: str | None,
) -> Item:
    candidate, claim = proposed.candidate, proposed.candidate.claim
    is_discussion = candidate.kind is Kind.DISCUSSION_CONTEXT
    return Item(
        id=item_id,
        seq=0,  # given by the store
        kind=candidate.kind,
        scope=Scope.THREAD if is_discussion else Scope.PROJECT,
        status=Status.ACTIVE,
        thread_id=proposed.thread_id if is_discussion else None,
        claim_key=claim_key(claim, candidate.kind),
        claim_value=claim.value if claim else None,
        is_negative=claim is not None and claim.is_negative,
        is_pinned=False,
        priority=_PRIORITY,
        confidence=_MODEL_CONFIDENCE if _author(candidate) is Author.MODEL else 1.0,
        revision=_revision(proposed, grounds, number=1, now_ms=now_ms, approved_by=approved_by),
        created_at_ms=now_ms,
        updated_at_ms=now_ms,
    )


def _revision(
    proposed: Proposed, grounds: Grounds, *, number: int, now_ms: int, approved_by: str | None
) -> Revision:
    candidate = proposed.candidate
    return Revision(
        number=number,
        title=candidate.title[:TITLE_CHARS_MAX],
        statement=candidate.statement,
        synopsis=candidate.synopsis[:SYNOPSIS_CHARS_MAX],
        detail=candidate.detail,
        aliases=candidate.aliases[:ITEM_ALIASES_MAX],
        keywords=candidate.keywords[:KEYWORDS_MAX],
        paths=candidate.paths,
        tags=(),
        # What a person approved is theirs: no job changes it any more.
        author=_author(candidate) if approved_by is None else Author.HUMAN,
        author_name=candidate.proposer if approved_by is None else approved_by,
        reason=grounds.line,
        created_at_ms=now_ms,
        candidate_id=proposed.id,
    )


_AUTHORS: Mapping[str, Author] = {
    "model": Author.MODEL,
    "agent": Author.MODEL,
    "human": Author.HUMAN,
    "import": Author.IMPORT,
}


def _author(candidate: Candidate) -> Author:
    """Return who a proposer is: "rule:…", "model:…", "agent:…", "human" or "import"."""
    return _AUTHORS.get(candidate.proposer.partition(":")[0], Author.RULE)


def _tombstone(item: Item, status: Status, *, moment: Moment) -> Tombstone:
    """Return what buries a retired item.

    A claim that was replaced has a holder, which older words meet anyway; so only its words
    are buried.
    """
    return tombstone_at(
        moment,
        item_id=item.id,
        claim_key=item.claim_key if status is Status.RETRACTED else None,
        fingerprint=fingerprint_of(item.revision.statement),
    )
