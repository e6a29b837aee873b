"""What consolidation may do with a candidate, whoever proposes it, and the check of all of it.

Pure. A rule and a model propose the same five operations; neither is believed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from backstory.capture.wording import core_terms_of
from backstory.consolidate.keys import (
    LESSONS,
    contrary_keys,
    family_of,
    item_slot,
    own_keys,
    slot_of,
)
from backstory.model.candidate import Candidate, Reason
from backstory.model.errors import IllegalOperationError
from backstory.model.ids import CandidateId, ItemId, ThreadId
from backstory.model.item import Item
from backstory.model.limits import OPERATIONS_PER_BATCH_MAX
from backstory.model.words import Intent, Kind, Role, Scope, Status

# How many items one run may take out of sight. More wait for the next run: a fault that
# retires everything is noticed, and undone, before it is done.
RETIREMENTS_PER_RUN_MAX = 16
# How many items one candidate may take the place of.
RETIREMENTS_PER_OPERATION_MAX = 3

# Rules that find what is replaced by the words around a statement, which it need not repeat.
SAME_FRAME = "same-frame"
DISMISSED_BESIDE = "dismissed-beside"
TURNED_ROUND = "turned-round"
_BY_WORDS_AROUND = frozenset({DISMISSED_BESIDE, TURNED_ROUND})


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """Why an operation is proposed: the rule or model, how sure it is, and what it needs to be."""

    rule: str
    reason: str
    score: float = 1.0
    threshold: float = 1.0

    @property
    def line(self) -> str:
        """Return them in one line for the change log."""
        return f"{self.reason} [{self.rule}, score {self.score:.2f} of {self.threshold:.2f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Create:
    """Remember the candidate as a new item."""

    candidate_id: CandidateId
    grounds: Grounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Revise:
    """Add the candidate's quotes to an item; with `takes_words`, its wording too."""

    candidate_id: CandidateId
    item_id: ItemId
    grounds: Grounds
    takes_words: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """Remember the candidate as a new item in place of others."""

    candidate_id: CandidateId
    item_ids: tuple[ItemId, ...]
    grounds: Grounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Retract:
    """Take items back, as the user said; with no item, only older words that come later."""

    candidate_id: CandidateId
    item_ids: tuple[ItemId, ...]
    grounds: Grounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject:
    """Remember nothing, and say why."""

    candidate_id: CandidateId
    reason: Reason


Operation: TypeAlias = Create | Revise | Supersede | Retract | Reject


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A candidate that waits for a decision, with the thread that it came from."""

    id: CandidateId
    candidate: Candidate
    thread_id: ThreadId | None


def targets_of(operation: Operation) -> tuple[ItemId, ...]:
    """Return the items that an operation changes."""
    match operation:
        case Revise(item_id=item_id):
            return (item_id,)
        case Supersede(item_ids=item_ids) | Retract(item_ids=item_ids):
            return item_ids
        case Create() | Reject():
            return ()


def retired_by(operation: Operation) -> tuple[ItemId, ...]:
    """Return the items that an operation takes out of sight."""
    return () if isinstance(operation, Revise) else targets_of(operation)


def verify(
    operations: Sequence[Operation],
    proposed: Mapping[CandidateId, Proposed],
    *,
    items: Mapping[ItemId, Item],
    is_human: bool = False,
) -> None:
    """Check every operation of a batch. Raises `IllegalOperationError` for an illegal one.

    Args:
        operations: in the order in which they would be written.
        proposed: the candidates that wait, by id; nothing else may be decided.
        items: the items that the proposer was shown, as they are now.
        is_human: whether a person asked for it: only then may what a human owns be changed.
    """
    _check_size(operations)
    seen: set[CandidateId] = set()
    retired: set[ItemId] = set()
    for operation in operations:
        if operation.candidate_id in seen:
            raise _illegal(operation, "its candidate is decided twice")
        seen.add(operation.candidate_id)
        if operation.candidate_id not in proposed:
            raise _illegal(operation, "there is no such candidate waiting")
        _check_candidate(operation, proposed[operation.candidate_id])
        for item_id in targets_of(operation):
            if item_id in retired:
                raise _illegal(operation, f"{item_id} was retired by an earlier operation")
            _check_target(operation, proposed[operation.candidate_id], item=items.get(item_id))
            if items[item_id].is_human_owned and not is_human and retired_by(operation):
                raise _illegal(operation, f"{item_id} is a person's own; no job may retire it")
        retired.update(retired_by(operation))


def _check_size(operations: Sequence[Operation]) -> None:
    if len(operations) > OPERATIONS_PER_BATCH_MAX:
        raise IllegalOperationError(
            f"{len(operations)} operations in one batch; {OPERATIONS_PER_BATCH_MAX} are the most"
        )
    if len(_flat(map(retired_by, operations))) > RETIREMENTS_PER_RUN_MAX:
        raise IllegalOperationError(
            f"one run may retire {RETIREMENTS_PER_RUN_MAX} items at the most"
        )


def _check_candidate(operation: Operation, proposed: Proposed) -> None:
    candidate = proposed.candidate
    if isinstance(operation, Reject):
        return
    if isinstance(operation, Retract) != (candidate.intent is Intent.RETRACT):
        raise _illegal(operation, "only what takes something back retracts, and it does no more")
    if isinstance(operation, (Supersede, Retract)):
        count = len(operation.item_ids)
        if count > RETIREMENTS_PER_OPERATION_MAX or len(set(operation.item_ids)) < count:
            raise _illegal(operation, "it names too many items, or one of them twice")
        if isinstance(operation, Supersede) and not count:
            raise _illegal(operation, "it takes the place of nothing")
    if not _is_grounded(candidate):
        raise _illegal(operation, "no quote of the kind that its evidence needs")
    if candidate.kind is Kind.DISCUSSION_CONTEXT and proposed.thread_id is None:
        raise _illegal(operation, "a discussion belongs to a thread")


def _is_grounded(candidate: Candidate) -> bool:
    roles = [quote.role for quote in candidate.quotes]
    if Role.USER in roles:
        return True
    return candidate.kind in LESSONS and roles.count(Role.EVENT) >= 2


def _check_target(operation: Operation, proposed: Proposed, *, item: Item | None) -> None:
    if item is None:
        raise _illegal(operation, "it names an item that was not offered")
    if item.status not in (Status.ACTIVE, Status.STALE):
        raise _illegal(operation, f"{item.id} is {item.status.value}")
    if item.scope is Scope.USER:
        raise _illegal(operation, f"{item.id} belongs to the user, not to the project")
    if item.scope is Scope.THREAD and item.thread_id != proposed.thread_id:
        raise _illegal(operation, f"{item.id} belongs to another thread")
    is_retraction = isinstance(operation, Retract)
    if not is_retraction and item.kind not in family_of(proposed.candidate.kind):
        raise _illegal(operation, f"{item.id} is of another kind")
    if isinstance(operation, Supersede) and not (
        operation.grounds.rule in _BY_WORDS_AROUND or _speaks_of(operation, proposed, item=item)
    ):
        raise _illegal(operation, f"{item.id} makes another claim")
    if isinstance(operation, Revise) and operation.takes_words and item.is_human_owned:
        raise _illegal(operation, f"{item.id} is a person's own; no job may rewrite it")


def _speaks_of(operation: Supersede, proposed: Proposed, *, item: Item) -> bool:
    """Whether the candidate may take this item's place: one claim, or a change said as one."""
    candidate = proposed.candidate
    if item.claim_key is not None and item.claim_key in own_keys(candidate) | contrary_keys(
        candidate
    ):
        return True
    if candidate.intent is not Intent.REPLACE and operation.grounds.rule != SAME_FRAME:
        return False
    if candidate.claim is not None and slot_of(candidate.claim.subject) == item_slot(item):
        return True
    return not set(core_terms_of(candidate.words)).isdisjoint(
        core_terms_of(item.revision.statement)
    )


def _flat(groups: Iterable[tuple[ItemId, ...]]) -> list[ItemId]:
    return [item_id for group in groups for item_id in group]


def _illegal(operation: Operation, why: str) -> IllegalOperationError:
    name = type(operation).__name__.lower()
    return IllegalOperationError(f"{name} for {operation.candidate_id}: {why}")
