"""Todos that a person adds are closed by later work like all others, and stay open if wanted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import Memory
from backstory.api import Opening
from backstory.episodes.stage import close_todos
from backstory.model.errors import NotFoundError
from backstory.model.limits import HOUR_MS
from commands import run
from git_repositories import FIRST_SECOND, Built, a_repository
from recorded import SettableClock


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    return a_repository(tmp_path / "shop")


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock(FIRST_SECOND * 1000)


@pytest.fixture
def memory(repository: Built, clock: SettableClock) -> Iterator[Memory]:
    opening = Opening(env=repository.environ, clock=clock)
    opened = Memory.init(repository.root, opening=opening)
    assert isinstance(opened, Memory)
    with opened:
        yield opened


def left(memory: Memory) -> list[str]:
    return [one.todo.text for one in memory.todos()]


@pytest.mark.promise("R51")
def test_todo_added_by_hand_is_closed_by_the_later_commit_that_does_it(
    repository: Built, memory: Memory
) -> None:
    added = memory.add_todo("rotate the refresh tokens")
    memory.add_todo("translate the receipts")
    sha = repository.commit("auth: rotate refresh tokens", src__auth="1\n")
    memory.backfill()

    assert left(memory) == ["translate the receipts"]
    (todo,) = memory.episode(added.episode_id).episode.summary.todos
    assert todo.closed_by == memory.episode(sha).episode.id
    shown = run("episode", "show", added.episode_id, at=repository.root).out
    assert f"(by {todo.closed_by})" in shown


def test_todo_that_is_noted_while_no_episode_is_open_is_no_part_of_the_story(
    repository: Built, memory: Memory, clock: SettableClock
) -> None:
    repository.commit("auth: rotate refresh tokens", src__auth="1\n")
    memory.backfill()
    clock.advance(HOUR_MS)
    noted = memory.add_todo("translate the receipts")
    memory.begin_episode("move the cart")
    within = memory.add_todo("count the carts")

    assert [one.summary.objective for one in memory.story()] == [
        "auth: rotate refresh tokens",
        "move the cart",
    ]
    assert left(memory) == ["count the carts", "translate the receipts"]
    assert within.episode_id != noted.episode_id
    (hit, *_) = memory.recall("translate receipts").hits
    assert hit.entry.id == noted.episode_id


def test_what_was_done_before_a_todo_was_added_does_not_close_it(
    repository: Built, memory: Memory, clock: SettableClock
) -> None:
    repository.commit("auth: rotate refresh tokens", src__auth="1\n")
    clock.advance(HOUR_MS)
    memory.add_todo("rotate the refresh tokens")

    memory.backfill()

    assert left(memory) == ["rotate the refresh tokens"]


def test_a_few_of_its_words_do_not_close_a_todo_without_a_file(
    repository: Built, memory: Memory
) -> None:
    memory.add_todo("rotate the refresh tokens of schools every night")
    repository.commit("auth: refresh tokens are longer", src__auth="1\n")

    memory.backfill()

    assert len(left(memory)) == 1


def test_closed_ticket_closes_the_todo_that_it_was_about(
    memory: Memory, clock: SettableClock
) -> None:
    added = memory.add_todo("rotate the refresh tokens")
    for command in ("make a", "make b", "make c"):
        clock.advance(1000)
        memory.record_event("command", {"command": command, "exit_code": 0})
    memory.record_event("ticket_closed", {"ticket": "#4", "title": "Rotate refresh tokens"})
    clock.advance(2 * HOUR_MS)

    memory.learn()

    (todo,) = memory.episode(added.episode_id).episode.summary.todos
    (session,) = [one for one in memory.story() if one.origin == "session"]
    assert todo.closed_by == session.id


@pytest.mark.promise("R51")
def test_reopened_todo_is_closed_by_nobody_but_a_person(repository: Built, memory: Memory) -> None:
    added = memory.add_todo("rotate the refresh tokens")
    repository.commit("auth: rotate refresh tokens", src__auth="1\n")
    memory.backfill()
    name = f"{added.episode_id}#{added.number}"

    assert run("todo", "reopen", name, at=repository.root).out.startswith(name)
    repository.commit("auth: rotate refresh tokens for real", src__auth="2\n")
    memory.backfill()

    assert left(memory) == ["rotate the refresh tokens"]
    memory.close_todo(added.episode_id, added.number)
    assert left(memory) == []
    memory.reopen_todo(added.episode_id, added.number)
    with pytest.raises(NotFoundError, match="closed"):
        memory.reopen_todo(added.episode_id, added.number)


@pytest.mark.promise("R51")
def test_todo_that_is_opened_again_before_others_close_it_stays_open(memory: Memory) -> None:
    added = memory.add_todo("rotate the refresh tokens")
    store = memory._desk.store
    with store.reading() as tables:
        closed = [(todo, todo.episode_id) for todo in tables.story.open_todos(limit=9)]
    memory.close_todo(added.episode_id, added.number)
    memory.reopen_todo(added.episode_id, added.number)

    with store.writing() as tables:
        close_todos(tables, closed)

    assert len(closed) == 1
    assert left(memory) == ["rotate the refresh tokens"]
