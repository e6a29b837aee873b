"""What a person does to items: forget, take back, pin, edit, undo, approve, discard."""

from dataclasses import dataclass, replace

from backstory.capture.wording import core_terms_of
from backstory.consolidate.keys import claim_key
from backstory.consolidate.likeness import fingerprint_of
from backstory.consolidate.operations import Proposed, targets_of, verify
from backstory.consolidate.rules import decide
from backstory.consolidate.shelf import Shelf
from backstory.consolidate.writing import Writer
from backstory.model.candidate import Claim, Quote, Reason
from backstory.model.errors import IllegalOperationError, NotFoundError
from backstory.model.ids import CandidateId, ItemId, ThreadId
from backstory.model.item import Change, Item, Revision
from backstory.model.limits import DAY_MS, PROPOSAL_DAYS_MAX
from backstory.model.words import Action, Author, CandidateState, Status
from backstory.ports.clock import NameSource
from backstory.ports.store import Tables
from backstory.ports.store_rows import Stamp, Tombstone

HUMAN = "human"
_CHANGES_SEARCHED = 1_000
_GONE = (Status.FORGOTTEN,)
EXPIRED = Reason(slug="expired", message=f"nobody approved it within {PROPOSAL_DAYS_MAX} days")
# A summary that holds so much of a statement may say it, whichever conversation it is of.
_RESTATED_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a person wants an item to say; what it is found by was made from it by rule."""

    statement: str
    title: str
    synopsis: str = ""
    detail: str = ""
    aliases: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    claim: Claim | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What `undo` took back: the changes, newest first, and the items as they are named."""

    changes: tuple[Change, ...]
    item_ids: tuple[ItemId, ...]


def forget(
    tables: Tables, item_id: ItemId, *, ids: NameSource, now_ms: int, reason: str = ""
) -> tuple[ItemId, ...]:
    """Hide an item everywhere; nothing said until now can bring it back.

    Raw turns stay. What says the same and waits for a person is refused. A new explicit
    statement creates the claim again. Returns what was touched: nothing where it was forgotten
    before.
    """
    item = _existing(tables, item_id)
    if item.status in _GONE:
        return ()
    _bury(tables, item, status=Status.FORGOTTEN, stamp=_stamp(ids, now_ms, reason=reason))
    _forget_summaries(tables, item)
    _refuse_waiting(tables, item, now_ms=now_ms)
    return (item_id,)


def retract(
    tables: Tables, item_id: ItemId, *, ids: NameSource, now_ms: int, reason: str = ""
) -> tuple[ItemId, ...]:
    """Mark an item as taken back: it is not recalled any more, and its history can be read."""
    item = _existing(tables, item_id)
    if item.status not in (Status.ACTIVE, Status.STALE):
        raise IllegalOperationError(
            f"{item_id} is {item.status.value}; nothing is left to retract"
        )
    _bury(tables, item, status=Status.RETRACTED, stamp=_stamp(ids, now_ms, reason=reason))
    return (item_id,)


def pin(
    tables: Tables, item_id: ItemId, *, is_pinned: bool, ids: NameSource, now_ms: int
) -> tuple[ItemId, ...]:
    """Pin an item or let it go: a pinned one is shown first, and no job may change it."""
    item = _existing(tables, item_id)
    if item.status in _GONE:
        raise NotFoundError(f"{item_id} was forgotten")
    if item.is_pinned == is_pinned:
        return ()
    tables.items.set_pinned(item_id, pinned=is_pinned, batch=ids("b"), now_ms=now_ms)
    return (item_id,)


def edit(
    tables: Tables, item_id: ItemId, *, words: Words, ids: NameSource, now_ms: int
) -> tuple[ItemId, ...]:
    """Give an item a person's words, as its next revision; its evidence stays.

    Raises `IllegalOperationError` where another active item makes the same claim.
    """
    item = _existing(tables, item_id)
    if item.status not in (Status.ACTIVE, Status.STALE):
        raise IllegalOperationError(f"{item_id} is {item.status.value} and cannot be edited")
    key = claim_key(words.claim, item.kind)
    others = [] if key is None else [o for o in tables.items.of_claim(key) if o.id != item_id]
    if others and item.thread_id in {other.thread_id for other in others}:
        raise IllegalOperationError(
            f"{others[0].id} makes the same claim: forget it first, or edit it instead"
        )
    story = tables.items.story(item_id)
    assert story is not None  # it was read a moment ago
    number = 1 + max(revision.number for revision in story.revisions)
    tables.items.add_revision(
        item_id,
        _revision(item, words, number=number, now_ms=now_ms),
        action=Action.EDIT,
        batch=ids("b"),
        actor=HUMAN,
        now_ms=now_ms,
    )
    claim = words.claim
    tables.items.set_claim(
        item_id,
        key=key,
        value=claim.value if claim else None,
        is_negative=claim is not None and claim.is_negative,
    )
    return (item_id,)


def undo(tables: Tables, *, now_ms: int) -> Undone | None:
    """Take back the last batch of changes that is not undone yet, or return None without one."""
    changes = tables.items.changes(limit=_CHANGES_SEARCHED)
    last = next((change for change in changes if not change.is_undone), None)
    if last is None:
        return None
    item_ids = tables.items.undo_batch(last.batch, now_ms=now_ms)
    return Undone(
        changes=tuple(change for change in changes if change.batch == last.batch),
        item_ids=item_ids,
    )


def approve(
    tables: Tables,
    candidate_id: CandidateId,
    *,
    ids: NameSource,
    now_ms: int,
    shelf: Shelf,
    quotes: tuple[Quote, ...] = (),
) -> tuple[ItemId, ...]:
    """Let a candidate that waits change memory now, also what a person owns.

    It is judged again: what was forgotten or said meanwhile counts. `quotes` are the words by
    which the person made their own what only an agent had said; they prove it then. Raises
    `NotFoundError` where no such candidate waits.
    """
    proposed = _waiting(tables, candidate_id)
    if quotes:
        proposed = replace(proposed, candidate=replace(proposed.candidate, quotes=quotes))
    situation = shelf.within(tables).situation(proposed)
    operation = decide(situation)
    verify(
        [operation],
        {proposed.id: proposed},
        items=shelf.items(targets_of(operation)),
        is_human=True,
    )
    writer = Writer(tables=tables, ids=ids, now_ms=now_ms, approved_by=HUMAN)
    return writer.write(operation, proposed, moment=situation.moment)


def discard(tables: Tables, candidate_id: CandidateId, *, now_ms: int) -> None:
    """Refuse a candidate that waits. Raises `NotFoundError` where no such candidate waits."""
    proposed = _waiting(tables, candidate_id)
    tables.candidates.decide(
        proposed.id,
        CandidateState.REFUSED,
        reasons=(Reason(slug="discarded", message="a person did not want it remembered"),),
        now_ms=now_ms,
    )


def discard_expired(tables: Tables, *, now_ms: int) -> None:
    """Refuse what waited for a person for too long; `EXPIRED` says how long that is."""
    latest_ms = now_ms - PROPOSAL_DAYS_MAX * DAY_MS
    old = [one for one, _ in tables.candidates.waiting() if one.created_at_ms < latest_ms]
    for stored in old:
        tables.candidates.decide(
            stored.id, CandidateState.REFUSED, reasons=(EXPIRED,), now_ms=now_ms
        )


def archive_discussions(
    tables: Tables, thread_id: ThreadId, *, ids: NameSource, now_ms: int
) -> tuple[ItemId, ...]:
    """Put away what a thread was weighing; a discussion ends with its thread."""
    items = tables.items.listed(statuses=(Status.ACTIVE, Status.STALE), thread_id=thread_id)
    stamp = _stamp(ids, now_ms, reason="its thread was closed")
    for item in items:
        tables.items.set_status(item.id, Status.ARCHIVED, action=Action.ARCHIVE, stamp=stamp)
    return tuple(item.id for item in items)


def _existing(tables: Tables, item_id: ItemId) -> Item:
    item = tables.items.get(item_id)
    if item is None:
        raise NotFoundError(f"there is no item {item_id}")
    return item


def _waiting(tables: Tables, candidate_id: CandidateId) -> Proposed:
    found = tables.candidates.get(candidate_id)
    if found is None or found[1] is None or found[0].state is not CandidateState.WAITING:
        raise NotFoundError(f"no candidate {candidate_id} waits for approval")
    return Proposed(id=candidate_id, candidate=found[1], thread_id=found[0].thread_id)


def _stamp(ids: NameSource, now_ms: int, *, reason: str) -> Stamp:
    return Stamp(batch=ids("b"), actor=HUMAN, reason=reason, at_ms=now_ms)


def _bury(tables: Tables, item: Item, *, status: Status, stamp: Stamp) -> None:
    action = Action.FORGET if status is Status.FORGOTTEN else Action.RETRACT
    tables.items.set_status(item.id, status, action=action, stamp=stamp)
    tables.items.add_tombstone(
        Tombstone(
            item_id=item.id,
            claim_key=item.claim_key,
            fingerprint=fingerprint_of(item.revision.statement),
            turn_seq=tables.turns.last_seq(),
            at_ms=stamp.at_ms,
        )
    )


def _refuse_waiting(tables: Tables, item: Item, *, now_ms: int) -> None:
    """Take what says the same out of the review, whoever proposed it."""
    said = fingerprint_of(item.revision.statement)
    reason = Reason(slug="forgotten", message="it was forgotten while this waited; say it anew")
    for stored, candidate in tables.candidates.waiting():
        if fingerprint_of(candidate.statement) == said:
            tables.candidates.decide(
                stored.id, CandidateState.REFUSED, reasons=(reason,), now_ms=now_ms
            )


def _forget_summaries(tables: Tables, item: Item) -> None:
    """Empty the thread summaries that may repeat an item: they are context and can grow anew."""
    story = tables.items.story(item.id)
    proofs = story.evidence if story is not None else ()
    turn_ids = {proof.quote.turn_id for proof in proofs if proof.quote.turn_id is not None}
    turns = [tables.turns.get(turn_id) for turn_id in turn_ids]
    said_in = {turn.thread_id for turn in turns if turn is not None}
    terms = set(core_terms_of(item.revision.statement))
    for thread in tables.threads.listed():
        told = len(terms & set(core_terms_of(thread.summary))) if thread.summary else 0
        if thread.summary and (thread.id in said_in or told >= _RESTATED_SHARE * len(terms)):
            tables.threads.set_summary(thread.id, "")


def _revision(item: Item, words: Words, *, number: int, now_ms: int) -> Revision:
    return Revision(
        number=number,
        title=words.title,
        statement=words.statement,
        synopsis=words.synopsis,
        detail=words.detail,
        aliases=words.aliases,
        keywords=words.keywords,
        paths=words.paths,
        tags=item.revision.tags,
        author=Author.HUMAN,
        author_name=HUMAN,
        reason="edited by a person",
        created_at_ms=now_ms,
    )
