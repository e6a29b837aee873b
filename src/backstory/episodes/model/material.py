"""What a model is shown of an episode: what matters of it, in order, within bounds. Pure.

Chit-chat, looking around and attempts that led nowhere are left out; every text is without
secrets before anything else is done with it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from backstory.capture.redact import redact
from backstory.capture.speakers import human_spans
from backstory.episodes.lessons import command_of, lessons, mended
from backstory.episodes.model.shrinking import shrunk
from backstory.episodes.sessions import Session, is_commit
from backstory.model.event import Event
from backstory.model.turn import Turn
from backstory.model.words import EventKind, Speaker, TurnState

TURNS_MAX = 20
EVENTS_MAX = 40
_FIRST_TURNS = 3
_USER_CHARS_MAX = 1_000
_ANSWER_CHARS_MAX = 600
_MESSAGE_CHARS_MAX = 2_000
_MESSAGES_MAX = 8
_EVENT_CHARS_MAX = 200
# "ok", "thanks", "go on": nothing else in the message.
_CHAT = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|yep|yeah|no|thanks?|thank you|thx|great|nice|cool|perfect|good|fine"
    r"|please|go on|continue|proceed|hi|hello|done|next|sure|got it|lgtm|好的?|好吧|嗯+|谢谢你?"
    r"|多谢|可以|行|继续|明白了?|你好|没问题|对|是的|不用了?)\W*){1,3}",
    re.IGNORECASE,
)


class SourceKind(StrEnum):
    """Where a text comes from, which decides what a quote of it can prove."""

    USER = "user"
    ASSISTANT = "assistant"
    MESSAGE = "message"  # of a commit
    EVENT = "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A text that the model may quote, by the name that it has there."""

    label: str
    kind: SourceKind
    text: str  # as it is shown
    turn: Turn | None = None
    event: Event | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that a model is shown of one episode."""

    sources: tuple[Source, ...]
    diff: str
    paths: tuple[str, ...]  # that changed in it
    events: tuple[Event, ...]  # all of them: what tests did is read from here

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that a model could add to."""
        return not any(one.kind is not SourceKind.EVENT for one in self.sources)


def material_of(
    session: Session, *, messages: Sequence[str], diff: str, paths: Sequence[str]
) -> Material:
    """Choose what is shown of a stretch of work, its commits' messages and their diff."""
    sources = [*_message_sources(messages), *_turn_sources(session.turns)]
    sources += _event_sources(session.events)
    return Material(
        sources=tuple(sources),
        diff=redact(shrunk(redact(diff).text)).text,
        paths=tuple(dict.fromkeys(paths)),
        events=session.events,
    )


def _message_sources(messages: Sequence[str]) -> Iterator[Source]:
    for number, message in enumerate(messages[-_MESSAGES_MAX:], 1):
        text = redact(message).text.strip()[:_MESSAGE_CHARS_MAX]
        if text:
            yield Source(label=f"M{number}", kind=SourceKind.MESSAGE, text=text)


def _turn_sources(turns: Sequence[Turn]) -> Iterator[Source]:
    said = [turn for turn in turns if _is_telling(turn)]
    if len(said) > TURNS_MAX:
        said = [*said[:_FIRST_TURNS], *said[_FIRST_TURNS - TURNS_MAX :]]
    for number, turn in enumerate(said, 1):
        user = _bounded(_human(turn), _USER_CHARS_MAX)
        answer = _bounded(redact(turn.answer_text).text, _ANSWER_CHARS_MAX)
        yield Source(label=f"T{number} user", kind=SourceKind.USER, text=user, turn=turn)
        if answer:
            kind = SourceKind.ASSISTANT
            yield Source(label=f"T{number} assistant", kind=kind, text=answer, turn=turn)


def _is_telling(turn: Turn) -> bool:
    """Whether a turn may say something: a person's, answered, and more than a nod."""
    if turn.speaker is not Speaker.HUMAN or turn.state is not TurnState.COMPLETED:
        return False
    return _CHAT.fullmatch(turn.user_text.strip()) is None and bool(_human(turn))


def _human(turn: Turn) -> str:
    """Return what the person wrote of a message, without what hosts and pastes put in."""
    spans = human_spans(turn.user_text)
    return redact("\n".join(turn.user_text[start:end] for start, end in spans)).text.strip()


def _bounded(text: str, chars_max: int) -> str:
    if len(text) <= chars_max:
        return text
    half = chars_max // 2
    return f"{text[:half]}\n…\n{text[-half:]}"


def _event_sources(events: Sequence[Event]) -> Iterator[Source]:
    for number, event in enumerate(_telling(events)[-EVENTS_MAX:], 1):
        text = redact(" ".join(event.text.split())).text[:_EVENT_CHARS_MAX]
        yield Source(label=f"E{number}", kind=SourceKind.EVENT, text=text, event=event)


def _telling(events: Sequence[Event]) -> list[Event]:
    """Return the events that led somewhere, each command's failure only where it was mended."""
    pairs = [*((one.failed, one.worked) for one in lessons(events))]
    pairs += [(one.failed, one.passed) for one in mended(events)]
    ids = {event.id for pair in pairs for event in pair}
    kept = [e for e in events if e.id in ids or e.kind is not EventKind.COMMAND or is_commit(e)]
    unique: dict[tuple[EventKind, str], Event] = {}
    for event in kept:
        unique[event.kind, event.text or command_of(event)] = event
    return sorted(unique.values(), key=lambda event: (event.at_ms, event.seq))
