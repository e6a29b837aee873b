"""Where a clause stands in its message, and which signals hold around it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from backstory.extract.language.clauses import Clause, Message, Sentence
from backstory.extract.language.lexicon import lexicon
from backstory.extract.language.masks import QUOTED

_HAN = re.compile(r"[\u3400-\u9fff]")

# Signals are looked for in at most this much of a message at once.
_JOINED_CHARS_MAX = 3_000
_JOINED_SENTENCES_MAX = 60
_SHORT_CHARS = 40


@dataclass(slots=True, kw_only=True, eq=False)
class MessageView:
    """A message with the signals found in it so far."""

    message: Message
    _found: dict[tuple[str, str], bool] = field(default_factory=dict)
    _whole: str | None = None

    def has(self, tag: str, plain: str) -> bool:
        """Whether the text holds a phrase of the tag; each pair is looked up once."""
        key = (tag, plain)
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = lexicon().has(tag, plain)
        return known

    def whole(self) -> str:
        """The plain text of the message, bounded."""
        if self._whole is None:
            parts = (s.plain for s in self.message.sentences[:_JOINED_SENTENCES_MAX])
            self._whole = " ; ".join(parts)[:_JOINED_CHARS_MAX]
        return self._whole


@dataclass(slots=True, kw_only=True, eq=False)
class Place:
    """One clause of one sentence of a message; it remembers what was seen around it."""

    view: MessageView
    sentence: Sentence
    clause: Clause
    sentence_index: int
    clause_index: int
    _texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _seen: dict[tuple[str, str], bool] = field(default_factory=dict)

    @property
    def segment(self) -> tuple[Clause, ...]:
        """The clauses of its part of the sentence."""
        return tuple(c for c in self.sentence.clauses if c.segment == self.clause.segment)

    def seen(self, place: str, tag: str) -> bool:
        """Whether a tag holds in a place, as the rule tables name them."""
        key = (place, tag)
        known = self._seen.get(key)
        if known is None:
            known = self._seen[key] = self._look(place, tag)
        return known

    def _look(self, place: str, tag: str) -> bool:
        if tag.startswith("@"):
            return _STRUCTURE[tag](self)
        return any(self.view.has(tag, text) for text in self.texts(place))

    def texts(self, place: str) -> tuple[str, ...]:
        """Return the plain texts that a place of the rule tables stands for."""
        if place not in self._texts:
            self._texts[place] = _TEXTS[place](self)
        return self._texts[place]

    def own(self) -> tuple[str, ...]:
        """The clause alone."""
        return (self.clause.plain,)

    def everything(self) -> tuple[str, ...]:
        """All of the message."""
        return (self.view.whole(),)

    def head(self) -> tuple[str, ...]:
        """What stands before it in its part of the sentence, and what announces it."""
        before = (c.plain for c in self.segment if c.start < self.clause.start)
        return (*self.sentence.head, *before)

    def tail(self) -> tuple[str, ...]:
        """What follows it in its part of the sentence."""
        return tuple(c.plain for c in self.segment if c.start > self.clause.start)

    def part(self) -> tuple[str, ...]:
        """Its part of the sentence."""
        return tuple(c.plain for c in self.segment)

    def whole_sentence(self) -> tuple[str, ...]:
        """The sentence and what announces it."""
        return (*self.sentence.head, *(c.plain for c in self.sentence.clauses))

    def announced(self) -> tuple[str, ...]:
        """What a colon before it announces it with."""
        before = self.sentence.clauses[: self.clause_index]
        opening = (c.plain for c in before[:1] if self.view.has("opens_list", c.plain))
        return (*self.sentence.head, *opening, *(c.plain for c in before if c.is_head))

    def before(self) -> tuple[str, ...]:
        """The sentence before it on its line."""
        return self._neighbour(-1)

    def after(self) -> tuple[str, ...]:
        """The sentence after it on its line."""
        return self._neighbour(1)

    def continues(self) -> bool:
        """Whether a semicolon joins its sentence to the one before."""
        index = self.sentence_index - 1
        return index >= 0 and self.view.message.sentences[index].mark.strip() in {";", "；"}

    def closes(self) -> bool:
        """Whether nothing is said after the clause in its message."""
        is_last = self.sentence_index == len(self.view.message.sentences) - 1
        return is_last and self.clause_index == len(self.sentence.clauses) - 1

    def _neighbour(self, step: int) -> tuple[str, ...]:
        index = self.sentence_index + step
        if not 0 <= index < len(self.view.message.sentences):
            return ()
        other = self.view.message.sentences[index]
        if other.line != self.sentence.line:
            return ()
        # What follows seals a sentence only if it begins with the seal.
        return (other.clauses[0].plain if step > 0 else other.plain,)


_TEXTS = {
    "": Place.own,
    "head": Place.head,
    "tail": Place.tail,
    "segment": Place.part,
    "sentence": Place.whole_sentence,
    "announced": Place.announced,
    "before": Place.before,
    "after": Place.after,
    "message": Place.everything,
}

_STRUCTURE: dict[str, Callable[[Place], bool]] = {
    "@asked": lambda place: "?" in place.sentence.mark,
    "@item": lambda place: place.sentence.is_item,
    "@headed": lambda place: bool(place.texts("announced")),
    "@short": lambda place: len(place.clause.plain) <= _SHORT_CHARS,
    "@first": lambda place: place.clause_index == 0,
    "@han": lambda place: _HAN.search(place.clause.plain) is not None,
    "@continued": lambda place: place.continues(),
    "@quotes": lambda place: QUOTED in place.sentence.plain,
    "@closes": lambda place: place.closes(),
    "@only": lambda place: len(place.view.message.sentences) == 1,
}


def places_of(message: Message) -> list[Place]:
    """Return every clause of a message with its surroundings, in order."""
    view = MessageView(message=message)
    return [
        Place(view=view, sentence=sentence, clause=clause, sentence_index=i, clause_index=j)
        for i, sentence in enumerate(message.sentences)
        for j, clause in enumerate(sentence.clauses)
    ]
