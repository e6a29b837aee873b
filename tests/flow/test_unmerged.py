"""What was decided on a branch says so as long as that branch is not merged."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import Memory
from backstory.adapters.git import branching
from backstory.api import Opening
from backstory.model.item import Item
from backstory.model.limits import HOUR_MS, MINUTE_MS, SECOND_MS
from commands import run
from git_repositories import FIRST_SECOND, Built, a_repository
from recorded import SettableClock

DECIDED = "We use Redis for the cart."
ASKED = "what do we use for the cart?"


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    built = a_repository(tmp_path / "shop")
    built.commit("begin", notes="1\n")
    built.git("checkout", "--quiet", "-b", "side")
    return built


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock(FIRST_SECOND * SECOND_MS + 30 * MINUTE_MS)


@pytest.fixture
def memory(repository: Built, clock: SettableClock) -> Iterator[Memory]:
    opened = Memory.init(repository.root, opening=Opening(env=repository.environ, clock=clock))
    assert isinstance(opened, Memory)
    with opened:
        yield opened


def say(memory: Memory, text: str = DECIDED, *, branch: str | None = "side") -> None:
    memory.complete_turn(memory.begin_turn(text, branch=branch), "Done.")
    memory.settle()


def works_on(built: Built, branch: str, **files: str) -> None:
    """Commit on a branch, an hour after whatever was said."""
    built.git("checkout", "--quiet", branch)
    built.minutes = max(built.minutes, 90)
    built.commit(f"work on {branch}", **files)


def branches(memory: Memory, text: str = ASKED) -> list[str | None]:
    return [hit.unmerged for hit in memory.recall(text).hits if isinstance(hit.entry, Item)]


def test_a_decision_of_a_branch_is_marked_wherever_it_is_shown_until_that_is_merged(
    repository: Built, memory: Memory, clock: SettableClock
) -> None:
    say(memory)
    works_on(repository, "side", cart="1\n")
    clock.advance(HOUR_MS)
    memory.backfill()
    (item,) = memory.list()

    shown = memory.context(ASKED)
    assert branches(memory) == ["side"]
    assert memory.read(item.id).unmerged == "side"
    assert f"[{item.id}] project_decision, not merged yet: We use Redis" in shown.index
    assert "NOT MERGED YET" in shown.relevant
    assert "where: side" in shown.relevant

    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "side", "-m", "Merge side")

    assert branches(memory) == [None]  # before anybody has read the merge
    assert memory.read(item.id).unmerged is None
    memory.backfill()
    shown = memory.context(ASKED)
    assert "merged yet" not in shown.index + shown.relevant.lower()


@pytest.mark.parametrize("way", ["deleted", "rebased", "never worked on"])
def test_a_branch_that_is_gone_or_has_nothing_of_its_own_marks_nothing(
    repository: Built, memory: Memory, way: str
) -> None:
    say(memory)
    if way != "never worked on":
        works_on(repository, "side", cart="1\n")
        memory.backfill()
        assert branches(memory) == ["side"]
        works_on(repository, "main", other="1\n")
    if way == "deleted":
        repository.git("branch", "-D", "side")
    if way == "rebased":
        repository.git("cherry-pick", "side")

    assert branches(memory) == [None]
    memory.backfill()
    assert branches(memory) == [None]


def test_what_was_merged_stays_so_when_its_branch_goes_on(
    repository: Built, memory: Memory
) -> None:
    say(memory)
    works_on(repository, "side", cart="1\n")
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--ff-only", "side")
    works_on(repository, "side", cart="2\n")
    memory.backfill()

    assert branches(memory) == [None]


def test_taking_the_main_line_in_merges_nothing_of_a_branch(
    repository: Built, memory: Memory
) -> None:
    say(memory)
    works_on(repository, "side", cart="1\n")
    works_on(repository, "main", other="1\n")
    repository.git("checkout", "--quiet", "side")
    repository.git("merge", "--quiet", "main", "-m", "Merge main")
    memory.backfill()

    assert branches(memory) == ["side"]


def test_what_was_said_elsewhere_too_or_is_a_preference_is_not_marked(
    repository: Built, memory: Memory
) -> None:
    say(memory)
    say(memory, "I prefer short answers in all reviews.")
    works_on(repository, "side", cart="1\n")
    memory.backfill()
    assert branches(memory) == ["side"]
    assert branches(memory, "short answers in reviews") == [None]

    say(memory, branch="main")

    assert branches(memory) == [None]


def test_what_was_said_on_no_branch_that_is_known_is_not_marked(
    repository: Built, memory: Memory
) -> None:
    say(memory, branch=None)
    works_on(repository, "side", cart="1\n")
    memory.backfill()

    assert branches(memory) == [None]


def test_without_git_nothing_is_marked(
    repository: Built, memory: Memory, clock: SettableClock
) -> None:
    say(memory)
    works_on(repository, "side", cart="1\n")
    memory.backfill()
    opening = Opening(env=repository.environ | {"PATH": "/nowhere"}, clock=clock)

    with Memory.open(repository.root, opening=opening) as without_git:
        assert isinstance(without_git, Memory)
        assert branches(without_git) == [None]


def test_the_command_line_names_the_branch(repository: Built, memory: Memory) -> None:
    say(memory)
    works_on(repository, "side", cart="1\n")
    memory.backfill()

    ran = run("recall", ASKED, at=repository.root)
    told = run("recall", ASKED, "--json", at=repository.root).told

    assert "(on side, not merged)" in ran.out
    assert told["hits"][0]["unmerged"] == "side"


def test_a_branch_says_when_it_left_the_main_line(repository: Built) -> None:
    left_ms = (FIRST_SECOND + 60) * SECOND_MS
    works_on(repository, "side", cart="1\n")
    repository.git("checkout", "--quiet", "--orphan", "pages")
    repository.commit("pages: begin", pages="1\n")
    repository.git("branch", "same", "main")
    vcs = repository.vcs

    assert vcs.unmerged() == {"side": left_ms, "pages": 0}
    assert vcs.unmerged(["side", "none"]) == {"side": left_ms}
    assert vcs.unmerged(["same"]) == {}


def test_what_any_main_line_has_under_another_name_is_merged(repository: Built) -> None:
    works_on(repository, "side", cart="1\n")
    works_on(repository, "main", other="1\n")
    repository.git("checkout", "--quiet", "-b", "shared", "main")
    repository.git("cherry-pick", "side")
    repository.git("update-ref", "refs/remotes/origin/HEAD", "shared")
    repository.git("checkout", "--quiet", "main")
    repository.git("branch", "--delete", "--force", "shared")

    assert repository.vcs.unmerged() == {}


def test_taking_the_main_line_in_is_no_change_of_a_branch(repository: Built) -> None:
    works_on(repository, "side", cart="1\n")
    works_on(repository, "main", other="1\n")
    repository.git("checkout", "--quiet", "side")
    repository.git("merge", "--quiet", "main", "-m", "Merge main")
    assert [*repository.vcs.unmerged()] == ["side"]
    repository.git("checkout", "--quiet", "main")
    repository.git("cherry-pick", "side^")

    assert repository.vcs.unmerged() == {}


def test_a_branch_left_the_main_line_where_it_did_whatever_it_took_in(repository: Built) -> None:
    works_on(repository, "side", early="1\n")
    works_on(repository, "main", other="1\n")
    left_ms = (FIRST_SECOND + 60 * repository.minutes) * SECOND_MS
    repository.git("checkout", "--quiet", "-b", "late")
    repository.commit("late: begin", late="1\n")
    repository.git("merge", "--quiet", "side", "-m", "Merge side")

    assert repository.vcs.unmerged(["late"]) == {"late": left_ms}


def test_of_many_branches_the_latest_are_looked_at(
    repository: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(branching, "_BRANCHES_MAX", 1)
    works_on(repository, "side", cart="1\n")
    repository.git("checkout", "--quiet", "-b", "later", "main")
    repository.commit("later: begin", later="1\n")

    assert [*repository.vcs.unmerged()] == ["later"]
