"""The files that entries cite, as they were when that was first seen."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import apsw

if TYPE_CHECKING:
    from backstory.ports.story import CitedFile


class SqliteCitedFiles:
    """The cited_file table, as recall reads it."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def of(self, entry_ids: Sequence[str]) -> "tuple[CitedFile, ...]":
        """Return the files that these entries cite, in one statement."""
        rows: list[tuple[Any, ...]] = self._connection.execute(
            """
            SELECT c.entry_id, c.path, c.revision, c.blob
              FROM json_each(:ids) AS t
              CROSS JOIN cited_file AS c ON c.entry_id = t.value
            """,
            {"ids": json.dumps(list(entry_ids))},
        ).fetchall()
        if not rows:
            return ()
        from backstory.ports.story import CitedFile  # noqa: PLC0415 - few entries cite a file

        return tuple(
            CitedFile(entry_id=row[0], path=row[1], revision=row[2], blob=row[3]) for row in rows
        )
