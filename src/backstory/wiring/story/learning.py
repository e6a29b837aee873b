"""What events and turns teach: sessions become episodes, what failed and then worked a lesson."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backstory import consolidate, index
from backstory.episodes.lessons import fixed, lessons
from backstory.episodes.sessions import (
    EPISODE_IDLE_MS,
    Session,
    episodes_of,
    is_over,
    sessions,
)
from backstory.episodes.stage import close_todos, closed_todos
from backstory.episodes.stretches import Stretch, summarize_stretch
from backstory.model.candidate import Verdict
from backstory.model.episode import Episode
from backstory.model.event import Event
from backstory.model.ids import EPISODE_LETTER, EpisodeId
from backstory.model.turn import Turn
from backstory.ports.clock import NameSource
from backstory.ports.store import Tables
from backstory.wiring.story.lessons import fixed_lesson, tool_lesson
from backstory.wiring.story.stretching import SESSION_ORIGIN, stretch_of

LEARNT_KEPT = "learnt_events"
LEARNT_TURNS_KEPT = "learnt_turns"

_EVENTS_MAX = 2_000
_TURNS_MAX = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What came of the events and turns that were read."""

    events: int = 0
    episodes: int = 0
    lessons: int = 0
    turns: int = 0
    told: tuple[EpisodeId, ...] = ()
    again_at_ms: int | None = None  # when there may be more: sessions go on, or much waits


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What was not read before, in the order of recording."""

    events: tuple[Event, ...]
    turns: tuple[Turn, ...]

    @property
    def is_all(self) -> bool:
        """Whether nothing waits behind it."""
        return len(self.events) < _EVENTS_MAX and len(self.turns) < _TURNS_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlearnt:
    """What waits to be learnt: sessions, those of them that are over, and what they teach."""

    read: _Read
    found: Sequence[Session]
    over: Sequence[Session] = ()
    taught: Sequence[Verdict] = ()
    shelf: consolidate.Shelf | None = None  # of the items that a lesson may touch


def unlearnt(tables: Tables, *, now_ms: int) -> Unlearnt:
    """Read the events and turns that were not read yet, as far as their sessions are over.

    Nothing is written. What belongs to a session that still goes on is left for later.
    """
    read = _read(tables)
    found = sessions(read.events, read.turns)
    over = _over(found, read, now_ms=now_ms)
    taught = [*_taught(tables, over)]
    shelf = consolidate.Shelf(tables) if taught else None
    return Unlearnt(read=read, found=found, over=over, taught=taught, shelf=shelf)


def learn(
    tables: Tables,
    waiting: Unlearnt,
    *,
    ids: NameSource,
    now_ms: int,
    is_reviewed: consolidate.ReviewRule,
) -> Learnt:
    """Make episodes of sessions that are over, and lessons through the gate.

    In one transaction of the caller's, which sees the store as `waiting` was read from it.
    """
    read, found, over, taught = waiting.read, waiting.found, waiting.over, waiting.taught
    if not over:
        return Learnt(again_at_ms=_again_at_ms(found))
    if taught:
        _propose(tables, waiting, ids=ids, now_ms=now_ms, is_reviewed=is_reviewed)
    told = [*_told(tables, over, ids=ids)]
    for episode in told:
        tables.episodes.add(episode, now_ms=now_ms)
    close_todos(tables, closed_todos(tables, told))
    index.index_entries(tables, told)
    events = [event.seq for session in over for event in session.events]
    turns = [turn.seq for session in over for turn in session.turns]
    _note_read(tables, LEARNT_KEPT, seqs=events)
    _note_read(tables, LEARNT_TURNS_KEPT, seqs=turns)
    left = found[len(over) :]
    return Learnt(
        events=len(events),
        turns=len(turns),
        episodes=len(told),
        lessons=len(taught),
        told=tuple(episode.id for episode in told),
        again_at_ms=_again_at_ms(left) if read.is_all else now_ms,
    )


def _read(tables: Tables) -> _Read:
    after = int(tables.meta.setting(LEARNT_KEPT) or 0)
    after_turn = int(tables.meta.setting(LEARNT_TURNS_KEPT) or 0)
    return _Read(
        events=tables.events.page(after_seq=after, limit=_EVENTS_MAX),
        turns=tables.turns.page(after_seq=after_turn, limit=_TURNS_MAX),
    )


def _note_read(tables: Tables, name: str, *, seqs: Sequence[int]) -> None:
    if seqs:
        tables.meta.set_setting(name, str(max(seqs)))


def _over(found: Sequence[Session], read: _Read, *, now_ms: int) -> list[Session]:
    """Return the sessions that have ended, as far as nothing before them still goes on."""
    going_on = [one for one in found if not is_over(one, now_ms=now_ms)]
    if found and not read.is_all and len(found) > 1 and found[-1] not in going_on:
        going_on.append(found[-1])  # it may go on in what was not read
    first_event = min((e.seq for one in going_on for e in one.events), default=None)
    first_turn = min((t.seq for one in going_on for t in one.turns), default=None)
    return [
        one
        for one in found
        if one not in going_on
        and _is_before([e.seq for e in one.events], first_event)
        and _is_before([t.seq for t in one.turns], first_turn)
    ]


def _is_before(seqs: Sequence[int], first: int | None) -> bool:
    return first is None or not seqs or max(seqs) < first


def _again_at_ms(left: Sequence[Session]) -> int | None:
    """Return when the first of the sessions that go on may be over, or None without one."""
    return min((one.ended_at_ms + EPISODE_IDLE_MS for one in left), default=None)


def _taught(tables: Tables, over: Sequence[Session]) -> Iterator[Verdict]:
    for session in over:
        for lesson in lessons(session.events):
            yield tool_lesson(tables, lesson)
        for part in episodes_of(session):
            for one in fixed(part.events):
                yield fixed_lesson(tables, one)


def _propose(
    tables: Tables,
    waiting: Unlearnt,
    *,
    ids: NameSource,
    now_ms: int,
    is_reviewed: consolidate.ReviewRule,
) -> None:
    for verdict in waiting.taught:
        tables.candidates.add(verdict, thread_id=None, now_ms=now_ms)
    touched = consolidate.consolidate_pending(
        tables, ids=ids, now_ms=now_ms, is_reviewed=is_reviewed, shelf=waiting.shelf
    )
    index.refresh(tables, touched)


def _told(tables: Tables, over: Sequence[Session], *, ids: NameSource) -> Iterator[Episode]:
    for session in over:
        for part in episodes_of(session):
            stretch = stretch_of(tables, part)
            if stretch.is_story:
                yield _episode(stretch, ids=ids)


def _episode(stretch: Stretch, *, ids: NameSource) -> Episode:
    session = stretch.session
    return Episode(
        id=EpisodeId(ids(EPISODE_LETTER)),
        seq=0,  # given by the store
        summary=summarize_stretch(stretch),
        branch=session.branch,
        tickets=stretch.tickets,
        started_at_ms=session.started_at_ms,
        ended_at_ms=session.ended_at_ms,
        origin=SESSION_ORIGIN,
    )
