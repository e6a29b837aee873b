"""How far transcripts have been read."""

from typing import Any

import apsw

from backstory.ports.store_rows import Cursor
from backstory.store.rows import only_row


class SqliteCursors:
    """The import_cursor table."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def get(self, path: str) -> Cursor | None:
        """Return how far the file at `path` was read, or None where it never was."""
        row = only_row(
            self._connection,
            """
            SELECT path, host, fingerprint, byte_offset, line, bad_lines, carry
              FROM import_cursor
             WHERE path = :path
            """,
            bindings={"path": path},
        )
        return _cursor_from(row) if row else None

    def put(self, cursor: Cursor, *, now_ms: int) -> None:
        """Keep how far a file was read."""
        self._connection.execute(
            """
            INSERT INTO import_cursor
                (path, host, fingerprint, byte_offset, line, bad_lines, carry, updated_at_ms)
            VALUES
                (:path, :host, :fingerprint, :byte_offset, :line, :bad_lines, :carry, :now_ms)
                ON CONFLICT (path) DO UPDATE SET
                   host = excluded.host, fingerprint = excluded.fingerprint,
                   byte_offset = excluded.byte_offset, line = excluded.line,
                   bad_lines = excluded.bad_lines, carry = excluded.carry,
                   updated_at_ms = excluded.updated_at_ms
            """,
            {
                "path": cursor.path,
                "host": cursor.host,
                "fingerprint": cursor.fingerprint,
                "byte_offset": cursor.byte_offset,
                "line": cursor.line,
                "bad_lines": cursor.bad_lines,
                "carry": cursor.carry,
                "now_ms": now_ms,
            },
        )

    def listed(self) -> tuple[Cursor, ...]:
        """Return every cursor, by path."""
        rows = self._connection.execute(
            """
            SELECT path, host, fingerprint, byte_offset, line, bad_lines, carry
              FROM import_cursor
             ORDER BY path
            """
        )
        return tuple(_cursor_from(row) for row in rows)


def _cursor_from(row: tuple[Any, ...]) -> Cursor:
    path, host, fingerprint, byte_offset, line, bad_lines, carry = row
    return Cursor(
        path=path,
        host=host,
        fingerprint=fingerprint,
        byte_offset=byte_offset,
        line=line,
        bad_lines=bad_lines,
        carry=carry,
    )
