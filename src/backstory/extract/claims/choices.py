"""Which name of a slot a statement chooses or rejects, and for which part of the project."""

import re
from dataclasses import dataclass
from functools import lru_cache

from backstory.capture.wording import core_terms_of, retracted_terms_of
from backstory.extract.claims.slots import (
    Filling,
    Mention,
    Noun,
    Slot,
    mentions_in,
    nouns_in,
    read_table,
)
from backstory.model.candidate import Claim

_OPENING_MARKS = " \"'`“「("
_VERSION = re.compile(r"\s*(?:version\s*|v)?(\d+(?:\.(?:\d+|x))*)(?![\w%])")
_QUALIFIER_TERMS_MAX = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """One mention as one slot's name: chosen or rejected, and how sure it is."""

    mention: Mention
    filling: Filling
    is_rejected: bool
    has_noun: bool
    clause: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """A statement with the names and slots that it mentions; `plain` is its folded text."""

    text: str
    plain: str
    mentions: tuple[Mention, ...]
    nouns: tuple[Noun, ...]


def choice_in(text: str, plain: str) -> Claim | None:
    """Return the claim of a statement that chooses or rejects a known name, or None.

    `plain` is the folded text, character for character. None where several names of the
    same slot are chosen together, or where no slot can be told.
    """
    said = _Statement(text=text, plain=plain, mentions=mentions_in(plain), nouns=nouns_in(plain))
    readings = [reading for mention in said.mentions for reading in _readings(said, mention)]
    if not readings:
        return None
    best = min(readings, key=lambda reading: (*_unsureness(reading), _far(said, reading)))
    slot = best.filling.slot
    values = {r.filling.value for r in readings if r.filling.slot == slot and not r.is_rejected}
    if len(values) > 1:
        return None
    return Claim(
        subject=_subject(said, best), value=_value(plain, best), is_negative=best.is_rejected
    )


def topic_in(plain: str) -> str | None:
    """Return the one slot that a text names and says nothing of ("drop the indentation rule")."""
    nouns = nouns_in(plain)
    left = _blanked(plain, nouns)
    if retracted_terms_of(left) or not core_terms_of(left):
        return None
    names = {noun.slots[0].name for noun in nouns if len(noun.slots) == 1}
    return names.pop() if len(names) == 1 else None


def _readings(said: _Statement, mention: Mention) -> list[_Reading]:
    clause = _clause_around(said.plain, mention)
    is_rejected = _is_rejected(said, mention, clause=clause)
    if not is_rejected and not _is_chosen(said, mention, clause=clause):
        return []
    return [
        _Reading(
            mention=mention,
            filling=filling,
            is_rejected=is_rejected,
            has_noun=has_noun,
            clause=clause,
        )
        for filling in mention.fillings
        if not filling.slot.needs_entity
        for has_noun in [_is_named(said, mention, slot=filling.slot)]
        if has_noun or not filling.slot.needs_noun
        if has_noun or not filling.is_careful or _is_marked(said.text, mention)
    ]


def _unsureness(reading: _Reading) -> tuple[bool, bool, bool, bool, int]:
    """Order readings: beside the slot's noun, not only a setting, chosen, said first."""
    return (
        reading.filling.slot.is_weak,
        not reading.has_noun,
        reading.is_rejected,
        reading.filling.is_careful,
        reading.mention.start,
    )


def _far(said: _Statement, reading: _Reading) -> int:
    """Return how far away the slot is named: of two, the nearer is meant."""
    gap = _distance(said, reading.mention, slot=reading.filling.slot)
    return len(said.plain) if gap is None else gap


def _clause_around(plain: str, mention: Mention) -> tuple[int, int]:
    start, end = 0, len(plain)
    for mark in _pattern("clause_mark").finditer(plain):
        if mark.end() <= mention.start:
            start = mark.end()
        elif mark.start() >= mention.end:
            return start, mark.start()
    return start, end


def _is_rejected(said: _Statement, mention: Mention, *, clause: tuple[int, int]) -> bool:
    if _pattern("rejected_after").match(said.plain, mention.end, clause[1]):
        return True
    rejects, joiner = _pattern("rejects_next"), _pattern("joiner")
    first = mention
    for other in reversed([m for m in said.mentions if clause[0] <= m.start < mention.start]):
        if not joiner.fullmatch(said.plain, other.end, first.start):
            return rejects.search(said.plain, other.end, first.start) is not None
        first = other
    return rejects.search(said.plain, clause[0], first.start) is not None


def _is_chosen(said: _Statement, mention: Mention, *, clause: tuple[int, int]) -> bool:
    if not _fits_after(said, mention):
        return False
    before = said.plain[clause[0] : mention.start].rstrip(_OPENING_MARKS)
    if not before or _chooses().search(before):
        return True
    # "We release weekly": the slot itself is the verb.
    names = _slot_names(mention)
    at = clause[0] + len(before)
    return any(noun.end == at and names & {s.name for s in noun.slots} for noun in said.nouns)


def _fits_after(said: _Statement, mention: Mention) -> bool:
    """Whether the name ends here, and is not the first word of a longer one."""
    rest = said.plain[mention.end :]
    stripped = rest.lstrip(" \"'`”」")
    if _pattern("follows").match(stripped):
        return True
    following = mention.end + len(rest) - len(stripped)
    names = _slot_names(mention)
    return any(
        noun.start == following and names & {slot.name for slot in noun.slots}
        for noun in said.nouns
    )


def _slot_names(mention: Mention) -> set[str]:
    return {filling.slot.name for filling in mention.fillings}


def _is_named(said: _Statement, mention: Mention, *, slot: Slot) -> bool:
    """Whether the slot itself is named too, or a second of its names, as "X, not Y" does."""
    if _distance(said, mention, slot=slot) is not None:
        return True
    known = {filling.value for filling in mention.fillings if filling.slot == slot}
    return any(
        filling.slot == slot and filling.value not in known
        for other in said.mentions
        for filling in other.fillings
    )


def _distance(said: _Statement, mention: Mention, *, slot: Slot) -> int | None:
    """Return how far the nearest noun of the slot stands from the name, None without one."""
    gaps = [
        max(mention.start - noun.end, noun.start - mention.end)
        for noun in said.nouns
        if slot in noun.slots
    ]
    return min((gap for gap in gaps if gap >= 0), default=None)


def _is_marked(text: str, mention: Mention) -> bool:
    """Whether an ordinary word is written as a name: in backticks, capital, or beside Chinese."""
    before = text[mention.start - 1] if mention.start else ""
    after = text[mention.end : mention.end + 1]
    if before == "`" and after == "`":
        return True
    is_inside = bool(text[: mention.start].strip(_OPENING_MARKS))
    if is_inside and text[mention.start].isupper():
        return True
    near = text[: mention.start].rstrip()[-1:] + text[mention.end :].lstrip()[:1]
    return any("\u4e00" <= character <= "\u9fff" for character in near)


def _value(plain: str, reading: _Reading) -> str:
    version = _VERSION.match(plain, reading.mention.end)
    value = reading.filling.value
    return f"{value} {version.group(1)}" if version else value


def _subject(said: _Statement, reading: _Reading) -> str:
    """Return the slot's name with the part of the project that the clause limits it to."""
    slot, (start, end) = reading.filling.slot, reading.clause
    own = tuple(noun for noun in said.nouns if slot in noun.slots)
    others = tuple(mention for mention in said.mentions if mention is not reading.mention)
    plain = _blanked(said.plain, (*own, *others))
    before = _pattern("verb").split(plain[start : reading.mention.start])[0]
    after = _pattern("limits_after").search(plain[reading.mention.end : end])
    limit = f"{before} {next(filter(None, after.groups())) if after else ''}"
    terms = [term for term in core_terms_of(limit) if _limits(term)]
    if not terms or len(terms) > _QUALIFIER_TERMS_MAX:
        return slot.name
    return f"{slot.name} @ {' '.join(sorted(terms))}"


def _limits(term: str) -> bool:
    nothing = read_table("choosing")["limits_nothing"]["terms"]
    return len(term) > 1 and term not in nothing and not mentions_in(term)


def _blanked(plain: str, places: tuple[Noun | Mention, ...]) -> str:
    characters = list(plain)
    for place in places:
        characters[place.start : place.end] = " " * (place.end - place.start)
    return "".join(characters)


@lru_cache(maxsize=1)
def _chooses() -> re.Pattern[str]:
    softener = _alternatives("chooses_softener")
    return re.compile(rf"(?:{_alternatives('chooses')})(?:\s+{softener})*$")


@lru_cache(maxsize=16)
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_alternatives(name))


def _alternatives(name: str) -> str:
    table = read_table("choosing")[name]
    parts = [*table.get("any", ()), *table.get("zh", ())]
    if table.get("en"):
        parts.append(rf"(?<![a-z'])(?:{'|'.join(table['en'])})(?![a-z'])")
    return f"(?:{'|'.join(parts)})"
