"""Conversations, one row each."""

from typing import Any

import apsw

from backstory.model.errors import NotFoundError
from backstory.model.ids import ThreadId
from backstory.model.turn import Thread
from backstory.store.rows import only_row


class SqliteThreads:
    """The thread table."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def add(self, thread: Thread) -> None:
        """Store a conversation that is not there yet."""
        self._connection.execute(
            """
            INSERT INTO thread
                (id, host, host_key, is_active, started_at_ms, archived_at_ms, summary, generation)
            VALUES
                (:id, :host, :host_key, :is_active, :started_at_ms, :archived_at_ms, :summary,
                 :generation)
            """,
            {
                "id": thread.id,
                "host": thread.host,
                "host_key": thread.host_key,
                "is_active": int(thread.is_active),
                "started_at_ms": thread.started_at_ms,
                "archived_at_ms": thread.archived_at_ms,
                "summary": thread.summary,
                "generation": thread.generation,
            },
        )

    def get(self, thread_id: ThreadId) -> Thread | None:
        """Return the thread of this id."""
        row = only_row(
            self._connection,
            """
            SELECT id, host, host_key, is_active, started_at_ms, archived_at_ms, summary,
                   generation
              FROM thread
             WHERE id = :id
            """,
            bindings={"id": thread_id},
        )
        return _thread_from(row) if row else None

    def of_host(self, host: str, host_key: str) -> Thread | None:
        """Return the thread of a host's session."""
        row = only_row(
            self._connection,
            """
            SELECT id, host, host_key, is_active, started_at_ms, archived_at_ms, summary,
                   generation
              FROM thread
             WHERE host = :host AND host_key = :host_key
            """,
            bindings={"host": host, "host_key": host_key},
        )
        return _thread_from(row) if row else None

    def active(self, host: str) -> Thread | None:
        """Return the one active thread that has no host key, if there is one."""
        row = only_row(
            self._connection,
            """
            SELECT id, host, host_key, is_active, started_at_ms, archived_at_ms, summary,
                   generation
              FROM thread
             WHERE host = :host AND is_active = 1 AND host_key IS NULL
            """,
            bindings={"host": host},
        )
        return _thread_from(row) if row else None

    def archive(self, thread_id: ThreadId, *, now_ms: int) -> None:
        """End a conversation. One that has ended already keeps its time."""
        self._connection.execute(
            """
            UPDATE thread
               SET is_active = 0, archived_at_ms = coalesce(archived_at_ms, :now_ms)
             WHERE id = :id
            """,
            {"id": thread_id, "now_ms": now_ms},
        )
        if self._connection.changes() == 0:
            raise NotFoundError(f"there is no thread {thread_id}")

    def set_summary(self, thread_id: ThreadId, summary: str) -> None:
        """Keep what the conversation is about."""
        self._connection.execute(
            "UPDATE thread SET summary = :summary WHERE id = :id",
            {"id": thread_id, "summary": summary},
        )

    def listed(self) -> tuple[Thread, ...]:
        """Return every thread, oldest first."""
        rows = self._connection.execute(
            """
            SELECT id, host, host_key, is_active, started_at_ms, archived_at_ms, summary,
                   generation
              FROM thread
             ORDER BY started_at_ms, id
            """
        )
        return tuple(_thread_from(row) for row in rows)


def _thread_from(row: tuple[Any, ...]) -> Thread:
    return Thread(
        id=row[0],
        host=row[1],
        host_key=row[2],
        is_active=bool(row[3]),
        started_at_ms=row[4],
        archived_at_ms=row[5],
        summary=row[6],
        generation=row[7],
    )
