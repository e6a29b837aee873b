"""Every store that Backstory has, one after another, for the suite that each must pass.

To prove a second store, add the function that opens an empty one to `OPENERS`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory.ports.store import Store
from backstory.store import open_store
from recorded import Opener


def _sqlite(folder: Path) -> Store:
    return open_store(folder / "memory.db", now_ms=0)


OPENERS: dict[str, Opener] = {"sqlite": _sqlite}


@pytest.fixture(params=sorted(OPENERS))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = OPENERS[request.param](tmp_path / "state")
    yield opened
    opened.close()
