"""History becomes episodes once, however often and however rudely it is read."""

from pathlib import Path

import pytest

from backstory import index
from backstory.adapters.git.backfill import BackfillChoices, BackfillReport, backfill
from backstory.episodes.stage import episode_name
from backstory.ports.vcs import Commit, Vcs
from backstory.store import SqliteStore, open_store
from git_repositories import Built, a_repository

NOW_MS = 1_800_000_000_000


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    return a_repository(tmp_path / "project")


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return open_store(tmp_path / "state" / "memory.db", now_ms=NOW_MS)


def filled(store: SqliteStore, vcs: Vcs, *wanted: str, is_dry_run: bool = False) -> BackfillReport:
    choices = BackfillChoices(wanted=wanted, is_dry_run=is_dry_run)
    return backfill(store, vcs, clock=lambda: NOW_MS, choices=choices)


def rows(store: SqliteStore) -> list[tuple[object, ...]]:
    """Everything that a backfill keeps, in its order; runs of postings joined."""
    found: list[tuple[object, ...]] = []
    with store.reading() as tables:
        for table in ("episode", "episode_summary", "todo", "recorded_commit", "episode_link"):
            found += tables.connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2")
        found += tables.connection.execute("SELECT * FROM path_name ORDER BY 1")
        found += tables.connection.execute("SELECT * FROM story_entry ORDER BY 1")
        found += tables.connection.execute(
            "SELECT key, group_concat(hex(episodes), '' ORDER BY first) FROM story_posting"
            " GROUP BY key ORDER BY key"
        )
    return found


@pytest.mark.promise("R47")
def test_commits_become_episodes_with_summary_ticket_and_link(
    repository: Built, store: SqliteStore
) -> None:
    first = repository.commit("auth: use JWT rather than sessions\n\nCloses #7", src__auth="1\n")
    second = repository.commit(f"auth: count seconds\n\nFollow-up to {first}", src__auth="2\n")

    report = filled(store, repository.vcs)

    assert (report.commits_new, report.commits_known) == (2, 0)
    with store.reading() as tables:
        episode = tables.episodes.get(episode_name(first))
        links = tables.story.links(episode_name(first))
    assert episode is not None
    assert episode.summary.objective == "auth: use JWT rather than sessions"
    assert episode.summary.changes == ("src/auth",)
    assert episode.tickets == ("#7",)
    assert episode.commits == (first,)
    assert episode.is_merged
    assert episode.branch is None
    assert links == ((episode_name(second), "follows", True),)


def test_second_backfill_adds_nothing_and_later_commits_are_found(
    repository: Built, store: SqliteStore
) -> None:
    repository.commit("one", a="1\n")
    filled(store, repository.vcs)
    before = rows(store)

    assert filled(store, repository.vcs) == BackfillReport()
    assert rows(store) == before

    repository.commit("two", a="2\n")
    report = filled(store, repository.vcs)

    assert (report.commits_new, report.commits_known) == (1, 0)


@pytest.mark.case("C32")
def test_branch_is_a_tag_until_it_is_merged(repository: Built, store: SqliteStore) -> None:
    repository.commit("base", a="1\n")
    repository.git("switch", "--quiet", "--create", "feature/SHM-3-pool")
    side = repository.commit("pool: bound the queue", b="1\n")
    repository.git("switch", "--quiet", "main")
    report = filled(store, repository.vcs)

    with store.reading() as tables:
        tagged = tables.episodes.get(episode_name(side))
    assert report.branches == {"feature/SHM-3-pool"}
    assert tagged is not None
    assert (tagged.branch, tagged.is_merged) == ("feature/SHM-3-pool", False)
    assert tagged.tickets == ("SHM-3",)

    repository.git("merge", "--quiet", "--no-ff", "-m", "join", "feature/SHM-3-pool")
    filled(store, repository.vcs)

    with store.reading() as tables:
        merged = tables.episodes.get(episode_name(side))
    assert merged is not None
    assert merged.is_merged


def test_branch_that_is_checked_out_is_not_taken_for_the_main_line(
    repository: Built, store: SqliteStore
) -> None:
    base = repository.commit("base", a="1\n")
    repository.git("switch", "--quiet", "--create", "side")
    side = repository.commit("side", b="1\n")

    filled(store, repository.vcs)

    with store.reading() as tables:
        kept = {sha: tables.episodes.get(episode_name(sha)) for sha in (base, side)}
    assert {sha: one.branch for sha, one in kept.items() if one} == {base: None, side: "side"}


def test_repository_without_a_main_branch_by_name_is_led_by_head(
    repository: Built, store: SqliteStore
) -> None:
    repository.git("branch", "--move", "main", "work")
    sha = repository.commit("base", a="1\n")

    filled(store, repository.vcs)

    with store.reading() as tables:
        episode = tables.episodes.get(episode_name(sha))
    assert episode is not None
    assert episode.is_merged


def test_dry_run_counts_and_keeps_nothing(repository: Built, store: SqliteStore) -> None:
    repository.commit("one", a="1\n")

    assert filled(store, repository.vcs, is_dry_run=True).commits_new == 1
    assert not any(rows(store))
    assert filled(store, repository.vcs).commits_new == 1


def test_range_keeps_only_what_it_names(repository: Built, store: SqliteStore) -> None:
    first = repository.commit("one", a="1\n")
    repository.commit("two", a="2\n")

    assert filled(store, repository.vcs, f"{first}..main").commits_new == 1
    assert filled(store, repository.vcs).commits_new == 1


class Killed(BaseException):
    """Stands for the end of the process."""


class Mortal:
    """Reads a repository until it is killed after so many commits."""

    def __init__(self, vcs: Vcs, lives: int) -> None:
        self._vcs = vcs
        self._lives = lives

    def __getattr__(self, name: str) -> object:
        return getattr(self._vcs, name)

    def read(self, shas: object) -> object:
        """Yield commits, and die."""
        for commit in self._vcs.read(shas):  # type: ignore[arg-type]  # passed through
            self._lives -= 1
            if self._lives < 0:
                raise Killed
            assert isinstance(commit, Commit)
            yield commit


def test_killed_ten_times_and_resumed_it_keeps_the_same(
    repository: Built, store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backstory.adapters.git.backfill._BATCH_COMMITS", 3)
    shas = [repository.commit("first", a="0\n")]
    for n in range(1, 40):
        shas.append(repository.commit(f"step {n}\n\nFixes {shas[n // 2]}", a=f"{n}\n"))
    repository.git("mv", "a", "b")
    repository.commit("move")
    whole = open_store(tmp_path / "whole" / "memory.db", now_ms=NOW_MS)
    filled(whole, repository.vcs)

    for _ in range(10):
        with pytest.raises(Killed):
            filled(store, Mortal(repository.vcs, 4))  # type: ignore[arg-type]  # by its methods
    while filled(store, repository.vcs).commits_new:
        pass

    assert rows(store) == rows(whole)


@pytest.mark.promise("R51")
def test_later_commit_closes_what_an_earlier_one_left(
    repository: Built, store: SqliteStore
) -> None:
    left = repository.commit(
        "auth: issue tokens\n\nRefresh tokens are not rotated yet.", src__auth="1\n"
    )
    repository.commit("auth: rename a field", src__auth="2\n")
    repository.commit(
        "auth: test tokens\n\nRotating refresh tokens is still to be done.", src__auth="3\n"
    )
    done = repository.commit("auth: rotate refresh tokens", src__auth="4\n")
    filled(store, repository.vcs)

    with store.reading() as tables:
        todos = {
            todo.episode_id: todo.todo for todo in tables.episodes.todos(limit=9, with_done=True)
        }
    assert todos[episode_name(left)].closed_by == episode_name(done)
    assert not todos[episode_name(left)].is_open


def test_reindex_finds_the_same_as_before(repository: Built, store: SqliteStore) -> None:
    for n in range(3):
        repository.commit(f"SHM-{n}: step {n}", **{f"a{n}": "x\n"})
        filled(store, repository.vcs)
    before = rows(store)

    index.reindex(store)

    assert rows(store) == before


def test_forgotten_and_unknown_commits_are_not_linked(
    repository: Built, store: SqliteStore
) -> None:
    repository.commit("one\n\nFixes 1a2b3c4d5e6f, which is not here.", a="1\n")

    filled(store, repository.vcs)

    with store.reading() as tables:
        assert tables.story.numbers(["1a2b3c4d5e6f"]) == {}
        assert tables.story.distances() == [0] * 20


def test_rename_leads_to_what_happened_under_the_old_name(
    repository: Built, store: SqliteStore
) -> None:
    lines = "".join(f"{n}\n" for n in range(30))
    repository.commit("start", old=lines)
    repository.git("mv", "old", "new")
    repository.commit("move")
    repository.commit("after", new=lines + "x\n")
    filled(store, repository.vcs)

    with store.reading() as tables:
        assert list(tables.story.with_path("new", 9)) == [1, 2, 3]
        assert tables.story.path_counts(["new", "absent"]) == {"new": 3}


def test_secret_in_a_message_is_not_in_its_summary(repository: Built, store: SqliteStore) -> None:
    secret = "ghp_" + "a1B2c3D4" * 5
    sha = repository.commit(f"ci: use the token {secret} instead of a password", a="1\n")
    filled(store, repository.vcs)

    with store.reading() as tables:
        episode = tables.episodes.get(episode_name(sha))
    assert episode is not None
    assert secret not in str(episode)
    assert secret not in str(rows(store))
