"""What the store knows of itself, and the choices the user made."""

from typing import TYPE_CHECKING

import apsw

from backstory.store.rows import only_row

if TYPE_CHECKING:
    from backstory.model.answers import Today


class SqliteMeta:
    """The meta row and the setting table."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def project_id(self) -> str:
        """Return the name that this store was given when it was made."""
        return str(self._own("SELECT project_id FROM meta WHERE id = 1"))

    def generation(self) -> int:
        """Return how many times this memory was begun: 1, and one more for every clear."""
        return int(self._own("SELECT generation FROM meta WHERE id = 1"))

    def created_at_ms(self) -> int:
        """Return when the store was first made; clearing keeps it."""
        return int(self._own("SELECT created_at_ms FROM meta WHERE id = 1"))

    def index_version(self) -> int:
        """Return by which rules what is indexed was taken apart."""
        return int(self._own("SELECT index_version FROM meta WHERE id = 1"))

    def set_index_version(self, version: int) -> None:
        """Note that all of the index follows these rules now."""
        self._connection.execute(
            "UPDATE meta SET index_version = :version WHERE id = 1", {"version": version}
        )

    def _own(self, sql: str) -> str | int:
        row = only_row(self._connection, sql)
        assert row is not None, "the meta row is written with the schema"
        value: str | int = row[0]
        return value

    def mark(self) -> object:
        """Return what equals a later mark while nobody else has written in between.

        SQLite tells it of one connection (https://sqlite.org/pragma.html#pragma_data_version).
        """
        return self._connection, self._connection.pragma("data_version")

    def tells_of_work(self) -> bool:
        """Whether commits or trackers told of any: without, nobody has to look for it."""
        row = only_row(
            self._connection,
            """
            SELECT EXISTS (SELECT 1 FROM story_entry)
                   OR EXISTS (SELECT 1
                                FROM event
                               WHERE source_key >= 'ticket:' AND source_key < 'ticket;')
            """,
        )
        return bool(row and row[0])

    def of_day(self, since_ms: int) -> "Today":
        """Return what became of what was recorded since a moment."""
        from backstory.model.answers import Today  # noqa: PLC0415 - no prompt waits for it

        row = only_row(
            self._connection,
            """
            SELECT count(*), coalesce(sum(is_extracted), 0),
                   (SELECT count(*) FROM event WHERE recorded_at_ms >= :since_ms),
                   (SELECT count(*) FROM item WHERE created_at_ms >= :since_ms),
                   (SELECT count(*)
                      FROM candidate
                     WHERE state = 'refused' AND decided_at_ms >= :since_ms),
                   (SELECT count(*) FROM injection WHERE at_ms >= :since_ms AND entry_id <> ''),
                   (SELECT count(*) FROM injection WHERE at_ms >= :since_ms AND entry_id = '')
              FROM turn
             WHERE recorded_at_ms >= :since_ms
            """,
            bindings={"since_ms": since_ms},
        )
        assert row is not None, "a count has a row"
        return Today(
            turns=row[0],
            turns_read=row[1],
            events=row[2],
            items_new=row[3],
            refused=row[4],
            entries_shown=row[5],
            session_starts=row[6],
        )

    def setting(self, name: str) -> str | None:
        """Return a choice, or None where none was made."""
        row = only_row(
            self._connection,
            "SELECT value FROM setting WHERE name = :name",
            bindings={"name": name},
        )
        return row[0] if row else None

    def set_setting(self, name: str, value: str | None) -> None:
        """Keep a choice; None removes it."""
        if value is None:
            self._connection.execute("DELETE FROM setting WHERE name = :name", {"name": name})
            return
        self._connection.execute(
            """
            INSERT INTO setting (name, value)
            VALUES (:name, :value)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """,
            {"name": name, "value": value},
        )
