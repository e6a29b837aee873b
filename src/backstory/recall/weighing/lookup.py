"""Looking up a question in the index: three statements, whatever is asked and stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backstory.model.ids import EpisodeId
from backstory.model.recall import Question
from backstory.ports.store_rows import Wanted
from backstory.recall.asking.question import Asked, PlaceUnit
from backstory.recall.weighing.evidence import Found, gather
from backstory.recall.weighing.needles import Needles, needles_of, unknown_words
from backstory.recall.weighing.rarity import Rarity
from backstory.recall.weighing.spelling import TYPED_CHARS_MIN, is_begun, is_slip
from backstory.segment.stems import stem
from backstory.segment.terms import NAME_CHARS_MAX

if TYPE_CHECKING:
    from backstory.ports.store import Tables

# Bounds on one question, so that a long one costs no more than a short one.
_UNKNOWN_WORDS_MAX = 6
_SPELLINGS_MAX = 500
_SLIPS_MAX = 4
_TERMS_MAX = 64
_POSTINGS_MAX = 1_500
_IN_TIME_MAX = 200
_NAME_CHARS_MIN = 2
# An entry that belongs to where the work is comes before any that shares words.
_PLACE_VALUE = 50.0
# One whose whole name was asked for comes before those.
_NAME_VALUE = 1_000.0


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the index knows of a question."""

    needles: tuple[Needles, ...]  # one for each question
    found: dict[str, Found]
    in_time: frozenset[str]  # episodes that were going on at the time asked for

    @property
    def asks_for_something(self) -> bool:
        """Whether any word asked for says something by itself."""
        return any(not needle.is_generic for one in self.needles for needle in one.needles)


def look_up(tables: "Tables", asked: Sequence[Asked], *, question: Question) -> Lookup:
    """Return the entries that share a term, a name or a place with any of the questions."""
    units = [unit for one in asked for unit in one.units]
    terms = tuple(dict.fromkeys(term for unit in units for term in unit.terms()))
    entries, counts = tables.postings.totals(terms)
    rarity = Rarity(entries, counts)
    slips = _slips(tables, asked, rarity=rarity)
    if slips:
        # A misspelt word is as rare as the word that was meant.
        meant = {term: 1 for known in slips.values() for term in known if term not in counts}
        rarity = Rarity(entries, {**meant, **counts})
    needles = tuple(needles_of(one, rarity, slips=slips) for one in asked)
    in_time = _in_time(tables, asked)
    values = _bounded({term: value for one in needles for term, value in one.values.items()})
    places = asked[0].cues.all()
    names = tuple(f"={one.name[:NAME_CHARS_MAX]}" for one in asked if one.name)
    seeds = {
        **dict.fromkeys(names, _NAME_VALUE),
        **_seeds(values, rarity),
        **dict.fromkeys(places, _PLACE_VALUE),
    }
    found = tables.postings.matches(
        Wanted(
            terms=[term for term, _ in values if term not in seeds],
            seeds=seeds,
            name_beginnings=tuple(term for one in asked for term in _beginnings(one)),
            entry_ids=in_time,
            thread_id=question.thread_id,
            postings_max=_POSTINGS_MAX,
        )
    )
    return Lookup(needles, gather(found), frozenset(in_time))


def _in_time(tables: "Tables", asked: Sequence[Asked]) -> tuple[EpisodeId, ...]:
    """Return the episodes of the first time asked for: one statement at the most."""
    span = next((one.span for one in asked if one.span is not None), None)
    if span is None:
        return ()
    return tables.episodes.within(span.start_ms, span.end_ms, limit=_IN_TIME_MAX)


def _slips(
    tables: "Tables", asked: Sequence[Asked], *, rarity: Rarity
) -> dict[str, tuple[str, ...]]:
    """Return, for words that nobody used, the terms of known words one slip away."""
    words = (word for one in asked for word in unknown_words(one, rarity))
    unknown = [word for word in words if len(word) >= TYPED_CHARS_MIN]
    if not unknown:
        return {}
    asked_for = list(dict.fromkeys(unknown))[:_UNKNOWN_WORDS_MAX]
    near = tables.postings.spellings(asked_for, limit=_SPELLINGS_MAX)
    found: dict[str, tuple[str, ...]] = {}
    for typed, known in near.items():
        slips = [word for word in known if is_slip(typed, word)]
        meant = slips or [word for word in known if is_begun(typed, word)]
        if meant:
            found[typed] = tuple(dict.fromkeys(map(stem, meant)))[:_SLIPS_MAX]
    return found


def _bounded(values: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the terms that say most, and what they say."""
    return sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))[:_TERMS_MAX]


def _seeds(by_value: list[tuple[str, float]], rarity: Rarity) -> dict[str, float]:
    """Return the rarest terms, as many as can be read within the bound; the rarest one always."""
    seeds: dict[str, float] = {}
    room = _POSTINGS_MAX
    for term, value in sorted(by_value, key=lambda pair: (rarity.counts.get(pair[0], 0), pair[0])):
        count = rarity.counts.get(term, 0)
        if seeds and count > room:
            break
        seeds[term] = value
        room -= count
    return seeds


def _beginnings(asked: Asked) -> tuple[str, ...]:
    found = [f"={asked.name[:NAME_CHARS_MAX]}"] if len(asked.name) >= _NAME_CHARS_MIN else []
    found += [
        f"{unit.term}/"
        for unit in asked.units
        if isinstance(unit, PlaceUnit) and unit.is_strict and unit.term[0] == "/"
    ]
    return tuple(found)
