"""What to do with one candidate, given what is remembered and what was forgotten. Pure."""

from collections.abc import Sequence

from backstory.consolidate.changes.replacing import replacement
from backstory.consolidate.changes.situation import Grave, Offered, Situation
from backstory.consolidate.changes.withdrawing import retraction
from backstory.consolidate.keys import (
    SAID,
    contrary_keys,
    contrary_of,
    family_of,
    item_slot,
    own_keys,
    slot_of,
)
from backstory.consolidate.likeness import says_the_same
from backstory.consolidate.operations import (
    RETIREMENTS_PER_OPERATION_MAX,
    Create,
    Grounds,
    Operation,
    Reject,
    Revise,
    Supersede,
)
from backstory.model.candidate import Candidate, Claim, Reason
from backstory.model.item import Item
from backstory.model.words import Intent, Status


def decide(situation: Situation) -> Operation:
    """Return the one operation that the rules propose for a candidate."""
    if situation.candidate.intent is Intent.RETRACT:
        return retraction(situation)
    return (
        buried(situation)
        or _implied(situation)
        or _same_claim(situation)
        or _denied(situation)
        or _same_words(situation)
        or replacement(situation)
        or Create(
            candidate_id=situation.proposed.id,
            grounds=Grounds(rule="new", reason="nothing remembered speaks of this"),
        )
    )


def buried(situation: Situation) -> Reject | None:
    """Return the refusal of a candidate that was forgotten, taken back or replaced since."""
    for grave in situation.graves:
        if not situation.moment.is_after_tombstone(grave.tombstone):
            return Reject(candidate_id=situation.proposed.id, reason=_grave_reason(grave))
    return None


def _grave_reason(grave: Grave) -> Reason:
    if grave.status is Status.RETRACTED:
        return Reason(slug="taken-back", message="it was taken back after these words were said")
    if grave.status is Status.SUPERSEDED:
        return Reason(slug="outdated", message="it was replaced after these words were said")
    return Reason(
        slug="forgotten", message="it was forgotten after these words were said; say it anew"
    )


def _implied(situation: Situation) -> Operation | None:
    """Take "Webpack is out" for evidence of "we move to Vite", said in the same breath."""
    claim = situation.candidate.claim
    if claim is None or not claim.is_negative or claim.value in ("", SAID):
        return None
    slot = slot_of(claim.subject)
    for offer in situation.offered:
        is_other = not offer.item.is_negative and offer.item.claim_value != claim.value
        same_turn = offer.moment.seq is not None and offer.moment.seq == situation.moment.seq
        if is_other and same_turn and item_slot(offer.item) == slot:
            return _evidence(situation, offer.item, rule="implied")
    return None


def _same_claim(situation: Situation) -> Operation | None:
    """Compare with the holders of the same claim: the same value is evidence, another a change."""
    claim = situation.candidate.claim
    if claim is None or not claim.value:
        return None
    keys = own_keys(situation.candidate)
    holders = [offer for offer in situation.offered if offer.item.claim_key in keys]
    if not holders:
        return None
    agreeing = [offer for offer in holders if _agrees(claim, offer.item)]
    if agreeing:
        return _evidence(situation, agreeing[0].item, rule="same-claim")
    return _change(situation, holders, rule="claim-changed")


def _agrees(claim: Claim, item: Item) -> bool:
    if claim.is_negative != item.is_negative:
        return False
    # "postgresql" and "postgresql 16" do not contradict each other.
    one, other = claim.value.split(), (item.claim_value or "").split()
    shorter = min(len(one), len(other))
    return one == other or (shorter > 0 and one[0] == other[0] and len(one) != len(other))


def _denied(situation: Situation) -> Operation | None:
    """Compare with items that say the contrary: "use X" against "do not use X"."""
    claim = situation.candidate.claim
    if claim is None or not claim.value:
        return None
    contrary, keys = contrary_of(claim), contrary_keys(situation.candidate)
    denied = [
        offer
        for offer in situation.offered
        if offer.item.claim_key in keys and _agrees(contrary, offer.item)
    ]
    return _change(situation, denied, rule="contrary") if denied else None


def _change(situation: Situation, holders: Sequence[Offered], *, rule: str) -> Operation:
    """Let the later word win; time alone changes nothing that is not about the same."""
    later = [offer for offer in holders if not situation.moment.is_after(offer.moment)]
    if later:
        return Reject(
            candidate_id=situation.proposed.id,
            reason=Reason(
                slug="outdated",
                message=f"{later[0].item.id} says otherwise and was said later",
            ),
        )
    ids = tuple(offer.item.id for offer in holders[:RETIREMENTS_PER_OPERATION_MAX])
    return Supersede(
        candidate_id=situation.proposed.id,
        item_ids=ids,
        grounds=Grounds(rule=rule, reason=f"takes the place of {', '.join(ids)}"),
    )


def _same_words(situation: Situation) -> Operation | None:
    for offer in situation.offered:
        is_related = offer.item.kind in family_of(situation.candidate.kind)
        if is_related and says_the_same(
            offer.item.revision.statement, situation.candidate.statement
        ):
            return _evidence(situation, offer.item, rule="same-words")
    return None


def _evidence(situation: Situation, item: Item, *, rule: str) -> Revise:
    return Revise(
        candidate_id=situation.proposed.id,
        item_id=item.id,
        grounds=Grounds(rule=rule, reason=f"says what {item.id} says"),
        # Said again with its reason, it is told with it from then on.
        takes_words=_adds_reason(situation.candidate, item),
    )


def _adds_reason(candidate: Candidate, item: Item) -> bool:
    return bool(candidate.detail) and not item.revision.detail and not item.is_human_owned
