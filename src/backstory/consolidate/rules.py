"""What to do with one candidate, given what is remembered and what was forgotten. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from backstory.capture.wording import core_terms_of, retracted_terms_of, withdrawn_part
from backstory.consolidate.keys import (
    SAID,
    contrary_keys,
    contrary_of,
    family_of,
    item_slot,
    own_keys,
    slot_of,
)
from backstory.consolidate.likeness import Match, Rarity, clear_best, ranked, says_the_same
from backstory.consolidate.moments import Moment
from backstory.consolidate.operations import (
    RETIREMENTS_PER_OPERATION_MAX,
    Create,
    Grounds,
    Operation,
    Proposed,
    Reject,
    Retract,
    Revise,
    Supersede,
)
from backstory.model.candidate import Candidate, Claim, Reason
from backstory.model.ids import ItemId
from backstory.model.item import Item
from backstory.model.words import Intent, Status
from backstory.ports.store_rows import Tombstone

# A retraction names the greater part of what it means, and means one thing clearly. Chosen so
# that "drop the tabs rule" finds its rule among forty others, and that a shared "test" does not.
RETRACT_SHARE_MIN = 0.5
RETRACT_MARGIN = 1.25
# A replacement repeats its subject and has a new value: it shares less than a retraction.
REPLACE_SHARE_MIN = 0.25
REPLACE_MARGIN = 1.3


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

    @property
    def candidate(self) -> Candidate:
        """Return what is proposed."""
        return self.proposed.candidate


def decide(situation: Situation) -> Operation:
    """Return the one operation that the rules propose for a candidate."""
    if situation.candidate.intent is Intent.RETRACT:
        return _retraction(situation)
    return (
        buried(situation)
        or _implied(situation)
        or _same_claim(situation)
        or _denied(situation)
        or _same_words(situation)
        or _replacement(situation)
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


def _replacement(situation: Situation) -> Operation | None:
    """Find what an explicit change ("switch to …", "改成 …") replaces, if it is clear."""
    candidate = situation.candidate
    if candidate.intent is not Intent.REPLACE:
        return None
    family = family_of(candidate.kind)
    earlier = [
        offer
        for offer in situation.offered
        if offer.item.kind in family and situation.moment.is_after(offer.moment)
    ]
    best = _of_same_slot(candidate.claim, earlier) or clear_best(
        _matches(_telling_terms(situation), earlier, rarity=situation.rarity),
        threshold=REPLACE_SHARE_MIN,
        margin=REPLACE_MARGIN,
    )
    if best is None:
        return None
    return Supersede(
        candidate_id=situation.proposed.id,
        item_ids=(best.entry,),
        grounds=Grounds(
            rule="said-to-replace",
            reason=f"takes the place of {best.entry}",
            score=best.score,
            threshold=REPLACE_SHARE_MIN,
        ),
    )


def _telling_terms(situation: Situation) -> tuple[str, ...]:
    """Return the terms that tell one statement from another: "function" is in every second one."""
    terms = core_terms_of(situation.candidate.words)
    return tuple(term for term in terms if situation.rarity.is_telling(term))


def _of_same_slot(claim: Claim | None, earlier: Sequence[Offered]) -> Match[ItemId] | None:
    """Return the one item of the same slot, whatever part of the project each is limited to."""
    if claim is None or claim.value in ("", SAID):
        return None
    slot = slot_of(claim.subject)
    found = [o.item.id for o in earlier if item_slot(o.item) == slot]
    return Match(found[0], 1.0) if len(found) == 1 else None


def _retraction(situation: Situation) -> Operation:
    """Find what is taken back: the holder of the claim named, or the clear best match."""
    earlier = [o for o in situation.offered if situation.moment.is_after(o.moment)]
    named = _named_by_claim(situation.candidate.claim, earlier)
    if len(named) == 1:
        return _taken_back(situation, Match(named[0], 1.0), rule="claim-taken-back")
    pool = [o for o in earlier if o.item.id in named] if named else earlier
    matches = _matches(
        retracted_terms_of(withdrawn_part(situation.candidate.words)),
        pool,
        rarity=situation.rarity,
    )
    best = clear_best(matches, threshold=RETRACT_SHARE_MIN, margin=RETRACT_MARGIN)
    if best is not None:
        return _taken_back(situation, best, rule="words-taken-back")
    if named or (matches and matches[0].score >= RETRACT_SHARE_MIN):
        return Reject(
            candidate_id=situation.proposed.id,
            reason=Reason(
                slug="ambiguous", message="it is not clear which of several items is meant"
            ),
        )
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


def _matches(
    asked: Sequence[str], offered: Sequence[Offered], *, rarity: Rarity
) -> list[Match[ItemId]]:
    entries = {o.item.id: core_terms_of(_text_of(o.item)) for o in offered}
    return ranked(asked, entries, rarity=rarity)


def _text_of(item: Item) -> str:
    return f"{item.revision.title}\n{item.revision.statement}"
