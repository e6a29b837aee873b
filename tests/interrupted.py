"""A store whose writers are interrupted: something happens after each of their transactions."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from backstory.ports.store import Store, Tables
from backstory.store import SqliteStore


class CutShortError(Exception):
    """What ends a program in the middle of its work."""


class Interrupted:
    """A store that calls `between` after each transaction that wrote, with how many there were.

    What `between` writes itself interrupts nothing.
    """

    def __init__(self, store: SqliteStore, between: Callable[[int], object]) -> None:
        self._store = store
        self._between = between
        self._is_between = False
        self.written = 0

    @contextmanager
    def reading(self) -> Iterator[Tables]:
        """Yield the tables as they are."""
        with self._store.reading() as tables:
            yield tables

    @contextmanager
    def writing(self) -> Iterator[Tables]:
        """Yield the tables, and let something happen once they are written."""
        with self._store.writing() as tables:
            yield tables
        if not self._is_between:
            self.written += 1
            self._is_between = True
            try:
                self._between(self.written)
            finally:
                self._is_between = False

    def close(self) -> None:
        """Close the store."""
        self._store.close()


def cut_short(store: SqliteStore, *, after: int, work: Callable[[Store], object]) -> bool:
    """Let work end after so many transactions, and return whether it was cut short by that."""

    def between(written: int) -> None:
        if written == after:
            raise CutShortError

    try:
        work(Interrupted(store, between))
    except CutShortError:
        return True
    return False
