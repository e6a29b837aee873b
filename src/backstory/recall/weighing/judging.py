"""Which of the entries found may answer, by which lane, and why the others may not. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from backstory.model.episode import Episode
from backstory.model.item import Item
from backstory.model.words import Lane
from backstory.recall.asking.question import Asked
from backstory.recall.weighing.evidence import (
    COVERED_IN_LONG_MIN,
    COVERED_IN_TIME_MIN,
    COVERED_MIN,
    COVERED_TODO_MIN,
    SPECIFICS_IN_LONG_MIN,
    Found,
    is_in_names,
    weigh,
)
from backstory.recall.weighing.lookup import Lookup
from backstory.recall.weighing.needles import Needles
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
    asked: Asked  # of several questions the one that it answers
    reasons: list[str] = field(default_factory=list)
    entry: Item | Episode | None = None
    group: int = 0  # lower groups come first, whatever the score
    doubt: str | None = None  # why it does not pass unless its names say otherwise


@dataclass(frozen=True, slots=True)
class Judged:
    """Who passed, and for everybody else the reason."""

    passed: tuple[Candidate, ...]
    removed: tuple[tuple[Found, str], ...]


def judge(asked: Sequence[Asked], lookup: Lookup) -> Judged:
    """Let an entry pass by a name, a place or enough of the words of one question.

    Where there are several, the sentences of a long text, each is judged by itself, and more
    strictly: an entry answers the one that it answers best.
    """
    if len(asked) == 1:
        return _judge_one(asked[0], lookup.needles[0], lookup=lookup)
    best: dict[str, Candidate] = {}
    removed: dict[str, tuple[Found, str]] = {}
    for one, needles in zip(asked, lookup.needles, strict=True):
        judged = _judge_one(one, needles, lookup=lookup)
        removed |= {found.entry_id: (found, reason) for found, reason in judged.removed}
        for candidate in judged.passed:
            reason = _shortfall_in_long(candidate)
            name = candidate.found.entry_id
            if reason:
                removed[name] = (candidate.found, reason)
            elif name not in best or best[name].score < candidate.score:
                best[name] = candidate
    left = tuple(pair for name, pair in removed.items() if name not in best)
    return Judged(tuple(best.values()), left)


def _shortfall_in_long(candidate: Candidate) -> str | None:
    found = candidate.found
    if candidate.lane in {Lane.ANCHOR, Lane.EXACT}:
        return None
    if found.specifics < SPECIFICS_IN_LONG_MIN or candidate.doubt:
        return "it shares a word or two of a long text"
    return _uncovered(found, COVERED_IN_LONG_MIN)


def _judge_one(asked: Asked, needles: Needles, *, lookup: Lookup) -> Judged:
    passed: list[Candidate] = []
    removed: list[tuple[Found, str]] = []
    places = {needle.answers[0][0] for needle in needles.needles if needle.is_place}
    may_begin = _may_begin(asked, needles)
    for entry in lookup.found.values():
        weigh(entry, needles)
        lane = _lane(asked, entry, places=places, may_begin=may_begin)
        reason = None
        if lane not in _SURE:
            reason = _shortfall(asked, needles, entry=entry, in_time=lookup.in_time)
        score = entry.score * (0.4 + 0.6 * entry.covered)
        candidate = Candidate(entry, lane, score, asked, doubt=reason)
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


def _lane(asked: Asked, entry: Found, *, places: set[str], may_begin: bool) -> Lane:
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
    asked: Asked, needles: Needles, *, entry: Found, in_time: frozenset[str]
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
