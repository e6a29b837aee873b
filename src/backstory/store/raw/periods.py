"""What was said and what happened in a period of time."""

import apsw

from backstory.model.event import Event
from backstory.model.turn import Turn
from backstory.store.raw.events import event_from
from backstory.store.raw.turn_rows import turn_from


class SqlitePeriods:
    """The turn and event tables by time."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def events(self, start_ms: int, end_ms: int, *, limit: int) -> tuple[Event, ...]:
        """Return the events of a period, both ends in it, oldest first."""
        rows = self._connection.execute(
            """
            SELECT seq, id, kind, at_ms, recorded_at_ms, payload, text, origin, thread_id, turn_id,
                   branch
              FROM event
             WHERE at_ms BETWEEN :start_ms AND :end_ms
             ORDER BY at_ms, seq
             LIMIT :limit
            """,
            {"start_ms": start_ms, "end_ms": end_ms, "limit": limit},
        )
        return tuple(event_from(row) for row in rows)

    def turns(self, start_ms: int, end_ms: int, *, limit: int) -> tuple[Turn, ...]:
        """Return the turns that were begun in a period, oldest first."""
        rows = self._connection.execute(
            """
            SELECT seq, id, thread_id, position, speaker, user_text, answer_text, state,
                   said_at_ms, recorded_at_ms, finished_at_ms, origin, is_imported, source_key,
                   branch, error
              FROM turn
             WHERE said_at_ms BETWEEN :start_ms AND :end_ms
             ORDER BY said_at_ms, seq
             LIMIT :limit
            """,
            {"start_ms": start_ms, "end_ms": end_ms, "limit": limit},
        )
        return tuple(turn_from(row) for row in rows)
