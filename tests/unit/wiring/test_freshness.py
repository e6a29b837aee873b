"""What cites files is marked by them a few entries at a time, and only as it was read."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from backstory.consolidate import forget
from backstory.index import refresh
from backstory.model.ids import EpisodeId, ItemId
from backstory.model.words import Status
from backstory.ports.store import Store
from backstory.store import SqliteStore, open_store
from backstory.wiring.story.current import freshness
from backstory.wiring.story.current.freshness import Freshness, check_freshness
from findable import an_episode, an_item, found, keep
from interrupted import Interrupted
from remembering import IDS, numbered

BLOB = "a" * 40


class Files:
    """Files of a project by their paths; looking at them may let something happen."""

    def __init__(self, *paths: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.paths = paths
        self.meanwhile = meanwhile

    def blobs(self, paths: Sequence[str]) -> dict[str, str]:
        """Return those that are there."""
        self.meanwhile()
        return {path: BLOB for path in paths if path in self.paths}


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    opened = open_store(tmp_path / "memory.db", now_ms=0)
    items = [an_item(f"i_{n}", title=f"Rule {n}", paths=(f"src/{n}.py",)) for n in range(5)]
    keep(opened, *items, an_episode("e_1", objective="Make it quick", changes=("src/0.py",)))
    checked(opened, Files(*(f"src/{n}.py" for n in range(5))))
    return opened


def checked(store: Store, files: Files) -> Freshness:
    return check_freshness(store, files, ids=numbered(), now_ms=9)


def stale(store: SqliteStore) -> list[str]:
    with store.reading() as tables:
        items = tables.items.listed(statuses=(Status.STALE,))
        episodes = [one for one in tables.episodes.listed() if one.is_stale]
    return [one.id for one in (*items, *episodes)]


def test_what_loses_its_files_is_stale_and_what_gets_them_back_is_not(store: SqliteStore) -> None:
    assert checked(store, Files()) == Freshness(stale=6, fresh=0)
    assert stale(store) == ["i_0", "i_1", "i_2", "i_3", "i_4", "e_1"]
    assert checked(store, Files("src/0.py", "src/3.py")) == Freshness(stale=0, fresh=3)
    assert stale(store) == ["i_1", "i_2", "i_4"]


@pytest.mark.case("C03")
def test_it_is_written_in_short_steps_and_all_are_found_between_them(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "_TURNED_AT_ONCE", 2)

    def all_found(_: int) -> None:
        assert [found(store, f"rule {n}") for n in range(5)] == [[f"i_{n}"] for n in range(5)]

    interrupted = Interrupted(store, all_found)
    checked(interrupted, Files())

    assert interrupted.written == 4


def test_where_nothing_turns_nothing_is_written(store: SqliteStore) -> None:
    interrupted = Interrupted(store, lambda _: None)

    checked(interrupted, Files(*(f"src/{n}.py" for n in range(5))))

    assert interrupted.written == 0


def test_what_is_forgotten_while_files_are_looked_at_stays_forgotten(store: SqliteStore) -> None:
    def forgotten() -> None:
        with store.writing() as tables:
            touched = forget(tables, ItemId("i_2"), ids=IDS, now_ms=5)
            refresh(tables, touched)
            tables.episodes.set_status(EpisodeId("e_1"), Status.FORGOTTEN)

    assert checked(store, Files(meanwhile=forgotten)) == Freshness(stale=4, fresh=0)

    with store.reading() as tables:
        assert tables.items.listed(statuses=(Status.FORGOTTEN,))[0].id == "i_2"
        assert tables.episodes.get(EpisodeId("e_1")) is None
    assert found(store, "rule 2") == []
