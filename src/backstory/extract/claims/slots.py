"""The slot lexicon: which names fill the same slot, and where a text speaks of them."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

_ALIAS_CHARS_MAX = 40
_TABLES = ("slots", "slots_style")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One thing that a project has one of: a database, an indentation, a reply language."""

    name: str
    is_weak: bool  # its names are often only the setting of another choice
    needs_noun: bool  # its names mean nothing without a noun of the slot
    needs_entity: bool  # it is one for each kind of name: functions, classes, …
    takes_number: bool  # its value is a number and not a name
    is_version: bool
    needs_unit: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """One spelling of one name: the slot that it fills, and with what."""

    slot: Slot
    value: str
    is_careful: bool  # also an ordinary word


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One place of a text that may fill one of several slots."""

    start: int
    end: int
    fillings: tuple[Filling, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """One place of a text that names slots themselves."""

    start: int
    end: int
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotLexicon:
    """Spellings of names and of slots, folded."""

    fillings: Mapping[str, tuple[Filling, ...]]
    nouns: Mapping[str, tuple[Slot, ...]]


def mentions_in(plain: str) -> tuple[Mention, ...]:
    """Return the names that a folded text mentions, longest spelling first at each place."""
    known = slot_lexicon().fillings
    return tuple(
        Mention(start=start, end=end, fillings=known[plain[start:end]])
        for start, end in _places(plain, known)
    )


def nouns_in(plain: str) -> tuple[Noun, ...]:
    """Return the places of a folded text that name slots themselves."""
    known = slot_lexicon().nouns
    return tuple(
        Noun(start=start, end=end, slots=known[plain[start:end]])
        for start, end in _places(plain, known)
    )


def words_in(plain: str, known: Mapping[str, str]) -> tuple[tuple[int, int, str], ...]:
    """Return where spellings of a table stand in a folded text, and what each stands for."""
    return tuple((s, e, known[plain[s:e]]) for s, e in _places(plain, known))


def _places(plain: str, known: Mapping[str, object]) -> Iterator[tuple[int, int]]:
    """Yield the places of known spellings, the longest at each and none inside another."""
    position = 0
    while position < len(plain):
        end = (
            _longest_from(plain, position, known=known) if _begins_word(plain, position) else None
        )
        if end is None:
            position += 1
        else:
            yield position, end
            position = end


def _longest_from(plain: str, start: int, *, known: Mapping[str, object]) -> int | None:
    for end in range(min(len(plain), start + _ALIAS_CHARS_MAX), start, -1):
        if plain[start:end] in known and _ends_word(plain, end):
            return end
    return None


def _begins_word(plain: str, at: int) -> bool:
    if plain[at].isspace():
        return False
    return not (at > 0 and _is_latin(plain[at]) and _is_latin(plain[at - 1]))


def _ends_word(plain: str, end: int) -> bool:
    return not (end < len(plain) and _is_latin(plain[end - 1]) and _is_latin(plain[end]))


def _is_latin(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


@lru_cache(maxsize=1)
def slot_lexicon() -> SlotLexicon:
    """Return the lexicon, read once."""
    fillings: dict[str, list[Filling]] = {}
    nouns: dict[str, list[Slot]] = {}
    for table in _TABLES:
        for name, row in read_table(table).items():
            slot = _slot(name, row)
            for noun in row["nouns"]:
                nouns.setdefault(noun, []).append(slot)
            for spelling, filling in _fillings(slot, row):
                fillings.setdefault(spelling, []).append(filling)
    return SlotLexicon(
        fillings={spelling: tuple(found) for spelling, found in fillings.items()},
        nouns={spelling: tuple(found) for spelling, found in nouns.items()},
    )


def _slot(name: str, row: Mapping[str, list[str]]) -> Slot:
    return Slot(
        name=name,
        is_weak=bool(row.get("is_weak")),
        needs_noun=bool(row.get("needs_noun")),
        needs_entity=bool(row.get("needs_entity")),
        takes_number=bool(row.get("takes_number")),
        is_version=bool(row.get("is_version")),
        needs_unit=tuple(row.get("needs_unit", ())),
    )


def _fillings(slot: Slot, row: Mapping[str, list[str]]) -> Iterator[tuple[str, Filling]]:
    careful = frozenset(row.get("careful", ()))
    for line in row.get("names", ()):
        value, _, spellings = line.partition(": ")
        listed = [s.strip() for s in spellings.split(", ")] if spellings else [value]
        for spelling in dict.fromkeys(listed):
            yield spelling, Filling(slot=slot, value=value, is_careful=spelling in careful)


@lru_cache(maxsize=4)
def read_table(name: str) -> dict[str, dict[str, list[str]]]:
    """Return one of the package's data files, parsed."""
    source = files("backstory.extract").joinpath(f"data/{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))
