"""What was shown to an agent."""

from collections.abc import Sequence

import apsw

from backstory.model.ids import ThreadId
from backstory.store.rows import only_row


class SqliteInjections:
    """The injection table."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def add(
        self,
        entries: Sequence[tuple[str, int]],
        *,
        part: str,
        thread_id: ThreadId | None,
        now_ms: int,
    ) -> None:
        """Log that these revisions of entries were shown, in "index", "relevant" or "routing"."""
        self._connection.executemany(
            """
            INSERT INTO injection (thread_id, entry_id, revision, part, at_ms)
            VALUES (?, ?, ?, ?, ?)
            """,
            [(thread_id, entry_id, revision, part, now_ms) for entry_id, revision in entries],
        )

    def shown(self, thread_id: ThreadId) -> frozenset[tuple[str, int]]:
        """Return the (entry id, revision) pairs that this thread has seen in full."""
        rows = self._connection.execute(
            """
            SELECT DISTINCT entry_id, revision
              FROM injection
             WHERE thread_id = :thread_id AND part = 'relevant'
            """,
            {"thread_id": thread_id},
        )
        return frozenset((str(row[0]), int(row[1])) for row in rows)

    def count(self) -> int:
        """Return how many entries were shown, each time counted."""
        row = only_row(self._connection, "SELECT count(*) FROM injection")
        return int(row[0]) if row else 0
