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
_ANNOUNCES_SEVERAL = ("list_head", "rule_name", "scope_head")
_ANNOUNCES_A_NUMBER = ("list_head", "opens_list")
_CONTINUES = ("is_not", "carries_on", "gives_reason", "says_how_long")
_NOTHING = -99.0  # log odds of what only announces


def are_one(earlier: Draft, later: Draft, *, places: Sequence[Place], text: str) -> bool:
    """Whether two drafts, of which weight alone proposes at least one, are one statement."""
    between = text[earlier.quotes[0].end : later.quotes[0].start]
    weighed_only = [one for one in (earlier, later) if one.proposer == PROPOSER]
    if not weighed_only or not _JOINS.fullmatch(between):
        return False
    if later in weighed_only and _carries_on(_of(later, places)):
        return True
    is_clear_cut = all(_lasting(one, places) >= CLEAR for one in weighed_only)
    following = _of(later, places)
    is_counted = any(map(_is_counted, following)) and not _begins_list(_of(earlier, places))
    if (is_clear_cut or is_counted) and all(map(_is_point, following)):
        return False
    is_same = (earlier.kind, earlier.intent) == (later.kind, later.intent)
    return is_same or min(_lasting(one, places) for one in weighed_only) < CLEAR


def main_of(earlier: Draft, later: Draft, *, places: Sequence[Place]) -> Draft:
    """Return the draft that says what the two state: one that a rule made, or the surer one."""
    return max((earlier, later), key=lambda one: (one.proposer != PROPOSER, _lasting(one, places)))


def are_points(earlier: Place, later: Place) -> bool:
    """Whether two clauses are points of a list, each a statement.

    Where what announces them tells their number, they are; else both have to last clearly.
    """
    if earlier.clause.is_head or not _is_point(later):
        return False
    return _is_counted(later) or (is_clear(earlier) and is_clear(later))


def _is_point(place: Place) -> bool:
    """Whether a colon announces several things, and a clause may be one of them."""
    is_several = any(place.seen("announced", tag) for tag in _ANNOUNCES_SEVERAL)
    is_point = is_several or place.seen("", "enumerated") or _is_counted(place)
    return is_point and not any(place.seen("", tag) for tag in _CONTINUES)


def _is_counted(place: Place) -> bool:
    """Whether what announces a clause tells how many points follow."""
    return any(place.seen("announced", tag) for tag in _ANNOUNCES_A_NUMBER)


def _begins_list(places: Sequence[Place]) -> bool:
    """Whether nothing but the announcement of a list is said."""
    return all(place.clause.is_head or place.seen("", "opens_list") for place in places)


def _carries_on(places: Sequence[Place]) -> bool:
    """Whether what is said goes on from what was said right before it."""
    return bool(places) and any(places[0].seen("", tag) for tag in _CONTINUES[1:])


def _lasting(draft: Draft, places: Sequence[Place]) -> float:
    """Return the weight of the surest clause of a draft that is no mere announcement."""
    content = (place for place in _of(draft, places) if not place.clause.is_head)
    return max((weighed(place).lasting for place in content), default=_NOTHING)


def _of(draft: Draft, places: Sequence[Place]) -> list[Place]:
    quote = draft.quotes[0]
    return [p for p in places if quote.start <= p.clause.start and p.clause.end <= quote.end]
