"""New commits become episodes without being asked for; what is older is left for backfill."""

from pathlib import Path

import pytest

from backstory.adapters.git import catching_up
from backstory.adapters.git.catching_up import CaughtUp, catch_up
from backstory.store import SqliteStore, open_store
from git_repositories import FIRST_SECOND, Built, a_repository

NOW_MS = 1_800_000_000_000


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    built = a_repository(tmp_path / "project")
    for n in range(3):
        built.commit(f"old {n}", src__old=f"{n}\n")
    return built


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return open_store(tmp_path / "state" / "memory.db", now_ms=NOW_MS)


def since(repository: Built) -> int:
    """The moment after the last commit."""
    return (FIRST_SECOND + 60 * repository.minutes + 1) * 1000


def caught_up(store: SqliteStore, repository: Built, since_ms: int) -> CaughtUp:
    return catch_up(
        store,
        repository.root,
        environ=repository.environ,
        clock=lambda: NOW_MS,
        since_ms=since_ms,
    )


def told(store: SqliteStore) -> list[tuple[str, str | None]]:
    with store.reading() as tables:
        ids = tables.story.ids(range(1, tables.story.now()))
        found = tables.episodes.many([ids[number] for number in sorted(ids)])
    return [(one.summary.objective, one.branch) for one in found]


def test_only_commits_since_the_store_began_are_read(
    repository: Built, store: SqliteStore
) -> None:
    began = since(repository)
    first = caught_up(store, repository, began)
    repository.commit("new on main", src__new="1\n")
    repository.git("switch", "--quiet", "--create", "side")
    repository.commit("new on a branch", src__side="1\n")

    second = caught_up(store, repository, began)

    assert (first.report.commits_new, second.report.commits_new) == (0, 2)
    assert told(store) == [("new on main", None), ("new on a branch", "side")]
    assert caught_up(store, repository, began).report.commits_new == 0


def test_first_catch_up_finds_what_was_committed_before_it_ran(
    repository: Built, store: SqliteStore
) -> None:
    began = since(repository)
    repository.commit("new", src__new="1\n")

    assert caught_up(store, repository, began).report.commits_new == 1
    assert told(store) == [("new", None)]


def test_backfill_reads_the_rest_and_catching_up_goes_on_behind_it(
    repository: Built, store: SqliteStore
) -> None:
    began = since(repository)
    repository.commit("new", src__new="1\n")
    caught_up(store, repository, began)

    report = catching_up.backfill(store, repository.vcs, clock=lambda: NOW_MS)
    repository.commit("newer", src__new="2\n")

    assert (report.commits_new, report.commits_known) == (3, 1)
    assert caught_up(store, repository, began).report.commits_new == 1


def test_too_many_at_once_are_left_for_backfill(
    repository: Built, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catching_up, "CAUGHT_UP_MAX", 2)

    found = caught_up(store, repository, 0)

    assert (found.report.commits_new, found.left) == (0, 3)


def test_repository_without_a_commit_has_nothing_to_catch_up(
    tmp_path: Path, store: SqliteStore
) -> None:
    assert caught_up(store, a_repository(tmp_path / "empty"), 0).report.commits_new == 0
