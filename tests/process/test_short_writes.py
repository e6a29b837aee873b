"""Whoever is killed between two short writes leaves an index that finds everything."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from backstory.index import reindex
from backstory.index.documents import item_document
from backstory.store import SqliteStore, open_store
from findable import an_item, found, keep

ROOT = Path(__file__).parents[2]
WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")

# Kills itself after the nth transaction that wrote.
KILLED = """
import os, signal, sys
from pathlib import Path
sys.path[:0] = [sys.argv[3]]
from backstory.index import reindex, renewal
from backstory.store import open_store
from interrupted import Interrupted
renewal._RENEWED_AT_ONCE = 1
def between(written):
    if written == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
reindex(Interrupted(open_store(Path(sys.argv[1]), now_ms=0), between))
"""


def _killed(path: Path, nth: int) -> int:
    return subprocess.run(
        [sys.executable, "-c", KILLED, str(path), str(nth), str(ROOT / "tests")],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        timeout=60,
        check=False,
    ).returncode


def _older(path: Path) -> SqliteStore:
    store = open_store(path, now_ms=0)
    items = [an_item(f"i_{word}", title=f"The {word} rule holds") for word in WORDS]
    keep(store, *items)
    with store.writing() as tables:
        for item in items:
            postings = [p for p in item_document(item).postings if p.term != "hold"]
            tables.postings.put(replace(item_document(item), postings=postings))
    return store


@pytest.mark.case("C03")
@pytest.mark.case("C06")
@pytest.mark.parametrize("nth", [1, 3, 6])
def test_an_index_whose_renewal_is_killed_finds_all_and_is_renewed_by_the_next(
    tmp_path: Path, nth: int
) -> None:
    store = _older(tmp_path / "memory.db")

    assert _killed(store.path, nth) == -9
    assert [found(store, word) for word in WORDS] == [[f"i_{word}"] for word in WORDS]
    with store.reading() as tables:
        assert tables.connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        renewed = tables.postings.totals(["hold"])[1]
    assert renewed == {"hold": nth}

    reindex(store)

    with store.reading() as tables:
        assert tables.postings.totals(["hold"])[1] == {"hold": len(WORDS)}
        assert tables.postings.miscounts() == ()
