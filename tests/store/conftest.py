"""A SQLite store in a directory of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory.store import SqliteStore, open_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "memory.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = open_store(path, now_ms=0)
    yield opened
    opened.close()
