"""Which items may contradict a candidate: kinds of one family, claims of one key. Pure."""

from dataclasses import replace

from backstory.model.candidate import Candidate, Claim
from backstory.model.item import Item
from backstory.model.words import Kind

LESSONS = frozenset({Kind.TOOL_LESSON, Kind.FAILURE_LESSON})
_RULES = frozenset(
    {Kind.USER_PREFERENCE, Kind.PROJECT_DECISION, Kind.CODE_CONVENTION, Kind.PROJECT_FACT}
)
# The value of a claim that has its own words for a subject: it is said, or it is denied.
SAID = "yes"


def family_of(kind: Kind) -> frozenset[Kind]:
    """Return the kinds whose items may contradict one of this kind.

    A choice, a rule, a wish and a fact can speak of the same thing ("tabs"); which of them it
    is, is a matter of wording.
    """
    for family in (_RULES, LESSONS):
        if kind in family:
            return family
    return frozenset({kind})


def claim_key(claim: Claim | None, kind: Kind) -> str | None:
    """Return the key that an item of this claim holds, or None where the claim fills nothing."""
    return None if claim is None or not claim.value else claim.key(kind)


def own_keys(candidate: Candidate) -> frozenset[str]:
    """Return the key of the candidate's claim, in every kind that may contradict its own."""
    return _keys(candidate.claim, candidate.kind)


def contrary_of(claim: Claim) -> Claim:
    """Return the claim that denies this one."""
    return replace(claim, is_negative=not claim.is_negative)


def contrary_keys(candidate: Candidate) -> frozenset[str]:
    """Return the keys under which the candidate's denial would be held."""
    claim = candidate.claim
    return frozenset() if claim is None else _keys(contrary_of(claim), candidate.kind)


def slot_of(subject: str) -> str:
    """Return the slot of a claim's subject, without the part that it is limited to."""
    return subject.partition(" @ ")[0]


def item_slot(item: Item) -> str:
    """Return the slot of an item's claim, or "" where it has none."""
    return "" if item.claim_key is None else slot_of(item.claim_key.split("|")[1])


def _keys(claim: Claim | None, kind: Kind) -> frozenset[str]:
    if claim is None or not claim.value:
        return frozenset()
    return frozenset(claim.key(relative) for relative in family_of(kind))
