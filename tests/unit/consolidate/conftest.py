"""A store of its own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory.ports.store import Store
from backstory.store import open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "memory.db", now_ms=0)
    yield opened
    opened.close()
