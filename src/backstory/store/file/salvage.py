"""Looking at a store that is damaged, foreign or newer, without touching a byte of it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import apsw

from backstory.model.errors import StoreDegradedError
from backstory.store.file.connect import connect_untouched
from backstory.store.file.failures import translated
from backstory.store.rows import only_row
from backstory.store.tables import SqliteTables


class DegradedStore:
    """A store that only `status`, `show`, `export`, `doctor` and `clear` may use.

    What can still be read is read; what cannot raises `StoreDegradedError`, and so does
    every attempt to write.
    """

    is_read_only = True

    def __init__(self, path: Path, problem: str) -> None:
        self.path = path
        self.problem = problem

    @contextmanager
    def reading(self) -> Iterator[SqliteTables]:
        """Yield what can still be read, as of now."""
        connection = self.connection()
        try:
            yield SqliteTables(connection)
        except (apsw.Error, UnicodeDecodeError) as error:
            raise StoreDegradedError(f"{self.problem}; this part cannot be read") from error
        finally:
            connection.close()

    def writing(self) -> AbstractContextManager[SqliteTables]:
        """Refuse: nothing is written to a degraded store."""
        raise StoreDegradedError(self.problem)

    def connection(self) -> apsw.Connection:
        """Return a connection that leaves no trace; for the store's own modules only."""
        try:
            return connect_untouched(self.path)
        except apsw.Error as error:
            raise StoreDegradedError(self.problem) from translated(self.path, error)
        except OSError as error:
            raise StoreDegradedError(self.problem) from error

    def generation(self) -> int:
        """Return the highest generation that can still be read, or 0."""
        return max(
            self._number("SELECT max(generation) FROM meta"),
            self._number("SELECT max(generation) FROM job"),
            0,
        )

    def created_at_ms(self) -> int | None:
        """Return when the store was made, where that can still be read."""
        return self._number("SELECT max(created_at_ms) FROM meta") or None

    def project_id(self) -> str | None:
        """Return the store's own name, where it can still be read."""
        value = self._value("SELECT max(project_id) FROM meta")
        return value if isinstance(value, str) and value else None

    def _number(self, sql: str) -> int:
        value = self._value(sql)
        return value if isinstance(value, int) else 0

    def _value(self, sql: str) -> object:
        try:
            connection = self.connection()
        except StoreDegradedError:
            return None
        try:
            row = only_row(connection, sql)
        except (apsw.Error, UnicodeDecodeError):
            return None
        finally:
            connection.close()
        return row[0] if row else None

    def close(self) -> None:
        """Do nothing: no connection outlives its use."""
