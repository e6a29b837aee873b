"""History is put in order in short writes: everything is found meanwhile, and nothing is lost."""

from itertools import count
from pathlib import Path

import pytest

from backstory.adapters.git import ordering
from backstory.adapters.git.backfill import BackfillChoices, backfill
from backstory.adapters.git.ordering import is_unfinished
from backstory.episodes.stage import episode_name
from backstory.ports.store import Store
from backstory.store import SqliteStore, open_store
from git_repositories import Built, a_repository
from interrupted import Interrupted, cut_short

NOW_MS = 1_800_000_000_000
LEFT = "parser: read numbers\n\nTODO: parser handles negative numbers"
DONE = "parser: handle negative numbers"


class History:
    """Ten commits in a row: the later ones name earlier ones, and one does what another left."""

    def __init__(self, root: Path) -> None:
        self.repository: Built = a_repository(root)
        self.shas: list[str] = [self.repository.commit(LEFT, parser="0\n")]
        for n in range(1, 10):
            text = f"step {n}" if n != 7 else DONE
            named = self.shas[n // 2]
            self.shas.append(
                self.repository.commit(f"{text}\n\nFixes: {named}", **{f"f{n}": "1\n"})
            )

    def fill(self, store: Store, *wanted: str) -> None:
        """Keep these commits, or all."""
        choices = BackfillChoices(wanted=wanted)
        backfill(store, self.repository.vcs, clock=lambda: NOW_MS, choices=choices)

    def fill_the_end(self, store: Store) -> None:
        """Keep the second half, of which nothing is known before."""
        self.fill(store, f"{self.shas[4]}..{self.shas[9]}")


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "project")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SqliteStore:
    monkeypatch.setattr(ordering, "_MOVED_AT_ONCE", 2)
    monkeypatch.setattr(ordering, "_CLOSED_AT_ONCE", 2)
    return open_store(tmp_path / "state" / "memory.db", now_ms=NOW_MS)


def told(store: Store, history: History) -> list[object]:
    """Return the story as it is told: in its order, with its links, its runs and its todos."""
    with store.reading() as tables:
        names = tables.story.ids(range(1, tables.story.now()))
        order = [names[number] for number in sorted(names)]
        place = {number: names[number] for number in names}
        runs = [
            [place.get(number) for number in tables.story.with_word(word, 99)]
            for word in ("step", "parser")
        ]
        return [
            order,
            runs,
            [sorted(tables.story.links(episode_name(sha))) for sha in history.shas],
            [todo.todo for todo in tables.episodes.todos(limit=9, with_done=True)],
        ]


def at_once(history: History, folder: Path) -> list[object]:
    """Return the story of a store that was filled in the order of history."""
    store = open_store(folder / "memory.db", now_ms=NOW_MS)
    history.fill(store)
    return told(store, history)


@pytest.mark.case("C06")
def test_cut_short_after_any_write_it_ends_as_if_read_in_order(
    history: History, store: SqliteStore, tmp_path: Path
) -> None:
    history.fill_the_end(store)
    store.close()
    right = at_once(history, tmp_path / "whole")
    for after in count(1):
        copy = open_store(_copied(store.path, tmp_path / str(after)), now_ms=NOW_MS)
        was_cut = cut_short(copy, after=after, work=history.fill)
        history.fill(copy)

        assert told(copy, history) == right
        assert not is_unfinished(copy)
        copy.close()
        if not was_cut:
            break
    assert after > 8


def _copied(path: Path, folder: Path) -> Path:
    folder.mkdir(mode=0o700)
    copy = folder / path.name
    copy.write_bytes(path.read_bytes())
    copy.chmod(0o600)
    return copy


@pytest.mark.case("C03")
def test_every_commit_is_found_between_any_two_writes(
    history: History, store: SqliteStore
) -> None:
    history.fill_the_end(store)
    kept = {episode_name(sha) for sha in history.shas[5:]}
    moved = 0

    def all_found(_: int) -> None:
        nonlocal moved
        with store.reading() as tables:
            moved += tables.story_order.is_under_way()
            numbers = tables.story.with_word("step", 99)
            numbers = [*numbers, *tables.story.with_word("parser", 99)]
            assert kept <= {*tables.story.ids(numbers).values()}
            assert {entry.number for entry in tables.story.entries(numbers)} <= {*numbers}
            connection = tables.connection
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []

    history.fill(Interrupted(store, all_found))

    assert moved > 4


def test_who_commits_meanwhile_is_found_and_in_its_place(
    history: History, store: SqliteStore
) -> None:
    history.fill_the_end(store)
    new: list[str] = []

    def commit(_: int) -> None:
        with store.reading() as tables:
            is_moving = tables.story_order.is_under_way()
        if is_moving and len(new) < 3:
            sha = history.repository.commit(f"step new\n\nFixes: {history.shas[8]}", new="1\n")
            history.fill(store, f"{sha}~1..{sha}")
            new.append(sha)

    history.fill(Interrupted(store, commit))
    history.fill(store)

    with store.reading() as tables:
        linked = [tables.story.links(episode_name(sha)) for sha in new]
        found = tables.story.ids(tables.story.with_word("step", 99))
    assert len(new) == 3
    assert linked == [((episode_name(history.shas[8]), "fixes", False),)] * 3
    assert {episode_name(sha) for sha in (*new, history.shas[9])} <= {*found.values()}
    assert not is_unfinished(store)


def test_move_that_another_overtook_ends_without_effect(
    history: History, store: SqliteStore
) -> None:
    history.fill(store)
    with store.writing() as tables:
        order = tables.story_order.behind([3])
        first = tables.story_order.begin(len(order))
        page = tables.story_order.runs_of({3: first})[0]
        later = tables.story_order.begin(len(order))
        fresh = tables.story_order.fresh_runs()

        assert not tables.story_order.move({3: first}, first=first)
        assert not tables.story_order.add_runs(page, first=first)
        assert tables.story_order.move({order[-1]: later}, first=later)

        tables.story_order.begin(1)
        assert not tables.story_order.replace_runs(fresh.pages[0], fresh=fresh)


def test_runs_of_a_memory_that_was_cleared_are_out_of_date(
    history: History, store: SqliteStore
) -> None:
    history.fill(store)
    with store.writing() as tables:
        fresh = tables.story_order.fresh_runs()
        tables.connection.execute("UPDATE meta SET generation = generation + 1")

        assert not tables.story_order.replace_runs(fresh.pages[0], fresh=fresh)


def test_what_is_kept_while_runs_are_put_in_place_stays_found(
    history: History, store: SqliteStore
) -> None:
    history.fill(store, history.shas[4])
    with store.reading() as tables:
        fresh = tables.story_order.fresh_runs()
    history.fill(store)
    for page in fresh.pages:
        with store.writing() as tables:
            assert tables.story_order.replace_runs(page, fresh=fresh)

    with store.reading() as tables:
        found = tables.story.ids(tables.story.with_word("step", 99))
    assert {episode_name(history.shas[n]) for n in (3, 9)} <= {*found.values()}


def test_what_was_cut_short_is_ended_by_who_reads_the_next_commits(
    history: History, store: SqliteStore
) -> None:
    begun_late = BackfillChoices(left_out=(history.shas[4],))
    backfill(store, history.repository.vcs, clock=lambda: NOW_MS, choices=begun_late)
    assert cut_short(store, after=4, work=lambda cut: history.fill(cut, history.shas[4]))
    assert is_unfinished(store)

    history.repository.commit("step on", more="1\n")
    history.fill(store)

    assert not is_unfinished(store)
