"""Sums up a stretch of work by rule: what was said, run, saved and committed in it. Pure.

What an item says is named, never copied: it is told while the item may be seen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backstory.capture.redact import redact
from backstory.episodes.keywords import keywords
from backstory.episodes.lessons import command_of, lessons, mended
from backstory.episodes.messages.parts import parse_message
from backstory.episodes.messages.tickets import tickets_of_branch, tickets_of_message
from backstory.episodes.sessions import Session, is_commit
from backstory.episodes.summaries import CHANGES_MAX, OBJECTIVE_CHARS_MAX, PROBLEMS_MAX, SOLVED
from backstory.model.episode import Episode, HeldLesson, ReasonedDecision, Summary
from backstory.model.event import Event
from backstory.model.item import Item
from backstory.model.words import Author, EventKind, Kind, Speaker

DECISIONS = frozenset({Kind.PROJECT_DECISION, Kind.CODE_CONVENTION})
LESSONS = frozenset({Kind.TOOL_LESSON, Kind.FAILURE_LESSON})

# A commit alone is told by history; a command alone, or talk alone, tells no story.
_PARTS_MIN = 3
_ITEMS_MAX = 12
_SHOWN_MAX = 3
_KINDS = {
    EventKind.COMMAND: "command",
    EventKind.TEST_RUN: "test run",
    EventKind.FILE_SAVED: "saved file",
    EventKind.TICKET_CLOSED: "closed ticket",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """One part of a session with what memory holds of it."""

    session: Session
    items: tuple[Item, ...] = ()  # proved by what was said in its turns
    commits: tuple[Episode, ...] = ()  # the episodes of the commits that were made in it

    @property
    def is_story(self) -> bool:
        """Whether there is enough in it to be told."""
        own = [event for event in self.session.events if event.kind is not EventKind.COMMIT]
        said = [turn for turn in self.session.turns if turn.speaker is Speaker.HUMAN]
        has_events = bool(self.session.events)
        return bool(self.items) or (has_events and len(own) + len(said) >= _PARTS_MIN)

    @property
    def tickets(self) -> tuple[str, ...]:
        """The tickets named by its branch, its messages, its closed tickets and its user."""
        session = self.session
        named = list(tickets_of_branch(session.branch)) if session.branch else []
        for event in session.events:
            if event.kind is EventKind.TICKET_CLOSED:
                named.append(str(event.payload["ticket"]))
            elif is_commit(event):
                named += tickets_of_message(_told(event)).named
        for commit in self.commits:
            named += commit.tickets
        for turn in session.turns:
            if turn.speaker is Speaker.HUMAN:
                named += tickets_of_message(turn.user_text).named
        return tuple(dict.fromkeys(named))


def summarize_stretch(stretch: Stretch) -> Summary:
    """Sum up a stretch of work. Every path and command in it was recorded."""
    subject = _subject(stretch)
    changes = tuple(dict.fromkeys(_changes(stretch)))[:CHANGES_MAX]
    return Summary(
        objective=redact(subject or _counted(stretch)).text[:OBJECTIVE_CHARS_MAX],
        decisions=(*_from_commits(stretch), *decisions_of(stretch.items)),
        changes=changes,
        problems=tuple(map(_without_secrets, _problems(stretch.session.events, subject))),
        lessons=lessons_of(stretch.items),
        keywords=keywords(parse_message(subject), changes) if subject else (),
        author=Author.RULE,
    )


def decisions_of(items: Sequence[Item]) -> tuple[ReasonedDecision, ...]:
    """Return the decisions and rules that items hold."""
    found = [item for item in items if item.kind in DECISIONS][:_ITEMS_MAX]
    return tuple(
        ReasonedDecision(decision=item.revision.statement, item_id=item.id) for item in found
    )


def lessons_of(items: Sequence[Item]) -> tuple[HeldLesson, ...]:
    """Return the lessons that items hold."""
    found = [item for item in items if item.kind in LESSONS][:_ITEMS_MAX]
    return tuple(HeldLesson(text=item.revision.statement, item_id=item.id) for item in found)


def _without_secrets(text: str) -> str:
    return redact(text).text


def _subject(stretch: Stretch) -> str:
    """Return what its commit or its closed ticket says it was for, or nothing."""
    for event in reversed(stretch.session.events):
        if event.kind is EventKind.COMMIT:
            return str(event.payload["subject"])
        if event.kind is EventKind.TICKET_CLOSED:
            return event.text
    return stretch.commits[-1].summary.objective if stretch.commits else ""


def _counted(stretch: Stretch) -> str:
    """Return what was done, by number: the words of a conversation stay where they were said."""
    events = stretch.session.events
    said = sum(turn.speaker is Speaker.HUMAN for turn in stretch.session.turns)
    counts = {"turn": said}
    counts |= {name: sum(e.kind is kind for e in events) for kind, name in _KINDS.items()}
    told = [f"{n} {name}{'s' if n > 1 else ''}" for name, n in counts.items() if n]
    places = ", ".join(list(dict.fromkeys(_changes(stretch)))[:_SHOWN_MAX])
    return f"{', '.join(told)}{f' on {places}' if places else ''}"


def _changes(stretch: Stretch) -> Iterator[str]:
    for event in stretch.session.events:
        if event.kind is EventKind.FILE_SAVED:
            yield str(event.payload["path"])
        elif event.kind is EventKind.COMMIT:
            files = event.payload.get("files")
            yield from map(str, files) if isinstance(files, list | tuple) else ()
    for commit in stretch.commits:
        yield from commit.summary.changes


def _problems(events: Sequence[Event], subject: str) -> Iterator[str]:
    """Yield what went wrong and the way out: another command, or what was then committed."""
    found = [
        f"`{command_of(one.failed)}` failed{SOLVED}`{command_of(one.worked)}`"
        for one in lessons(events)
    ]
    found += [
        f"{_tried(one.failed)} failed{SOLVED}{subject or 'passed later'}" for one in mended(events)
    ]
    yield from found[:PROBLEMS_MAX]


def _tried(event: Event) -> str:
    if event.kind is EventKind.TEST_RUN:
        return f"tests ({event.text})"
    return f"`{command_of(event)}`"


def _from_commits(stretch: Stretch) -> Iterator[ReasonedDecision]:
    for commit in stretch.commits:
        yield from commit.summary.decisions


def _told(event: Event) -> str:
    return event.text if event.kind is EventKind.COMMIT else command_of(event)
