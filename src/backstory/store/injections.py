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

    def claim(self, key: str, *, within_ms: int, now_ms: int) -> bool:
        """Return whether nobody has claimed this within so many milliseconds, and claim it.

        Of several processes that do it at one moment, one is told so.
        """
        self._connection.execute(
            """
            INSERT INTO injection (thread_id, entry_id, revision, part, at_ms)
            SELECT :key, '', 0, 'index', :now_ms
             WHERE NOT EXISTS (SELECT 1
                                 FROM injection
                                WHERE thread_id = :key AND entry_id = '' AND revision = 0
                                  AND at_ms BETWEEN :now_ms - :within_ms AND :now_ms + :within_ms)
            """,
            {"key": key, "now_ms": now_ms, "within_ms": within_ms},
        )
        return self._connection.changes() > 0

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
        sql = "SELECT count(*) FROM injection WHERE entry_id <> ''"
        row = only_row(self._connection, sql)
        return int(row[0]) if row else 0
