"""Where a clause stands in its message, and which signals hold around it."""

from dataclasses import dataclass, field

from backstory.extract.language.clauses import Clause, Message, Sentence
from backstory.extract.language.lexicon import lexicon
from backstory.extract.language.masks import QUOTED

# Signals are looked for in at most this much of a message at once.
_JOINED_CHARS_MAX = 3_000
_SHORT_CHARS = 40


@dataclass(slots=True, kw_only=True, eq=False)
class MessageView:
    """A message with the signals found in it so far."""

    message: Message
    _found: dict[tuple[str, str], bool] = field(default_factory=dict)

    def has(self, tag: str, plain: str) -> bool:
        """Whether the text holds a phrase of the tag; each pair is looked up once."""
        key = (tag, plain)
        if key not in self._found:
            self._found[key] = lexicon().has(tag, plain)
        return self._found[key]

    def whole(self) -> str:
        """The plain text of the message, bounded."""
        return " ; ".join(s.plain for s in self.message.sentences[:60])[:_JOINED_CHARS_MAX]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One clause of one sentence of a message."""

    view: MessageView
    sentence_index: int
    clause_index: int

    @property
    def sentence(self) -> Sentence:
        """The sentence around it."""
        return self.view.message.sentences[self.sentence_index]

    @property
    def clause(self) -> Clause:
        """The clause itself."""
        return self.sentence.clauses[self.clause_index]

    @property
    def segment(self) -> tuple[Clause, ...]:
        """The clauses of its part of the sentence."""
        return tuple(c for c in self.sentence.clauses if c.segment == self.clause.segment)

    def seen(self, place: str, tag: str) -> bool:
        """Whether a tag holds in a place, as the rule tables name them."""
        if tag.startswith("@"):
            return _STRUCTURE[tag](self)
        return any(self.view.has(tag, text) for text in self.texts(place))

    def texts(self, place: str) -> tuple[str, ...]:
        """Return the plain texts that a place of the rule tables stands for."""
        if place == "":
            return (self.clause.plain,)
        if place == "message":
            return (self.view.whole(),)
        if place in {"before", "after"}:
            return self._neighbour(-1 if place == "before" else 1)
        own = {
            "head": (*self.sentence.head, *(c.plain for c in self._around(before=True))),
            "tail": tuple(c.plain for c in self._around(before=False)),
            "segment": tuple(c.plain for c in self.segment),
            "sentence": (*self.sentence.head, *(c.plain for c in self.sentence.clauses)),
            "announced": (*self.sentence.head, *self._announcing()),
        }
        return own[place]

    def _around(self, *, before: bool) -> tuple[Clause, ...]:
        here = self.clause.start
        return tuple(c for c in self.segment if (c.start < here if before else c.start > here))

    def _announcing(self) -> tuple[str, ...]:
        return tuple(c.plain for c in self.sentence.clauses[: self.clause_index] if c.is_head)

    def _neighbour(self, step: int) -> tuple[str, ...]:
        index = self.sentence_index + step
        if not 0 <= index < len(self.view.message.sentences):
            return ()
        other = self.view.message.sentences[index]
        if other.line != self.sentence.line:
            return ()
        return (other.plain,)


_STRUCTURE = {
    "@asked": lambda place: "?" in place.sentence.mark,
    "@item": lambda place: place.sentence.is_item,
    "@headed": lambda place: bool(place.texts("announced")),
    "@short": lambda place: len(place.clause.plain) <= _SHORT_CHARS,
    "@first": lambda place: place.clause_index == 0,
    "@quotes": lambda place: QUOTED in place.sentence.plain,
    "@only": lambda place: len(place.view.message.sentences) == 1,
}


def places_of(message: Message) -> list[Place]:
    """Return every clause of a message with its surroundings, in order."""
    view = MessageView(message=message)
    return [
        Place(view=view, sentence_index=i, clause_index=j)
        for i, sentence in enumerate(message.sentences)
        for j in range(len(sentence.clauses))
    ]
