"""What events teach: sessions become episodes, and what failed and then worked a lesson."""

from collections.abc import Sequence
from dataclasses import dataclass

from backstory import consolidate, index
from backstory.capture.redact import redact
from backstory.episodes.lessons import Lesson, command_of, lessons
from backstory.episodes.sessions import Session, episodes_of, is_over, sessions
from backstory.extract.gate import check_draft
from backstory.extract.window import Window
from backstory.model.candidate import Draft, Quote
from backstory.model.episode import Episode, Summary
from backstory.model.event import Event
from backstory.model.ids import EpisodeId
from backstory.model.words import Author, EventKind, Kind, Role
from backstory.ports.clock import NameSource
from backstory.ports.store import Tables

LEARNT_KEPT = "learnt_events"
SESSION_ORIGIN = "session"
PROPOSER = "rule:commands"

_EVENTS_MAX = 2_000
# A commit alone is told by history; a command alone tells no story.
_EVENTS_MIN = 3
_SHOWN_MAX = 3
_KINDS = {
    EventKind.COMMAND: "command",
    EventKind.TEST_RUN: "test run",
    EventKind.FILE_SAVED: "saved file",
    EventKind.TICKET_CLOSED: "closed ticket",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What came of the events that were read."""

    events: int = 0
    episodes: int = 0
    lessons: int = 0


def learn(
    tables: Tables, *, ids: NameSource, now_ms: int, is_reviewed: consolidate.ReviewRule
) -> Learnt:
    """Read the events that were not read yet, as far as their sessions are over.

    In one transaction of the caller's: episodes of sessions, and lessons through the gate.
    Events of a session that still goes on are left for later.
    """
    after = int(tables.meta.setting(LEARNT_KEPT) or 0)
    read = tables.events.page(after_seq=after, limit=_EVENTS_MAX)
    over = _over(read, now_ms=now_ms)
    if not over:
        return Learnt()
    found = [lesson for session in over for lesson in lessons(session.events)]
    for lesson in found:
        verdict = check_draft(_draft(lesson), Window(turns=()))
        tables.candidates.add(verdict, thread_id=None, now_ms=now_ms)
    if found:
        touched = consolidate.consolidate_pending(
            tables, ids=ids, now_ms=now_ms, is_reviewed=is_reviewed
        )
        index.refresh(tables, touched)
    told = [part for session in over for part in episodes_of(session) if _is_story(part)]
    for part in told:
        episode = _episode(part, ids=ids)
        tables.episodes.add(episode, now_ms=now_ms)
        index.index_entries(tables, [episode])
    done = {event.seq for session in over for event in session.events}
    tables.meta.set_setting(LEARNT_KEPT, str(max(done)))
    return Learnt(events=len(done), episodes=len(told), lessons=len(found))


def _over(read: Sequence[Event], *, now_ms: int) -> list[Session]:
    """Return the sessions that have ended, up to the first event of one that has not."""
    found = sessions(read)
    going_on = [one for one in found if not is_over(one.events, now_ms=now_ms)]
    last = found[-1] if found else None
    if last is not None and last not in going_on and len(read) == _EVENTS_MAX:
        going_on.append(last)  # it may go on in what was not read
    first = min((event.seq for one in going_on for event in one.events), default=None)
    return [one for one in found if first is None or max(e.seq for e in one.events) < first]


def _draft(lesson: Lesson) -> Draft:
    return Draft(
        kind=Kind.TOOL_LESSON,
        statement=lesson.statement,
        quotes=(_quote(lesson.failed), _quote(lesson.worked)),
        proposer=PROPOSER,
    )


def _quote(event: Event) -> Quote:
    text = event.text
    return Quote(
        role=Role.EVENT, start=0, end=len(text), text=redact(text).text, event_id=event.id
    )


def _is_story(part: Sequence[Event]) -> bool:
    own = [event for event in part if event.kind is not EventKind.COMMIT]
    return len(own) >= _EVENTS_MIN


def _episode(part: Sequence[Event], *, ids: NameSource) -> Episode:
    branch = next((event.branch for event in reversed(part) if event.branch), None)
    tickets = [str(e.payload["ticket"]) for e in part if e.kind is EventKind.TICKET_CLOSED]
    return Episode(
        id=EpisodeId(ids("e")),
        seq=0,  # given by the store
        summary=_summary(part),
        branch=branch,
        tickets=tuple(dict.fromkeys(tickets)),
        started_at_ms=part[0].at_ms,
        ended_at_ms=part[-1].at_ms,
        origin=SESSION_ORIGIN,
    )


def _summary(part: Sequence[Event]) -> Summary:
    paths = [str(e.payload["path"]) for e in part if e.kind is EventKind.FILE_SAVED]
    problems = [
        redact(f"`{command_of(one.failed)}` failed → `{command_of(one.worked)}`").text
        for one in lessons(part)
    ]
    return Summary(
        objective=redact(_objective(part)).text,
        changes=tuple(dict.fromkeys(paths)),
        problems=tuple(problems),
        author=Author.RULE,
    )


def _objective(part: Sequence[Event]) -> str:
    """Return what a stretch of work was for: its commit or ticket says, or else what was done."""
    for event in reversed(part):
        if event.kind is EventKind.COMMIT:
            return str(event.payload["subject"])
        if event.kind is EventKind.TICKET_CLOSED:
            return event.text
    counts = {name: sum(e.kind is kind for e in part) for kind, name in _KINDS.items()}
    told = [f"{n} {name}{'s' if n > 1 else ''}" for name, n in counts.items() if n]
    saved = [str(e.payload["path"]) for e in part if e.kind is EventKind.FILE_SAVED]
    places = ", ".join(list(dict.fromkeys(saved))[:_SHOWN_MAX])
    return f"{', '.join(told)}{f' on {places}' if places else ''}"
