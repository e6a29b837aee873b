"""What is recalled is looked at again: stale once its file is gone, fresh when it is back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import Memory
from backstory.api import Note, Opening
from backstory.model.episode import Summary
from backstory.model.words import Kind, Status
from backstory.wiring.by_hand import NewEpisode
from backstory.wiring.recalling import Question, recalled
from commands import run
from git_repositories import Built, a_repository

NOW_MS = 1_800_000_000_000
LINES = "".join(f"line {n}\n" for n in range(20))


@pytest.fixture(params=["sha1", "sha256"])
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Built:
    built = a_repository(tmp_path / "shop", f"--object-format={request.param}")
    built.commit("start", src__auth=LINES, src__pool=LINES)
    return built


@pytest.fixture
def memory(repository: Built) -> Iterator[Memory]:
    opening = Opening(env=repository.environ, clock=lambda: NOW_MS)
    opened = Memory.init(repository.root, opening=opening)
    assert isinstance(opened, Memory)
    with opened:
        note = Note(
            kind=Kind.PROJECT_DECISION,
            title="Tokens",
            statement="Tokens live here",
            paths=("src/auth",),
        )
        opened.add_item(note)
        opened.backfill()
        yield opened


def is_stale(memory: Memory) -> bool:
    return memory.recall("tokens").hits[0].is_stale


def is_stale_in_a_hook(memory: Memory) -> bool:
    """The same without git, as a hook recalls."""
    desk = memory._desk
    with desk.store.reading() as tables:
        found = recalled(tables, Question(text="tokens"), now_ms=NOW_MS, root=desk.project.root)
    return found.hits[0].is_stale


def test_item_is_stale_while_its_file_is_gone_and_nothing_is_written(
    repository: Built, memory: Memory
) -> None:
    place = repository.root / "src/auth"
    before = (is_stale(memory), is_stale_in_a_hook(memory))
    place.unlink()
    gone = (is_stale(memory), is_stale_in_a_hook(memory))
    place.write_text(LINES, "utf-8")

    assert before == (False, False)
    assert gone == (True, True)
    assert (is_stale(memory), is_stale_in_a_hook(memory)) == (False, False)
    assert memory.list()[0].status is Status.ACTIVE


def test_item_is_stale_when_half_of_its_file_has_changed(
    repository: Built, memory: Memory
) -> None:
    place = repository.root / "src/auth"
    place.write_text(LINES + "one more\n", "utf-8")
    little = (is_stale(memory), is_stale_in_a_hook(memory))
    place.write_text("nothing of it\n", "utf-8")

    assert little == (False, False)
    assert is_stale(memory)
    assert not is_stale_in_a_hook(memory)


def test_stale_item_is_fresh_the_moment_that_its_file_returns(
    repository: Built, memory: Memory
) -> None:
    repository.git("rm", "--quiet", "src/auth")
    repository.commit("gone")
    memory.backfill()
    noted = memory.list()[0].status
    repository.write("src/auth", LINES)

    assert noted is Status.STALE
    assert (is_stale(memory), is_stale_in_a_hook(memory)) == (False, False)


def test_episode_is_stale_when_all_of_its_files_are_gone(
    repository: Built, memory: Memory
) -> None:
    summary = Summary(objective="rotate the keys", changes=("src/auth", "src/pool"))
    memory.add_episode(NewEpisode(summary=summary, started_at_ms=NOW_MS))
    memory.backfill()

    def found_stale() -> bool:
        return memory.recall("rotate the keys").hits[0].is_stale

    (repository.root / "src/auth").unlink()
    one_is_left = found_stale()
    (repository.root / "src/pool").unlink()

    assert not one_is_left
    assert found_stale()
    assert "STALE" in memory.context("rotate the keys").relevant


def test_what_is_stale_is_shown_as_stale_on_a_screen(repository: Built, memory: Memory) -> None:
    summary = Summary(objective="rotate the keys", changes=("src/auth",))
    episode_id = memory.add_episode(NewEpisode(summary=summary, started_at_ms=NOW_MS))
    memory.backfill()
    fresh = run("recall", "tokens", "rotate", "the", "keys", at=repository.root).out

    repository.git("rm", "--quiet", "src/auth")
    seen = run("recall", "tokens", at=repository.root).out
    found = run("recall", "rotate", "the", "keys", at=repository.root).out
    repository.commit("gone")
    memory.backfill()

    assert "(stale)" not in fresh
    assert "Tokens live here  (stale)" in seen
    assert "rotate the keys  (stale)" in found
    assert "rotate the keys  (stale)" in run("story", at=repository.root).out
    shown = run("episode", "show", episode_id, at=repository.root).out
    assert shown.startswith("rotate the keys  (stale)")
