"""What is read before a write transaction is what the transaction finds, whoever else writes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory.jobs import writing_after
from backstory.model.errors import StoreUnavailableError
from backstory.ports.store import Store, Tables
from backstory.store import SqliteStore, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path / "memory.db", now_ms=0)
    yield opened
    opened.close()


class Reader:
    """Reads a setting, and lets another process write it right after some of the readings."""

    def __init__(self, other: Store, *, disturbed: int) -> None:
        self.other = other
        self.disturbed = disturbed
        self.readings = 0

    def __call__(self, tables: Tables) -> str | None:
        """Read, and be disturbed."""
        found = tables.meta.setting("colour")
        self.readings += 1
        if self.readings <= self.disturbed:
            with self.other.writing() as others:
                others.meta.set_setting("colour", f"number {self.readings}")
        return found


@pytest.mark.parametrize(
    ("disturbed", "seen", "readings"),
    [(0, None, 1), (1, "number 1", 2), (2, "number 2", 3), (3, "number 3", 4)],
)
def test_what_is_read_ahead_is_current_when_it_is_used(
    store: SqliteStore, disturbed: int, seen: str | None, readings: int
) -> None:
    other = SqliteStore(store.path)  # a connection of its own, as another process has
    reader = Reader(other, disturbed=disturbed)

    with writing_after(store, reader) as (tables, found):
        assert found == tables.meta.setting("colour") == seen
        tables.meta.set_setting("colour", "mine")

    other.close()
    assert reader.readings == readings
    with store.reading() as tables:
        assert tables.meta.setting("colour") == "mine"


@pytest.mark.parametrize(("disturbed", "readings", "brings"), [(0, 1, 0), (1, 1, 1), (9, 1, 1)])
def test_what_can_be_brought_up_to_date_is_read_once(
    store: SqliteStore, disturbed: int, readings: int, brings: int
) -> None:
    other = SqliteStore(store.path)
    reader = Reader(other, disturbed=disturbed)
    brought: list[str] = []

    def again(_before: str, tables: Tables) -> str:
        brought.append(_colour(tables))
        return brought[-1]

    def read(tables: Tables) -> str:
        return reader(tables) or "none"

    with writing_after(store, read, again=again) as (tables, found):
        assert found == _colour(tables)

    other.close()
    assert (reader.readings, len(brought)) == (readings, brings)


def _colour(tables: Tables) -> str:
    return tables.meta.setting("colour") or "none"


def test_an_error_takes_back_what_was_written_after_reading_ahead(store: SqliteStore) -> None:
    with pytest.raises(ZeroDivisionError):
        _set_and_fail(store)

    with store.reading() as tables:
        assert tables.meta.setting("colour") is None


def _set_and_fail(store: SqliteStore) -> None:
    with writing_after(store, lambda tables: tables.meta.generation()) as (tables, found):
        tables.meta.set_setting("colour", str(found))
        raise ZeroDivisionError


def test_nothing_is_yielded_where_nothing_can_be_written(store: SqliteStore) -> None:
    read_only = SqliteStore(store.path, is_read_only=True)

    with (
        pytest.raises(StoreUnavailableError, match="read-only"),
        writing_after(read_only, lambda tables: tables.meta.generation()),
    ):
        raise AssertionError("nothing may be written here")
    read_only.close()
