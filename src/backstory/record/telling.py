"""Seeing to it that the story is brought up to date when there is more of it to tell."""

from typing import TYPE_CHECKING

from backstory.model.event import NewEvent
from backstory.model.limits import HOUR_MS, MINUTE_MS
from backstory.model.words import EventKind, JobKind

if TYPE_CHECKING:
    from backstory.ports.store import Tables

# Requirement: an hour in which nothing comes ends an episode, and so do these kinds at once.
_IDLE_MS = HOUR_MS
_CLOSING = frozenset({EventKind.COMMIT, EventKind.TICKET_CLOSED})
# While people talk: often enough that a commit is known in the next session, and not at each turn.
_EVERY_MS = 10 * MINUTE_MS


def expect_telling_of(tables: "Tables", event: NewEvent, *, now_ms: int) -> None:
    """Have the story told when what an event belongs to may be over."""
    wait_ms = 0 if event.kind in _CLOSING else _IDLE_MS
    _expect(tables, due_at_ms=now_ms + wait_ms, now_ms=now_ms)


def expect_telling(tables: "Tables", *, now_ms: int, is_at_once: bool) -> None:
    """Have the story told, at once or within ten minutes. One job waits, however often asked."""
    _expect(tables, due_at_ms=now_ms if is_at_once else now_ms + _EVERY_MS, now_ms=now_ms)


def _expect(tables: "Tables", *, due_at_ms: int, now_ms: int) -> None:
    tables.jobs.enqueue(JobKind.PROJECT, "", due_at_ms=due_at_ms, now_ms=now_ms)
