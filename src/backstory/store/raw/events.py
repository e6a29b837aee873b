"""Events: what happened outside the conversation."""

import json
import os
from collections.abc import Mapping
from typing import Any

import apsw

from backstory.model.event import Event, NewEvent
from backstory.model.ids import EventId
from backstory.model.words import EventKind
from backstory.store.rows import only_row


class SqliteEvents:
    """The event table."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def add(self, event: NewEvent, *, text: str, now_ms: int) -> EventId | None:
        """Store an event, or return None where its source key is known."""
        event_id = EventId(f"e_{os.urandom(8).hex()}")
        self._connection.execute(
            """
            INSERT INTO event
                (id, kind, thread_id, turn_id, at_ms, recorded_at_ms, origin, source_key, branch,
                 payload, text)
            VALUES
                (:id, :kind, :thread_id, :turn_id, :at_ms, :now_ms, :origin, :source_key, :branch,
                 :payload, :text)
                ON CONFLICT (source_key) DO NOTHING
            """,
            {
                "id": event_id,
                "kind": event.kind,
                "thread_id": event.thread_id,
                "turn_id": event.turn_id,
                "at_ms": event.at_ms,
                "now_ms": now_ms,
                "origin": event.origin,
                "source_key": event.source_key,
                "branch": event.branch,
                "payload": json.dumps(event.payload, ensure_ascii=False),
                "text": text,
            },
        )
        return event_id if self._connection.changes() else None

    def get(self, event_id: EventId) -> Event | None:
        """Return the event of this id."""
        row = only_row(
            self._connection,
            """
            SELECT seq, id, kind, at_ms, recorded_at_ms, payload, text, origin, thread_id, turn_id,
                   branch
              FROM event
             WHERE id = :id
            """,
            bindings={"id": event_id},
        )
        return event_from(row) if row else None

    def page(self, *, after_seq: int, limit: int) -> tuple[Event, ...]:
        """Return events in the order of recording."""
        rows = self._connection.execute(
            """
            SELECT seq, id, kind, at_ms, recorded_at_ms, payload, text, origin, thread_id, turn_id,
                   branch
              FROM event
             WHERE seq > :after_seq
             ORDER BY seq
             LIMIT :limit
            """,
            {"after_seq": after_seq, "limit": limit},
        )
        return tuple(event_from(row) for row in rows)

    def count(self) -> int:
        """Return how many events there are."""
        row = only_row(self._connection, "SELECT count(*) FROM event")
        return row[0] if row else 0

    def tallies(self) -> Mapping[tuple[EventKind, str], tuple[int, int]]:
        """Return how many there are of each kind and origin, and when the last one happened."""
        rows = self._connection.execute(
            """
            SELECT kind, origin, count(*), max(at_ms)
              FROM event
             GROUP BY kind, origin
            """
        )
        return {(EventKind(row[0]), row[1]): (row[2], row[3]) for row in rows}


def event_from(row: tuple[Any, ...]) -> Event:
    """Make an event of a row of all columns that reading needs."""
    return Event(
        seq=row[0],
        id=row[1],
        kind=EventKind(row[2]),
        at_ms=row[3],
        recorded_at_ms=row[4],
        payload=json.loads(row[5]),
        text=row[6],
        origin=row[7],
        thread_id=row[8],
        turn_id=row[9],
        branch=row[10],
    )
