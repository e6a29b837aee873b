"""Which remembered item a statement takes the place of. Pure."""

from collections.abc import Sequence

from backstory.capture.wording import core_terms_of, main_part, retracted_terms_of
from backstory.consolidate.changes.situation import Offered, Situation, matches_of, text_of
from backstory.consolidate.changes.words import (
    adds,
    dismissed_in,
    is_bare,
    is_counted,
    is_elsewhere,
    kept_in,
    says_change,
    says_change_strongly,
    turns_round,
)
from backstory.consolidate.keys import SAID, family_of, item_slot, slot_of
from backstory.consolidate.likeness import Match, clear_best
from backstory.consolidate.operations import (
    DISMISSED_BESIDE,
    SAME_FRAME,
    TURNED_ROUND,
    Grounds,
    Operation,
    Supersede,
)
from backstory.model.candidate import Claim
from backstory.model.ids import ItemId
from backstory.model.item import Item
from backstory.model.words import Intent

# A replacement repeats its subject and has a new value: it shares less than a retraction.
REPLACE_SHARE_MIN = 0.25
REPLACE_MARGIN = 1.3
# Without a firm word of change two statements have to be about the same in all but the value.
SAME_FRAME_SHARE_MIN = 0.5
# What is given up beside a statement is named by the greater part of its words.
DISMISSED_SHARE_MIN = 0.5


def replacement(situation: Situation) -> Operation | None:
    """Find what an explicit change ("switch to …", "改成 …") replaces, if it is clear."""
    family = family_of(situation.candidate.kind)
    words = situation.candidate.words
    earlier = [
        offer
        for offer in situation.offered
        if offer.item.kind in family
        and situation.moment.is_after(offer.moment)
        and not is_elsewhere(words, text_of(offer.item), is_narrow=False)
    ]
    return (
        _said_to_replace(situation, earlier)
        or _same_frame(situation, earlier)
        or _dismissed(situation, earlier)
        or _turned_round(situation)
    )


def _said_to_replace(situation: Situation, earlier: Sequence[Offered]) -> Supersede | None:
    candidate = situation.candidate
    if candidate.intent is not Intent.REPLACE:
        return None
    best = _of_same_slot(candidate.claim, earlier) or clear_best(
        matches_of(_telling_terms(situation), earlier, rarity=situation.rarity),
        threshold=REPLACE_SHARE_MIN,
        margin=REPLACE_MARGIN,
    )
    return _in_place_of(situation, best, rule="said-to-replace", threshold=REPLACE_SHARE_MIN)


def _same_frame(situation: Situation, earlier: Sequence[Offered]) -> Supersede | None:
    """Find the statement of the same subject whose value the candidate says anew.

    Only where words around it say that something changed, where both have a value of their own,
    and where the earlier one's subject, its first word or two, is there.
    """
    if not says_change(situation.around) or adds(situation.around):
        return None
    same = _of_same_slot(situation.candidate.claim, earlier)
    if same is not None and says_change_strongly(situation.around):
        return _in_place_of(situation, same, rule=SAME_FRAME, threshold=1.0)
    frames = ((offer.item.id, _shared_frame(situation, offer)) for offer in earlier)
    matches = [Match(item_id, share) for item_id, share in frames if share]
    best = clear_best(
        sorted(matches, key=lambda match: -match.score),
        threshold=SAME_FRAME_SHARE_MIN,
        margin=REPLACE_MARGIN,
    )
    return _in_place_of(situation, best, rule=SAME_FRAME, threshold=SAME_FRAME_SHARE_MIN)


def _shared_frame(situation: Situation, offer: Offered) -> float:
    """Return how much of a frame an item and the candidate share: all but their values.

    0 where the subject is another. One word in common is a frame only a moment later, and
    beside a firm word of change. Terms count alike here: a rare one is the value.
    """
    candidate, statement = situation.candidate, offer.item.revision.statement
    asked = set(core_terms_of(kept_in(main_part(candidate.statement))))
    given_up = core_terms_of(dismissed_in(situation.around))
    told = core_terms_of(main_part(statement))
    kept = [term for term in told if term not in given_up]
    shared = asked.intersection(kept)
    if not shared.intersection(kept[:1]) or not asked - shared or shared == set(told):
        return 0.0
    if is_counted(statement) != is_counted(candidate.statement) or not any(
        map(situation.rarity.is_telling, shared)
    ):
        return 0.0
    is_close = says_change_strongly(situation.around) and _is_near(situation, offer.item)
    if len(shared) < (1 if is_close else 2) or _are_other_slots(candidate.claim, offer.item):
        return 0.0
    return len(shared) / min(len(asked), len(told))


def _is_near(situation: Situation, item: Item) -> bool:
    return any(offer.item.id == item.id for offer in situation.said_before().offers)


def _are_other_slots(claim: Claim | None, item: Item) -> bool:
    """Whether two statements fill two different slots of the lexicon."""
    if claim is None or claim.value in ("", SAID) or item.claim_value in ("", SAID, None):
        return False
    return slot_of(claim.subject) != item_slot(item)


def _dismissed(situation: Situation, earlier: Sequence[Offered]) -> Supersede | None:
    """Find what the words beside the candidate give up: "Jenkins is too slow, we move to …"."""
    if not says_change(situation.around) or adds(situation.around):
        return None
    named = set(retracted_terms_of(dismissed_in(situation.around)))
    pool = [
        offer
        for offer in earlier
        if not _are_other_slots(situation.candidate.claim, offer.item)
        and _is_named(situation, offer.item, named=named)
    ]
    known = named.intersection(
        term for offer in pool for term in core_terms_of(offer.item.revision.statement)
    )
    best = clear_best(
        matches_of(tuple(known), pool, rarity=situation.rarity),
        threshold=DISMISSED_SHARE_MIN,
        margin=REPLACE_MARGIN,
    )
    return _in_place_of(situation, best, rule=DISMISSED_BESIDE, threshold=DISMISSED_SHARE_MIN)


def _is_named(situation: Situation, item: Item, *, named: set[str]) -> bool:
    """Whether what is given up names a word of an item, and the words around another one."""
    told = core_terms_of(item.revision.statement)
    given_up = named.intersection(told)
    # A pair of Han characters may be half of a word: it takes two.
    is_word = len(given_up) > 1 or any(term.isascii() for term in given_up)
    said = set(core_terms_of(situation.around.whole))
    if not given_up:
        return False
    return _is_near(situation, item) or (is_word and len(said.intersection(told)) > 1)


def _turned_round(situation: Situation) -> Supersede | None:
    """Find the one thing said right before, where the candidate undoes just that: "no, Godot"."""
    candidate = situation.candidate
    if not turns_round(situation.around) or adds(situation.around):
        return None
    family = family_of(candidate.kind)
    before = situation.said_before()
    offers = before.offers
    if len(offers) != 1 or offers[0].item.kind not in family:
        return None
    item = offers[0].item
    is_about_it = (before.is_next and is_bare(candidate.statement)) or not set(
        core_terms_of(candidate.statement)
    ).isdisjoint(core_terms_of(item.revision.statement))
    if (
        not is_about_it
        or _are_other_slots(candidate.claim, item)
        or is_elsewhere(candidate.words, text_of(item), is_narrow=True)
    ):
        return None
    return _in_place_of(situation, Match(item.id, 1.0), rule=TURNED_ROUND, threshold=1.0)


def _in_place_of(
    situation: Situation, match: Match[ItemId] | None, *, rule: str, threshold: float
) -> Supersede | None:
    if match is None:
        return None
    return Supersede(
        candidate_id=situation.proposed.id,
        item_ids=(match.entry,),
        grounds=Grounds(
            rule=rule,
            reason=f"takes the place of {match.entry}",
            score=match.score,
            threshold=threshold,
        ),
    )


def _telling_terms(situation: Situation) -> tuple[str, ...]:
    """Return the terms that tell one statement from another: "function" is in every second one."""
    terms = core_terms_of(situation.candidate.words)
    return tuple(term for term in terms if situation.rarity.is_telling(term))


def _of_same_slot(claim: Claim | None, earlier: Sequence[Offered]) -> Match[ItemId] | None:
    """Return the one item of the same slot, whatever part of the project each is limited to.

    What has the same value already is not replaced by it.
    """
    if claim is None or claim.value in ("", SAID):
        return None
    slot = slot_of(claim.subject)
    found = [
        offer.item.id
        for offer in earlier
        if item_slot(offer.item) == slot and offer.item.claim_value != claim.value
    ]
    return Match(found[0], 1.0) if len(found) == 1 else None
