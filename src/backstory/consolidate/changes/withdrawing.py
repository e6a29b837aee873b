"""Which remembered item a withdrawal takes back. Pure."""

from collections.abc import Sequence

from backstory.capture.wording import retracted_terms_of, withdrawn_part
from backstory.consolidate.changes.situation import Offered, Situation, matches_of, text_of
from backstory.consolidate.changes.words import (
    is_elsewhere,
    names_a_rule,
    points_back,
)
from backstory.consolidate.keys import SAID, item_slot, slot_of
from backstory.consolidate.likeness import Match, clear_best
from backstory.consolidate.operations import (
    Grounds,
    Operation,
    Reject,
    Retract,
)
from backstory.model.candidate import Claim, Reason
from backstory.model.ids import ItemId

# A retraction names the greater part of what it means, and means one thing clearly. Chosen so
# that "drop the tabs rule" finds its rule among forty others, and that a shared "test" does not.
RETRACT_SHARE_MIN = 0.5
RETRACT_MARGIN = 1.25
# What is taken back a moment after it was said need not be named in full.
NEAR_SHARE_MIN = 0.25


def retraction(situation: Situation) -> Operation:
    """Find what is taken back: the holder of the claim named, or the clear best match."""
    words = withdrawn_part(situation.candidate.words)
    earlier = [
        offer
        for offer in situation.offered
        if situation.moment.is_after(offer.moment)
        and not is_elsewhere(words, text_of(offer.item), is_narrow=True)
    ]
    named = _named_by_claim(situation.candidate.claim, earlier)
    if len(named) == 1:
        return _taken_back(situation, Match(named[0], 1.0), rule="claim-taken-back")
    pool = [o for o in earlier if o.item.id in named] if named else earlier
    matches = matches_of(
        retracted_terms_of(words),
        pool,
        rarity=situation.rarity,
    )
    best = clear_best(matches, threshold=RETRACT_SHARE_MIN, margin=RETRACT_MARGIN) or _near(
        situation, matches
    )
    if best is not None:
        return _taken_back(situation, best, rule="words-taken-back")
    if points_back(situation.candidate.statement):
        return _pointed_at(situation)
    if named or (matches and matches[0].score >= RETRACT_SHARE_MIN):
        return _ambiguous(situation)
    return _nothing_meant(situation)


def _near(situation: Situation, matches: Sequence[Match[ItemId]]) -> Match[ItemId] | None:
    """Return the best match where it was said right before, though it is named in part only."""
    best = clear_best(matches, threshold=NEAR_SHARE_MIN, margin=RETRACT_MARGIN)
    if best is None or best.entry not in {o.item.id for o in situation.said_before().offers}:
        return None
    return best


def _pointed_at(situation: Situation) -> Operation:
    """Take back what "scrap that" points at: the one thing that was said right before it."""
    before = situation.said_before()
    words = situation.candidate.statement
    is_meant = before.is_next or names_a_rule(words)
    offers = before.offers if is_meant else ()
    if len(offers) > 1:
        return _ambiguous(situation)
    if offers:
        return _taken_back(situation, Match(offers[0].item.id, 1.0), rule="pointed-at")
    return _nothing_meant(situation)


def _ambiguous(situation: Situation) -> Reject:
    return Reject(
        candidate_id=situation.proposed.id,
        reason=Reason(slug="ambiguous", message="it is not clear which of several items is meant"),
    )


def _nothing_meant(situation: Situation) -> Retract:
    return Retract(
        candidate_id=situation.proposed.id,
        item_ids=(),
        grounds=Grounds(rule="nothing-to-retract", reason="nothing remembered is meant by this"),
    )


def _named_by_claim(claim: Claim | None, earlier: Sequence[Offered]) -> list[ItemId]:
    """Return the items of the slot that is named, and with its value where one is said."""
    if claim is None or claim.value == SAID:
        return []
    slot = slot_of(claim.subject)
    return [
        offer.item.id
        for offer in earlier
        if item_slot(offer.item) == slot and claim.value in ("", offer.item.claim_value)
    ]


def _taken_back(situation: Situation, match: Match[ItemId], *, rule: str) -> Retract:
    return Retract(
        candidate_id=situation.proposed.id,
        item_ids=(match.entry,),
        grounds=Grounds(
            rule=rule,
            reason="the user took it back",
            score=match.score,
            threshold=RETRACT_SHARE_MIN,
        ),
    )
