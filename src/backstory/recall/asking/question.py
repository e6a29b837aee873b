"""What a question asks for, before anything is looked up. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from backstory.model.recall import Cues
from backstory.recall.asking.phrases import (
    asks_for_choice,
    asks_for_todos,
    asks_why,
    without_todo_phrases,
    without_why_phrases,
)
from backstory.recall.asking.times import time_in
from backstory.segment.concepts import concepts_among, concepts_in, spread
from backstory.segment.places import (
    branch_term,
    folder_terms,
    mentioned_paths,
    mentioned_tickets,
    path_term,
    path_terms,
    ticket_term,
)
from backstory.segment.terms import is_stop_word, name_key, single_term
from backstory.segment.tokens import Part, Run, Word, normalise, stretches, tokens
from backstory.segment.wordlists import words

if TYPE_CHECKING:
    from backstory.recall.asking.spans import Span


@dataclass(frozen=True, slots=True)
class Meant:
    """What a part of a word means, and the whole that means it: a word, or several."""

    whole: str
    concepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordUnit:
    """A word that is asked for, or a name of several words."""

    surface: str
    parts: tuple[Part, ...]
    wholes: tuple[str, ...] = ()
    is_code: bool = False
    meant: tuple[Meant, ...] = ()  # for each part

    def terms(self) -> tuple[str, ...]:
        """Return every term that may answer it."""
        own = (part.term for part in self.parts)
        return (*self.wholes, *own, *(name for one in self.meant for name in one.concepts))


@dataclass(frozen=True, slots=True)
class RunUnit:
    """Characters of an unspaced script between two phrases that carry no subject."""

    text: str

    def pairs(self) -> tuple[str, ...]:
        """Return its overlapping pairs."""
        return Run(self.text).pairs

    def terms(self) -> tuple[str, ...]:
        """Return every term that may answer it."""
        meant = (name for _, _, name in concepts_in(self.text))
        return (*self.pairs(), *meant, *(single_term(c) for c in self.text))


@dataclass(frozen=True, slots=True)
class PlaceUnit:
    """A path or ticket that is asked for by its name."""

    term: str
    is_strict: bool  # nothing but the place itself answers: its words are not looked up
    fallback: tuple["WordUnit | RunUnit", ...] = ()

    def terms(self) -> tuple[str, ...]:
        """Return every term that may answer it."""
        return (self.term, *(term for unit in self.fallback for term in unit.terms()))


Unit = WordUnit | RunUnit | PlaceUnit


@dataclass(frozen=True, slots=True)
class CueTerms:
    """The places that the work is at: files, their directories, branch and ticket."""

    files: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()  # of absolute paths: the part inside the project is not known
    folders: tuple[str, ...] = ()
    branch: str | None = None
    ticket: str | None = None

    def all(self) -> tuple[str, ...]:
        """Return every term."""
        single = tuple(term for term in (self.branch, self.ticket) if term)
        return (*self.files, *self.ends, *self.folders, *single)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question taken apart."""

    name: str  # the whole of it, to compare with names
    units: tuple[Unit, ...]
    span: "Span | None"
    wants_todos: bool
    wants_reason: bool
    wants_choice: bool
    is_bare: bool  # nothing but the words looked for: no question around them
    cues: CueTerms

    @property
    def is_one_run(self) -> bool:
        """Whether it is a bare name in an unspaced script."""
        return self.is_bare and len(self.units) == 1 and isinstance(self.units[0], RunUnit)


def understand(text: str, cues: Cues, *, now_ms: int) -> Asked:
    """Take a question apart: places, words of time, what kind of answer it wants, and the rest."""
    plain = normalise(text)
    name = name_key(text)
    span, rest = time_in(plain, now_ms)
    wants_todos, wants_reason = asks_for_todos(rest), asks_why(rest)
    wants_choice = asks_for_choice(rest)
    if wants_todos:
        rest = without_todo_phrases(rest)
    if wants_reason:
        rest = without_why_phrases(rest)
    places, rest = _places(rest)
    units, dropped = _units(rest)
    is_bare = not (dropped or span or wants_todos or wants_reason)
    return Asked(
        name=name,
        units=(*places, *units),
        span=span,
        wants_todos=wants_todos,
        wants_reason=wants_reason,
        wants_choice=wants_choice,
        is_bare=is_bare,
        cues=_cue_terms(cues),
    )


def _places(text: str) -> tuple[tuple[PlaceUnit, ...], str]:
    found: list[PlaceUnit] = []
    for ticket in mentioned_tickets(text):
        text = text.replace(ticket, " ", 1)
        wholes = tuple(whole for token in tokens(ticket) for whole in _wholes(token))
        word = (WordUnit(wholes[0], (), wholes),) if wholes else ()
        found.append(PlaceUnit(ticket_term(ticket), is_strict=True, fallback=word))
    for path in mentioned_paths(text):
        text = text.replace(path, " ", 1)
        units, _ = _units(path)
        strict = is_surely_path(path)
        found.append(
            PlaceUnit(path_term(path), is_strict=strict, fallback=() if strict else units)
        )
    return tuple(found), text


def is_surely_path(path: str) -> bool:
    """Whether it can be nothing else: several directories, or one and a file with a suffix."""
    inner = path.strip("/")
    return inner.count("/") >= 2 or ("/" in inner and "." in inner.rpartition("/")[2])


def _wholes(token: Word | Run) -> tuple[str, ...]:
    return token.wholes if isinstance(token, Word) else ()


def _units(text: str) -> tuple[tuple[WordUnit | RunUnit, ...], bool]:
    """Return the units of a text, and whether words without a subject were left out."""
    units: list[WordUnit | RunUnit] = []
    has_dropped = False
    for stretch in stretches(text):
        if isinstance(stretch, Run):
            pieces = [piece for piece in _stop_phrases().split(stretch.text) if piece]
            has_dropped |= "".join(pieces) != stretch.text
            units += [RunUnit(piece) for piece in pieces]
        else:
            found = _word_units(stretch)
            has_dropped |= len(found) < len(stretch)
            units += found
    return _without_pictures(tuple(dict.fromkeys(units))), has_dropped


def _without_pictures(units: tuple[WordUnit | RunUnit, ...]) -> tuple[WordUnit | RunUnit, ...]:
    """Leave pictures out beside words: there they say how something is meant, and not what."""
    words = [one for one in units if isinstance(one, WordUnit) or not Run(one.text).is_picture]
    return tuple(words) or units


def _word_units(stretch: Sequence[Word]) -> list[WordUnit]:
    """Return the units of words that stand one after another, stop words left out."""
    meant = iter(_meant([part for word in stretch for part in word.parts]))
    own = [(word, tuple(islice(meant, len(word.parts)))) for word in stretch]
    return [
        WordUnit(word.surface, word.parts, word.wholes, word.is_code, parts_meant)
        for word, parts_meant in own
        if not is_stop_word(word)
    ]


def _meant(parts: Sequence[Part]) -> list[Meant]:
    """Return for each word what it means, by itself or with its neighbours."""
    return [
        Meant(" ".join(part.term for part in parts[start:end]), concepts)
        for start, end, concepts in spread(concepts_among(parts), len(parts))
    ]


@lru_cache(maxsize=1)
def _stop_phrases() -> re.Pattern[str]:
    longest_first = sorted(words("stop_zh"), key=lambda phrase: (-len(phrase), phrase))
    return re.compile("|".join(longest_first))


def _cue_terms(cues: Cues) -> CueTerms:
    ends = [
        end
        for file in cues.files
        if normalise(file).replace("\\", "/").startswith("/") or ":" in file[:3]
        for end in path_terms(file)[1:]
        if end.count("/") > 1
    ]
    return CueTerms(
        files=tuple(path_term(file) for file in cues.files),
        ends=tuple(ends),
        folders=tuple(dict.fromkeys(term for file in cues.files for term in folder_terms(file))),
        branch=branch_term(cues.branch) if cues.branch else None,
        ticket=ticket_term(cues.ticket) if cues.ticket else None,
    )
