"""Which of the entries found may answer, by which lane, and why the others may not. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from backstory.model.episode import Episode
from backstory.model.item import Item
from backstory.model.words import Lane
from backstory.recall.evidence import (
    COVERED_IN_TIME_MIN,
    COVERED_MIN,
    COVERED_TODO_MIN,
    Found,
    is_in_names,
    weigh,
)
from backstory.recall.needles import Needles
from backstory.recall.question import Asked
from backstory.segment.fields import Field
from backstory.segment.terms import NAME_CHARS_MAX

# A name that begins like the question answers it only where enough of it was typed.
_BEGINNING_CHARS_MIN = 3
_PLAIN_BEGINNING_CHARS_MIN = 6
_SLIPPED_COVERED_MIN = 0.2
_PHRASE_COVERED_MIN = 0.8


@dataclass(slots=True)
class Candidate:
    """An entry that earned its place, the lanes that found it, and what ranks it."""

    found: Found
    lane: Lane
    score: float
    reasons: list[str] = field(default_factory=list)
    entry: Item | Episode | None = None
    group: int = 0  # lower groups come first, whatever the score
    doubt: str | None = None  # why it does not pass unless its names say otherwise


@dataclass(frozen=True, slots=True)
class Judged:
    """Who passed, and for everybody else the reason."""

    passed: tuple[Candidate, ...]
    removed: tuple[tuple[Found, str], ...]


def judge(
    asked: Asked, needles: Needles, found: Iterable[Found], in_time: frozenset[str]
) -> Judged:
    """Let an entry pass by a name, a place or enough of the question's words."""
    passed: list[Candidate] = []
    removed: list[tuple[Found, str]] = []
    places = {needle.answers[0][0] for needle in needles.needles if needle.is_place}
    may_begin = _may_begin(asked, needles)
    for entry in found:
        weigh(entry, needles)
        lane = _lane(asked, entry, places, may_begin=may_begin)
        reason = None if lane in _SURE else _shortfall(asked, needles, entry, in_time)
        candidate = Candidate(entry, lane, entry.score * (0.4 + 0.6 * entry.covered), doubt=reason)
        if reason is None or _may_be_named(asked, entry):
            passed.append(candidate)
        else:
            removed.append((entry, reason))
    return Judged(tuple(passed), tuple(removed))


_TODO = int(Field.TODO)
_SURE = frozenset({Lane.ANCHOR, Lane.EXACT, Lane.PREFIX})


def _may_be_named(asked: Asked, entry: Found) -> bool:
    """Whether the question may stand in a name, or be one with a slip: the texts will tell."""
    return entry.covered > _PHRASE_COVERED_MIN or (
        asked.is_one_run and entry.covered > _SLIPPED_COVERED_MIN
    )


def _lane(asked: Asked, entry: Found, places: set[str], *, may_begin: bool) -> Lane:
    if not places.isdisjoint(entry.terms):
        return Lane.ANCHOR
    names = [term for term in entry.terms if term.startswith("=")]
    if not names or not asked.name:
        return Lane.TERMS
    key = f"={asked.name[:NAME_CHARS_MAX]}"
    if key in names:
        return Lane.EXACT
    return Lane.PREFIX if may_begin and any(n.startswith(key) for n in names) else Lane.TERMS


def _may_begin(asked: Asked, needles: Needles) -> bool:
    is_specific = any(not needle.is_generic for needle in needles.needles)
    least = _BEGINNING_CHARS_MIN if is_specific else _PLAIN_BEGINNING_CHARS_MIN
    return bool(asked.units) and len(asked.name) >= least


def _shortfall(
    asked: Asked, needles: Needles, entry: Found, in_time: frozenset[str]
) -> str | None:
    """Return why an entry has not earned its place, or None."""
    if entry.entry_id in in_time:
        if not needles.needles or all(needle.is_generic for needle in needles.needles):
            return None
        return _uncovered(entry, COVERED_IN_TIME_MIN)
    if asked.span is not None and not entry.is_item:
        return "it was not going on at the time asked for"
    if not needles.needles:
        return "the question has no word to look for"
    if not entry.is_specific:
        is_named = asked.is_bare and entry.covered > 0.99 and is_in_names(entry, needles)
        return None if is_named else "it shares no word that says something by itself"
    is_left_open = asked.wants_todos and any(f & _TODO for _, f in entry.terms.values())
    return _uncovered(entry, COVERED_TODO_MIN if is_left_open else COVERED_MIN)


def _uncovered(entry: Found, least: float) -> str | None:
    if not entry.is_specific:
        return "it shares no word that says something by itself"
    if entry.covered < least:
        return f"it covers {entry.covered:.2f} of the question, {least:.2f} is needed"
    return None
