"""What was kept before older history was read follows it, and is linked with it."""

from itertools import pairwise
from pathlib import Path

import pytest

from backstory.adapters.git.backfill import BackfillChoices, backfill
from backstory.adapters.git.catching_up import catch_up
from backstory.episodes.stage import episode_name
from backstory.store import SqliteStore, open_store
from git_repositories import FIRST_SECOND, Built, a_repository

NOW_MS = 1_800_000_000_000


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    return a_repository(tmp_path / "project")


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return open_store(tmp_path / "state" / "memory.db", now_ms=NOW_MS)


def caught_up(store: SqliteStore, repository: Built, *, since_minute: int) -> int:
    """Keep what was committed from a minute on, and return how much that was."""
    found = catch_up(
        store,
        repository.root,
        environ=repository.environ,
        clock=lambda: NOW_MS,
        since_ms=(FIRST_SECOND + 60 * since_minute + 1) * 1000,
    )
    return found.report.commits_new


def filled(store: SqliteStore, repository: Built, *wanted: str) -> int:
    choices = BackfillChoices(wanted=wanted)
    return backfill(store, repository.vcs, clock=lambda: NOW_MS, choices=choices).commits_new


def in_order(store: SqliteStore) -> list[str]:
    with store.reading() as tables:
        ids = tables.story.ids(range(1, tables.story.now()))
        found = tables.episodes.many([ids[number] for number in sorted(ids)])
    return [one.summary.objective for one in found]


def links(store: SqliteStore, sha: str) -> list[tuple[str, str, bool]]:
    with store.reading() as tables:
        return sorted(tables.story.links(episode_name(sha)))


def test_older_history_read_later_is_linked_with_what_names_it(
    repository: Built, store: SqliteStore
) -> None:
    old = repository.commit("old", a="1\n")
    began = repository.minutes
    new = repository.commit(f"new\n\nFixes: {old[:12]}", a="2\n")
    newer = repository.commit(f"newer\n\nFollow-up to {new}", a="3\n")
    assert caught_up(store, repository, since_minute=began) == 2
    assert links(store, new) == [(episode_name(newer), "follows", True)]

    filled(store, repository)

    assert links(store, new) == [
        *sorted([(episode_name(old), "fixes", False), (episode_name(newer), "follows", True)])
    ]
    assert in_order(store) == ["old", "new", "newer"]
    with store.reading() as tables:
        assert tables.story.with_path("a", 9) == sorted(tables.story.with_path("a", 9))
        assert len(tables.story.with_path("a", 9)) == 3
        assert tables.story.commits(episode_name(new))[0].sha == new


def test_range_read_after_a_later_one_comes_before_it(
    repository: Built, store: SqliteStore
) -> None:
    shas = [repository.commit("one", a="1\n")]
    for n in range(2, 7):
        shas.append(repository.commit(f"{n}\n\nFixes: {shas[-1]}", a=f"{n}\n"))

    filled(store, repository, f"{shas[3]}..{shas[5]}")
    filled(store, repository, f"{shas[0]}..{shas[1]}")
    filled(store, repository, f"{shas[1]}..{shas[3]}")
    filled(store, repository)

    assert in_order(store) == ["one", "2", "3", "4", "5", "6"]
    for before, sha in pairwise(shas):
        assert (episode_name(before), "fixes", False) in links(store, sha)


@pytest.mark.parametrize("gone", ["", "side", "main"])
def test_link_between_lines_of_history_is_kept_also_where_one_is_gone(
    repository: Built, store: SqliteStore, gone: str
) -> None:
    repository.commit("old", a="1\n")
    began = repository.minutes
    repository.git("switch", "--quiet", "--create", "side")
    side = repository.commit("side", b="1\n")
    assert caught_up(store, repository, since_minute=began) == 1
    repository.git("switch", "--quiet", "main")
    picked = repository.commit(f"picked\n\n(cherry picked from commit {side})", b="1\n")
    assert caught_up(store, repository, since_minute=began) == 1
    if gone:
        repository.git("switch", "--quiet", "--detach", "main~1")
        repository.git("branch", "--force", gone, "main~1")

    filled(store, repository)

    assert links(store, picked) == [(episode_name(side), "picked_from", False)]


def test_todo_of_older_history_is_closed_by_what_was_kept_before(
    repository: Built, store: SqliteStore
) -> None:
    old = repository.commit("parser: read numbers\n\nTODO: parser handles negative numbers", p="1")
    began = repository.minutes
    new = repository.commit("parser: handle negative numbers", p="2")
    caught_up(store, repository, since_minute=began)

    filled(store, repository)

    with store.reading() as tables:
        (todo,) = tables.episodes.todos(limit=9, with_done=True)
    assert (todo.episode_id, todo.todo.closed_by) == (episode_name(old), episode_name(new))


def test_second_backfill_of_an_ordered_history_moves_nothing(
    repository: Built, store: SqliteStore
) -> None:
    old = repository.commit("old", a="1\n")
    repository.commit(f"new\n\nFixes: {old}", a="2\n")
    filled(store, repository)
    with store.reading() as tables:
        before = tables.story.now()

    filled(store, repository, "main")

    with store.reading() as tables:
        assert tables.story.now() == before
