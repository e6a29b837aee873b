"""Stretches of work: when a session ends, and when an episode does. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backstory.model.event import Event
from backstory.model.limits import HOUR_MS, MINUTE_MS
from backstory.model.turn import Turn
from backstory.model.words import EventKind, TurnState

SESSION_GAP_MS = 30 * MINUTE_MS
# Work without a break is cut after a day at the desk, so that no session grows without end.
SESSION_SPAN_MS = 8 * HOUR_MS
EPISODE_IDLE_MS = HOUR_MS

# What a shell ran that left a commit behind. What only looks or gives up again is none.
_COMMITS = re.compile(
    r"(?:^|&&|;|\n)\s*git\s+(?:-[cC]\s+\S+\s+)*(?:commit|merge|cherry-pick|revert)(?![-\w])"
    r"(?!.*--(?:dry-run|abort|quit|skip|no-commit|help)\b)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Events and turns without a long break between them, on one branch."""

    events: tuple[Event, ...] = ()
    turns: tuple[Turn, ...] = ()

    @property
    def started_at_ms(self) -> int:
        """When the first of them happened."""
        return min(one.began_ms for one in _moments(self))

    @property
    def ended_at_ms(self) -> int:
        """When the last of them was over."""
        return max(one.ended_ms for one in _moments(self))

    @property
    def branch(self) -> str | None:
        """The branch that it was on, where any of them knows."""
        return next((one.branch for one in reversed(_moments(self)) if one.branch), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moment:
    """One event or turn, and the time that it took."""

    began_ms: int
    ended_ms: int
    seq: int
    branch: str | None
    event: Event | None = None
    turn: Turn | None = None

    @property
    def place(self) -> tuple[int, bool, int]:
        """Where it stands in time; at one instant a turn comes before what it led to."""
        return self.began_ms, self.turn is None, self.seq


def sessions(events: Sequence[Event], turns: Sequence[Turn] = ()) -> tuple[Session, ...]:
    """Split work at half an hour of silence, at a change of branch, and after eight hours.

    What knows no branch belongs to what came before it.
    """
    groups: list[list[_Moment]] = []
    branch: str | None = None
    for moment in _moments(Session(events=tuple(events), turns=tuple(turns))):
        if not groups or _is_apart(groups[-1], moment, branch=branch):
            groups.append([moment])
            branch = moment.branch
        else:
            groups[-1].append(moment)
            branch = moment.branch or branch
    return tuple(_session(group) for group in groups)


def episodes_of(session: Session) -> tuple[Session, ...]:
    """Split a session behind each event that ends an episode: a commit, or a ticket closed."""
    groups: list[list[_Moment]] = [[]]
    for moment in _moments(session):
        groups[-1].append(moment)
        if moment.event is not None and _is_closing(moment.event):
            groups.append([])
    return tuple(_session(group) for group in groups if group)


def is_over(session: Session, *, now_ms: int) -> bool:
    """Whether an episode has ended: by its last event, or by an hour in which nothing came.

    A turn that still waits for its answer goes on.
    """
    moments = _moments(session)
    if not moments:
        return False
    if any(turn.state is TurnState.OPEN for turn in session.turns):
        return now_ms - session.started_at_ms > SESSION_SPAN_MS
    last = moments[-1]
    is_closed = last.event is not None and _is_closing(last.event)
    return is_closed or now_ms - session.ended_at_ms >= EPISODE_IDLE_MS


def is_commit(event: Event) -> bool:
    """Whether an event is a commit, or a command that made one."""
    if event.kind is EventKind.COMMAND:
        is_done = event.payload.get("exit_code") == 0
        return is_done and _COMMITS.search(str(event.payload.get("command", ""))) is not None
    return event.kind is EventKind.COMMIT


def _is_closing(event: Event) -> bool:
    return event.kind is EventKind.TICKET_CLOSED or is_commit(event)


def _is_apart(group: Sequence[_Moment], moment: _Moment, *, branch: str | None) -> bool:
    if moment.began_ms - max(one.ended_ms for one in group) > SESSION_GAP_MS:
        return True
    if moment.began_ms - group[0].began_ms > SESSION_SPAN_MS:
        return True
    return None not in (branch, moment.branch) and branch != moment.branch


def _moments(session: Session) -> list[_Moment]:
    found = [*_event_moments(session.events), *_turn_moments(session.turns)]
    return sorted(found, key=lambda one: one.place)


def _event_moments(events: Sequence[Event]) -> Iterator[_Moment]:
    for event in events:
        at_ms = event.at_ms
        yield _Moment(
            began_ms=at_ms, ended_ms=at_ms, seq=event.seq, branch=event.branch, event=event
        )


def _turn_moments(turns: Sequence[Turn]) -> Iterator[_Moment]:
    for turn in turns:
        began_ms = turn.said_at_ms
        # An imported turn was finished in the store when it was imported.
        ended_ms = began_ms if turn.is_imported else max(began_ms, turn.finished_at_ms or 0)
        yield _Moment(
            began_ms=began_ms, ended_ms=ended_ms, seq=turn.seq, branch=turn.branch, turn=turn
        )


def _session(group: Sequence[_Moment]) -> Session:
    return Session(
        events=tuple(one.event for one in group if one.event is not None),
        turns=tuple(one.turn for one in group if one.turn is not None),
    )
