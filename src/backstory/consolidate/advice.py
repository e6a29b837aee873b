"""What a model advises on a candidate, and how far it is followed: it is believed less. Pure.

A rule that proposes an operation has compared the words; a model has only said so. These checks
make that up, so that a model that is wrong or hostile costs nothing but its own proposals.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from backstory.capture.wording import core_terms_of, is_negated
from backstory.consolidate.changes.situation import Situation
from backstory.consolidate.operations import (
    Create,
    Operation,
    Proposed,
    Reject,
    Retract,
    Revise,
    Supersede,
    targets_of,
    verify,
)
from backstory.model.candidate import Candidate
from backstory.model.errors import IllegalOperationError
from backstory.model.ids import ItemId
from backstory.model.item import Item

_NUMBER = re.compile(r"\d+(?:\.\d+)*")
# A rejection by the rules that means no more than that they could not tell.
_UNDECIDED = "ambiguous"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a model advises for one candidate, and other names by which it may be looked for."""

    operation: Operation
    aliases: tuple[str, ...] = ()


def advised(situation: Situation, ruled: Operation, *, opinion: Opinion) -> Operation:
    """Return the model's operation where the rules found nothing to go by, else the rules'.

    What the rules decide by claims, by words or by what was forgotten no advice changes. Advice
    is judged anew for the items as they are now, and an item that was said later than the
    candidate is never replaced or taken back by it.
    """
    if not _is_open(ruled):
        return ruled
    offered = {offer.item.id: offer for offer in situation.offered}
    targets = targets_of(opinion.operation)
    if any(item_id not in offered for item_id in targets):
        return ruled
    retires = isinstance(opinion.operation, Supersede | Retract)
    if retires and not all(
        situation.moment.is_after(offered[item_id].moment) for item_id in targets
    ):
        return ruled
    items = {item_id: offer.item for item_id, offer in offered.items()}
    problem = advice_problem(opinion.operation, situation.proposed, items=items)
    return opinion.operation if problem is None else ruled


def _is_open(ruled: Operation) -> bool:
    match ruled:
        case Create():
            return True
        case Retract(item_ids=item_ids):
            return not item_ids
        case Reject(reason=reason):
            return reason.slug == _UNDECIDED
        case Revise() | Supersede():
            return False


def advice_problem(
    operation: Operation, proposed: Proposed, *, items: Mapping[ItemId, Item]
) -> str | None:
    """Return why a model's operation is not followed, or None where it may be.

    Args:
        operation: what the model advises for the candidate.
        proposed: the candidate.
        items: the items that it was shown, by id.
    """
    try:
        verify([operation], {proposed.id: proposed}, items=items)
    except IllegalOperationError as error:
        return str(error)
    targets = [items[item_id] for item_id in targets_of(operation)]
    match operation:
        case Reject() if not proposed.candidate.proposer.startswith("model:"):
            return "only what a model proposed may be rejected on its word"
        case Revise() if any(not _can_say_the_same(proposed.candidate, item) for item in targets):
            return "the item says something else: another number, value or polarity"
        case Revise() | Retract() if any(
            not _shares_words(proposed.candidate, item) for item in targets
        ):
            return "the item has no word in common with what was said"
        case Create() | Revise() | Supersede() | Retract() | Reject():
            return None


def _can_say_the_same(candidate: Candidate, item: Item) -> bool:
    one, other = candidate.statement, item.revision.statement
    if is_negated(one) != is_negated(other):
        return False
    if set(_NUMBER.findall(one)) != set(_NUMBER.findall(other)):
        return False
    claim = candidate.claim
    if claim is None or not claim.value or not item.claim_value:
        return True
    return claim.key(candidate.kind) != item.claim_key or claim.value == item.claim_value


def _shares_words(candidate: Candidate, item: Item) -> bool:
    return not set(core_terms_of(candidate.words)).isdisjoint(
        core_terms_of(item.revision.statement)
    )
