"""What was said and done in a session becomes one episode that knows what came of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import Memory
from backstory.api import Opening
from backstory.model.episode import Episode
from backstory.model.limits import HOUR_MS, MINUTE_MS
from git_repositories import Built, a_repository
from recorded import SettableClock

START_MS = 1_800_000_000_000


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock(START_MS)


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    return a_repository(tmp_path / "shop")


@pytest.fixture
def memory(repository: Built, clock: SettableClock) -> Iterator[Memory]:
    opening = Opening(env=repository.environ, clock=clock)
    opened = Memory.init(repository.root, opening=opening)
    assert isinstance(opened, Memory)
    with opened:
        yield opened


def say(memory: Memory, text: str, *, branch: str | None = None) -> None:
    memory.complete_turn(memory.begin_turn(text, branch=branch), "Done.")


def told(memory: Memory, clock: SettableClock) -> list[Episode]:
    """Let an hour pass, learn, and return what is told of sessions."""
    clock.advance(HOUR_MS)
    memory.learn()
    return [one for one in memory.story() if one.origin == "session"]


@pytest.mark.promise("R47")
def test_session_knows_the_decisions_of_its_turns_its_branch_and_its_tickets(
    memory: Memory, clock: SettableClock
) -> None:
    say(memory, "For SHM-12 we use SQLite for the shop.", branch="feature/SHM-7-cart")
    clock.advance(MINUTE_MS)
    memory.record_event("file_saved", {"path": "src/cart.py"}, branch="feature/SHM-7-cart")
    clock.advance(MINUTE_MS)
    memory.record_event("command", {"command": "make test", "exit_code": 2})
    memory.record_event("command", {"command": "make test", "exit_code": 0})

    (episode,) = told(memory, clock)

    (decision,) = episode.summary.decisions
    (item,) = memory.list()
    assert decision.item_id == item.id
    assert decision.decision == item.revision.statement
    assert episode.branch == "feature/SHM-7-cart"
    assert episode.tickets == ("SHM-7", "SHM-12")
    assert episode.summary.changes == ("src/cart.py",)
    assert memory.story("src") == memory.story("./src/cart.py") == (episode,)
    assert memory.story("sr") == memory.story("SHM-1") == ()
    assert episode.summary.problems == ("`make test` failed → passed later",)
    assert episode.summary.objective == "1 turn, 2 commands, 1 saved file on src/cart.py"


def test_talk_that_came_to_nothing_is_no_story(memory: Memory, clock: SettableClock) -> None:
    for _ in range(5):
        say(memory, "What does this do?")

    assert told(memory, clock) == []


def test_session_that_goes_on_is_told_when_it_is_over(
    memory: Memory, clock: SettableClock
) -> None:
    say(memory, "We use SQLite for the shop.")

    assert memory.learn().again_at_ms == START_MS + HOUR_MS
    assert memory.story() == ()
    assert len(told(memory, clock)) == 1
    assert memory.learn().turns == 0


def test_commit_that_a_command_made_ends_the_episode_and_names_it(
    repository: Built, memory: Memory, clock: SettableClock
) -> None:
    repository.minutes = (START_MS // 1000 - 1_700_000_000) // 60
    say(memory, "We use SQLite for the shop.")
    for command in ("make", "make test", "git commit -m 'shop: keep the cart'"):
        memory.record_event("command", {"command": command, "exit_code": 0})
    repository.commit("shop: keep the cart", src__cart="1\n")
    memory.backfill()

    memory.learn()

    (episode,) = [one for one in memory.story() if one.origin == "session"]
    assert episode.summary.objective == "shop: keep the cart"
    assert episode.summary.changes == ("src/cart",)


def test_forgotten_decision_is_in_no_episode(memory: Memory, clock: SettableClock) -> None:
    say(memory, "We use SQLite for the shop.")
    (before,) = told(memory, clock)
    (item,) = memory.list()

    memory.forget(item.id)

    (after,) = memory.story()
    assert len(before.summary.decisions) == 1
    assert after.summary.decisions == ()
    assert memory.recall("SQLite shop").hits == ()


def test_erased_decision_leaves_no_byte_in_an_episode(
    memory: Memory, clock: SettableClock, repository: Built
) -> None:
    say(memory, "We use SQLite for the quicksilver shop.")
    told(memory, clock)
    (item,) = memory.list()

    memory.erase(item.id)

    assert memory.story()[0].summary.decisions == ()
    assert memory.check() == ()
    for path in (repository.root / ".git" / "backstory").glob("memory.db*"):
        assert b"quicksilver" not in path.read_bytes().lower()


def test_failure_that_a_fix_mended_is_a_lesson_with_the_commit_at_which_it_held(
    repository: Built, memory: Memory, clock: SettableClock
) -> None:
    repository.minutes = (START_MS // 1000 - 1_700_000_000) // 60
    for code in (2, 0):
        memory.record_event("command", {"command": "make test", "exit_code": code})
        clock.advance(MINUTE_MS)
    sha = repository.commit("fix: close the pool twice", src__pool="1\n")
    clock.advance(MINUTE_MS)
    memory.backfill()
    memory.record_event("commit", {"sha": sha, "subject": "fix: close the pool twice"})

    memory.learn()

    (item,) = memory.list()
    assert item.kind == "failure_lesson"
    assert item.revision.statement == "`make test` exits with code 2: fix: close the pool twice"
    assert f"commit {sha[:12]}" in item.revision.keywords
    assert len(memory.show(item.id).evidence) == 3
