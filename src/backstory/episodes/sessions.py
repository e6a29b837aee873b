"""Stretches of work: when a session ends, and when an episode does. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from backstory.model.event import Event
from backstory.model.limits import HOUR_MS, MINUTE_MS
from backstory.model.words import EventKind

SESSION_GAP_MS = 30 * MINUTE_MS
# Work without a break is cut after a day at the desk, so that no session grows without end.
SESSION_SPAN_MS = 8 * HOUR_MS
EPISODE_IDLE_MS = HOUR_MS

_CLOSING = frozenset({EventKind.COMMIT, EventKind.TICKET_CLOSED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Events without a long break between them, on one branch."""

    events: tuple[Event, ...]

    @property
    def started_at_ms(self) -> int:
        """When the first of them happened."""
        return self.events[0].at_ms

    @property
    def ended_at_ms(self) -> int:
        """When the last of them happened."""
        return self.events[-1].at_ms


def sessions(events: Sequence[Event]) -> tuple[Session, ...]:
    """Split events at half an hour of silence, at a change of branch, and after eight hours.

    An event that knows no branch belongs to the one before it.
    """
    ordered = sorted(events, key=lambda event: (event.at_ms, event.seq))
    groups: list[list[Event]] = []
    branch: str | None = None
    for event in ordered:
        if not groups or _is_apart(groups[-1], event, branch=branch):
            groups.append([event])
            branch = event.branch
        else:
            groups[-1].append(event)
            branch = event.branch or branch
    return tuple(Session(events=tuple(group)) for group in groups)


def episodes_of(session: Session) -> tuple[tuple[Event, ...], ...]:
    """Split a session behind each event that ends an episode: a commit, or a ticket closed."""
    groups: list[list[Event]] = [[]]
    for event in session.events:
        groups[-1].append(event)
        if event.kind in _CLOSING:
            groups.append([])
    return tuple(tuple(group) for group in groups if group)


def is_over(events: Sequence[Event], *, now_ms: int) -> bool:
    """Whether an episode has ended: by its last event, or by an hour in which nothing came."""
    if not events:
        return False
    last = events[-1]
    return last.kind in _CLOSING or now_ms - last.at_ms >= EPISODE_IDLE_MS


def _is_apart(group: Sequence[Event], event: Event, *, branch: str | None) -> bool:
    if event.at_ms - group[-1].at_ms > SESSION_GAP_MS:
        return True
    if event.at_ms - group[0].at_ms > SESSION_SPAN_MS:
        return True
    return None not in (branch, event.branch) and branch != event.branch
