"""What trackers call their tickets, out of the events that tell of closed ones."""

import json
from collections.abc import Mapping, Sequence

import apsw

# Somebody waits: of a project with more tickets, which of them are compared is left to chance.
_COMPARED_MAX = 5_000


class SqliteTicketTitles:
    """The titles in the event table. A tracker's events are found by their source key."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def of(self, tickets: Sequence[str]) -> Mapping[str, str]:
        """Return the titles of these tickets, as far as they were told; the last word counts."""
        rows = self._connection.execute(
            """
            SELECT payload ->> '$.ticket', payload ->> '$.title'
              FROM event
             WHERE source_key >= 'ticket:' AND source_key < 'ticket;'
               AND payload ->> '$.ticket' IN (SELECT value FROM json_each(:tickets))
             ORDER BY at_ms, seq
            """,
            {"tickets": json.dumps(list(tickets))},
        )
        return {str(row[0]): str(row[1]) for row in rows if row[1]}

    def like(self, parts: Sequence[str], *, least: int, limit: int) -> Mapping[str, str]:
        """Return the titles that hold so many of these parts, of the tickets closed last."""
        rows = self._connection.execute(
            """
            SELECT lower(text), seq
              FROM event
             WHERE source_key >= 'ticket:' AND source_key < 'ticket;'
             LIMIT :most
            """,
            {"most": _COMPARED_MAX},
        )
        found = [seq for text, seq in rows if sum([part in text for part in parts]) >= least]
        named = self._connection.execute(
            """
            SELECT e.payload ->> '$.ticket', e.payload ->> '$.title'
              FROM json_each(:found) AS t
              CROSS JOIN event AS e ON e.seq = t.value
             ORDER BY e.at_ms DESC
             LIMIT :limit
            """,
            {"found": json.dumps(found), "limit": limit},
        )
        return {str(row[0]): str(row[1]) for row in named if row[1]}
