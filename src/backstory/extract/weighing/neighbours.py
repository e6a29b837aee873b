"""Which statements beside each other in a sentence are one. Pure.

What announces ("one rule for all of us:") and what gives a reason is weighed as lasting, too,
yet belongs to what it is beside. Two things that both clearly last, and are of two kinds or
points of a list, stay two.
"""

import re
from collections.abc import Sequence

from backstory.extract.context import Place
from backstory.extract.weighing.judging import CLEAR, PROPOSER, is_clear, weighed
from backstory.model.candidate import Draft

_JOINS = re.compile(r"\s*(?:[,，、:：]|[-–—]{1,2})?\s*")
_ANNOUNCES_SEVERAL = ("list_head", "rule_name", "how_i_work")
_NOTHING = -99.0  # log odds of what only announces


def are_one(earlier: Draft, later: Draft, *, places: Sequence[Place], text: str) -> bool:
    """Whether two drafts, of which weight alone proposes at least one, are one statement."""
    between = text[earlier.quotes[0].end : later.quotes[0].start]
    weighed_only = [one for one in (earlier, later) if one.proposer == PROPOSER]
    if not weighed_only or not _JOINS.fullmatch(between):
        return False
    is_clear_cut = all(_lasting(one, places) >= CLEAR for one in weighed_only)
    if is_clear_cut and all(map(_is_point, _of(later, places))):
        return False
    is_same = (earlier.kind, earlier.intent) == (later.kind, later.intent)
    return is_same or min(_lasting(one, places) for one in weighed_only) < CLEAR


def main_of(earlier: Draft, later: Draft, *, places: Sequence[Place]) -> Draft:
    """Return the draft that says what the two state: one that a rule made, or the surer one."""
    return max((earlier, later), key=lambda one: (one.proposer != PROPOSER, _lasting(one, places)))


def are_points(earlier: Place, later: Place) -> bool:
    """Whether two clauses are points of a list that a colon announces, each a statement."""
    if earlier.clause.is_head or not _is_point(later):
        return False
    return is_clear(earlier) and is_clear(later)


def _is_point(place: Place) -> bool:
    """Whether a colon announces several things, and a clause may be one of them."""
    is_several = any(place.seen("announced", tag) for tag in _ANNOUNCES_SEVERAL)
    return is_several and not place.seen("", "contrast_tail")


def _lasting(draft: Draft, places: Sequence[Place]) -> float:
    """Return the weight of the surest clause of a draft that is no mere announcement."""
    content = (place for place in _of(draft, places) if not place.clause.is_head)
    return max((weighed(place).lasting for place in content), default=_NOTHING)


def _of(draft: Draft, places: Sequence[Place]) -> list[Place]:
    quote = draft.quotes[0]
    return [p for p in places if quote.start <= p.clause.start and p.clause.end <= quote.end]
