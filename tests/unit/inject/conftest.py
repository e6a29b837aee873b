"""An empty store for each test of injection: it is never faked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory.store import SqliteStore, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path / "memory.db", now_ms=0)
    yield opened
    opened.close()
