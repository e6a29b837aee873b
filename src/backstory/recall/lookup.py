"""Looking up a question in the index: three statements, whatever is asked and stored."""

from dataclasses import dataclass

from backstory.model.recall import Question
from backstory.ports.store import Tables, Wanted
from backstory.recall.evidence import Found, gather
from backstory.recall.needles import Needles, needles_of, unknown_words
from backstory.recall.question import Asked, PlaceUnit
from backstory.recall.rarity import Rarity
from backstory.recall.spelling import TYPED_CHARS_MIN, is_begun, is_slip
from backstory.segment.stems import stem
from backstory.segment.terms import NAME_CHARS_MAX

# Bounds on one question, so that a long one costs no more than a short one.
_UNKNOWN_WORDS_MAX = 6
_SPELLINGS_MAX = 500
_SLIPS_MAX = 4
_TERMS_MAX = 64
_POSTINGS_MAX = 1_500
_IN_TIME_MAX = 200
_NAME_CHARS_MIN = 2


@dataclass(frozen=True, slots=True)
class Lookup:
    """What the index knows of a question."""

    needles: Needles
    found: dict[str, Found]
    in_time: frozenset[str]  # episodes that were going on at the time asked for


def look_up(tables: Tables, asked: Asked, question: Question) -> Lookup:
    """Return the entries that share a term, a name or a place with the question."""
    terms = tuple(dict.fromkeys(term for unit in asked.units for term in unit.terms()))
    entries, counts = tables.postings.totals(terms)
    rarity = Rarity(entries, counts)
    slips = _slips(tables, asked, rarity)
    if slips:
        # A misspelt word is as rare as the word that was meant.
        meant = {term: 1 for known in slips.values() for term in known if term not in counts}
        rarity = Rarity(entries, {**meant, **counts})
    needles = needles_of(asked, rarity, slips)
    in_time: tuple[str, ...] = ()
    if asked.span is not None:
        in_time = tables.episodes.within(
            asked.span.start_ms, asked.span.end_ms, limit=_IN_TIME_MAX
        )
    found = tables.postings.matches(_wanted(asked, question, needles, rarity, in_time))
    return Lookup(needles, gather(found), frozenset(in_time))


def _slips(tables: Tables, asked: Asked, rarity: Rarity) -> dict[str, tuple[str, ...]]:
    """Return, for words that nobody used, the terms of known words one slip away."""
    unknown = [word for word in unknown_words(asked, rarity) if len(word) >= TYPED_CHARS_MIN]
    if not unknown:
        return {}
    asked_for = list(dict.fromkeys(unknown))[:_UNKNOWN_WORDS_MAX]
    near = tables.postings.spellings(asked_for, limit=_SPELLINGS_MAX)
    found: dict[str, tuple[str, ...]] = {}
    for typed, known in near.items():
        slips = [word for word in known if is_slip(typed, word)]
        meant = slips or [word for word in known if is_begun(typed, word)]
        if meant:
            found[typed] = tuple(dict.fromkeys(map(_term_of, meant)))[:_SLIPS_MAX]
    return found


def _term_of(word: str) -> str:
    """Return the term of a known spelling: a joined name is its own."""
    return stem(word)


def _wanted(
    asked: Asked, question: Question, needles: Needles, rarity: Rarity, in_time: tuple[str, ...]
) -> Wanted:
    by_value = sorted(needles.values.items(), key=lambda pair: (-pair[1], pair[0]))[:_TERMS_MAX]
    cue_terms = asked.cues.all()
    return Wanted(
        terms=[*(term for term, _ in by_value), *cue_terms],
        seeds={**_seeds(by_value, rarity), **dict.fromkeys(cue_terms, 50.0)},
        name_beginnings=_beginnings(asked),
        entry_ids=in_time,
        thread_id=question.thread_id,
        postings_max=_POSTINGS_MAX,
    )


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
