"""A question as needles: what is looked for, what may answer it, and how much it says. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from backstory.recall.asking.question import Asked, Meant, PlaceUnit, RunUnit, Unit, WordUnit
from backstory.recall.weighing.rarity import Rarity
from backstory.segment.concepts import concepts_in, spread
from backstory.segment.terms import is_generic_word, single_term
from backstory.segment.tokens import Part
from backstory.segment.wordlists import words

# How far an answer covers what was asked: the thing itself, part of a joined name,
# a word one slip away, a lone character of a pair. Tuned on labelled questions.
_PART_OF_NAME = 0.9
_PART_OF_CODE_NAME = 0.6
_SLIP = 0.8
_LONE = 0.45

# How much a generic word says beside a specific one, and a single letter or digit.
_GENERIC = 0.25
_LETTER = 0.15
# A character is half a word; one that serves grammar says half of that.
_CHARACTER = 0.5
_GRAMMAR = 0.25
# How much a matched pair or lone character adds to a score.
_PAIR_SCORE = 0.55
_LONE_SCORE = 0.15
_CONCEPT_SCORE = 0.8


@dataclass(frozen=True, slots=True)
class Needle:
    """One thing that is looked for: a word, or a character among its neighbours."""

    info: float
    answers: tuple[tuple[str, float], ...]  # term, and how far it covers the needle
    is_generic: bool
    is_place: bool = False
    word: str = ""  # that it belongs to, or the several that have one meaning together


@dataclass(frozen=True, slots=True)
class Needles:
    """Everything that a question looks for, with what each term adds to a score."""

    needles: tuple[Needle, ...]
    values: Mapping[str, float]
    info: float  # how much all of it says
    answered: Mapping[str, tuple[tuple[int, float], ...]]  # by each term: which needle, how far


def _answered(needles: Iterable[Needle]) -> dict[str, tuple[tuple[int, float], ...]]:
    found: dict[str, tuple[tuple[int, float], ...]] = {}
    for number, needle in enumerate(needles):
        for term, factor in needle.answers:
            found[term] = (*found.get(term, ()), (number, factor))
    return found


def needles_of(asked: Asked, rarity: Rarity, *, slips: Mapping[str, tuple[str, ...]]) -> Needles:
    """Return the needles of a question; `slips` gives known terms for misspelt words."""
    builder = _Builder(rarity, slips, is_bare=asked.is_bare)
    for unit in asked.units:
        builder.add(unit)
    return Needles(
        needles=tuple(builder.needles),
        values=builder.values,
        info=sum(needle.info for needle in builder.needles),
        answered=_answered(builder.needles),
    )


class _Builder:
    def __init__(
        self, rarity: Rarity, slips: Mapping[str, tuple[str, ...]], *, is_bare: bool
    ) -> None:
        self._rarity = rarity
        self._is_bare = is_bare
        self._slips = slips
        self.needles: list[Needle] = []
        self.values: dict[str, float] = {}

    def add(self, unit: Unit, *, also: tuple[tuple[str, float], ...] = ()) -> None:
        match unit:
            case PlaceUnit():
                self._add_place(unit)
            case RunUnit():
                self._add_run(unit.text, also)
            case WordUnit():
                self._add_word(unit, also)

    def _add_place(self, unit: PlaceUnit) -> None:
        rarity = self._rarity
        if unit.is_strict or not unit.fallback:
            whole = [term for f in unit.fallback for term in f.terms()] if unit.is_strict else []
            answers = ((unit.term, 1.0), *((term, 0.8) for term in whole))
            self.needles.append(
                Needle(rarity.of(unit.term), answers, is_generic=False, is_place=True)
            )
            self._value(answers, 1.0)
            return
        self._value(((unit.term, 1.0),), 1.0)
        for word in unit.fallback:
            self.add(word, also=((unit.term, 1.0),))

    def _add_word(self, unit: WordUnit, also: tuple[tuple[str, float], ...]) -> None:
        wholes = tuple((whole, 1.0) for whole in unit.wholes) + also
        wholes += tuple((term, _SLIP) for term in self._slips.get(unit.surface, ()))
        if not unit.parts or (unit.wholes and all(len(part.surface) < 2 for part in unit.parts)):
            self.needles.append(Needle(self._rarity.of(unit.surface), wholes, is_generic=False))
        self._value(wholes, 1.0)
        share = (_PART_OF_CODE_NAME if unit.is_code else _PART_OF_NAME) if unit.wholes else 1.0
        for part, meant in zip(unit.parts, unit.meant, strict=True):
            self._add_part(part, meant, wholes=wholes, share=share)

    def _add_part(
        self, part: Part, meaning: Meant, *, wholes: tuple[tuple[str, float], ...], share: float
    ) -> None:
        slips = tuple((term, _SLIP) for term in self._slips.get(part.surface, ()))
        meant = tuple((name, share) for name in meaning.concepts)
        scale = self._scale(part)
        if scale < 1 and meaning.whole != part.term:
            # Together with its neighbours it says as much as any word; by itself it does not.
            scale, share = 1.0, share * scale
        said = ((part.term, share), *wholes, *slips)
        # How much a word says does not depend on how often others mean the same.
        info = scale * min(self._rarity.of(term) for term, _ in said)
        answers = (*said, *meant)
        self.needles.append(Needle(info, answers, is_generic=scale < 1, word=meaning.whole))
        self._value(((part.term, share), *slips), scale)
        self._value(meant, scale * _CONCEPT_SCORE)

    @staticmethod
    def _scale(part: Part) -> float:
        if len(part.surface) < 2:
            return _LETTER
        return _GENERIC if is_generic_word(part) else 1.0

    def _add_run(self, text: str, also: tuple[tuple[str, float], ...]) -> None:
        meant = spread(concepts_in(text), len(text))
        for position, character in enumerate(text):
            first, last, names = meant[position]
            around = [
                text[start : start + 2]
                for start in (position - 1, position)
                if start >= 0 and start + 2 <= len(text)
            ]
            known = [(name, 1.0) for name in names if self._rarity.knows(name)]
            word = text[first:last] if names else text
            needle = self._character(character, around, also=(*known, *also), word=word)
            if needle is not None:
                self.needles.append(needle)

    def _character(
        self, character: str, around: list[str], *, also: tuple[tuple[str, float], ...], word: str
    ) -> Needle | None:
        """Return the needle of a character, which any pair around it answers.

        The commonest of those pairs says how much it says: a pair across two words is rare
        for no reason.
        """
        is_grammar = character in words("stop_char_zh")
        pairs = [pair for pair in around if self._counts(pair)]
        if not pairs and not also and is_grammar:
            return None
        single = single_term(character)
        known = [pair for pair in pairs if self._rarity.knows(pair)]
        infos = [self._pair_rarity(pair) for pair in known]
        infos = infos or [self._pair_rarity(pair) for pair in pairs] or [self._rarity.of(single)]
        is_weak = is_grammar or (not pairs and not also and not self._is_bare)
        scale = _CHARACTER * (_GRAMMAR if is_weak else 1.0)
        answers = [(pair, 1.0) for pair in pairs]
        if not is_grammar:
            answers.append((single, _LONE if around else 1.0))
            self._value([(single, 1.0)], _LONE_SCORE if around else 1.0)
        for pair in pairs:
            self._value([(pair, 1.0)], _PAIR_SCORE * (_GENERIC if self._is_generic(pair) else 1.0))
        self._value(also, _CONCEPT_SCORE * _CHARACTER)
        is_generic = is_grammar or self._is_generic(word)
        is_generic = is_generic or (bool(pairs) and all(map(self._is_generic, pairs)))
        return Needle(scale * min(infos), (*answers, *also), is_generic=is_generic, word=word)

    def _counts(self, pair: str) -> bool:
        """Whether a pair is a word or may be one; with a grammar character it must be known."""
        if self._rarity.knows(pair) or self._is_generic(pair):
            return True
        return not any(c in words("stop_char_zh") for c in pair)

    def _pair_rarity(self, pair: str) -> float:
        return self._rarity.of(pair) * (_GENERIC if self._is_generic(pair) else 1.0)

    @staticmethod
    def _is_generic(pair: str) -> bool:
        return pair in words("generic_zh")

    def _value(self, answers: Iterable[tuple[str, float]], scale: float) -> None:
        for term, factor in answers:
            if self._rarity.knows(term):
                value = factor * scale * self._rarity.of(term)
                self.values[term] = max(value, self.values.get(term, 0.0))


def unknown_words(asked: Asked, rarity: Rarity) -> Iterator[str]:
    """Yield the words of a question that the store does not know, as they were typed."""
    for unit in asked.units:
        for word in unit.fallback if isinstance(unit, PlaceUnit) else (unit,):
            if isinstance(word, WordUnit) and not any(map(rarity.knows, word.wholes)):
                yield from _unknown(word, rarity)


def _unknown(word: WordUnit, rarity: Rarity) -> Iterator[str]:
    if word.wholes:
        yield word.surface
    yield from (part.surface for part in word.parts if not rarity.knows(part.term))
