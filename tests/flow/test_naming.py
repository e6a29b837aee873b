"""Items, episodes, todos and proposals are named by their ids; commits as git names them, too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import Memory
from backstory.api import Opening
from backstory.model.errors import NotFoundError
from commands import remembered, run
from git_repositories import Built, a_repository
from projects import a_project

NOW_MS = 1_800_000_000_000


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    built = a_repository(tmp_path / "shop")
    built.commit("cart: keep it in Redis", src__cart="1\n")
    built.git("tag", "v1")
    built.git("tag", "--annotate", "v1-told", "--message", "one")
    built.git("branch", "side")
    built.commit("cart: let it expire", src__cart="2\n")
    return built


def a_memory(repository: Built, **environ: str) -> Memory:
    opening = Opening(env=repository.environ | environ, clock=lambda: NOW_MS)
    opened = Memory.init(repository.root, opening=opening)
    assert isinstance(opened, Memory)
    return opened


@pytest.fixture
def memory(repository: Built) -> Iterator[Memory]:
    with a_memory(repository) as opened:
        opened.backfill()
        yield opened


@pytest.mark.parametrize(
    ("name", "objective"),
    [
        ("HEAD", "cart: let it expire"),
        ("main", "cart: let it expire"),
        ("HEAD~1", "cart: keep it in Redis"),
        (" HEAD^ ", "cart: keep it in Redis"),
        ("v1", "cart: keep it in Redis"),
        ("v1-told", "cart: keep it in Redis"),
        ("side", "cart: keep it in Redis"),
        ("refs/heads/side", "cart: keep it in Redis"),
    ],
)
def test_an_episode_is_named_by_its_commit_as_git_names_it(
    memory: Memory, name: str, objective: str
) -> None:
    assert memory.episode(name).episode.summary.objective == objective


def test_a_branch_that_is_called_like_a_hash_is_a_branch_as_git_has_it(
    repository: Built, memory: Memory
) -> None:
    newest = repository.git("rev-parse", "HEAD")
    repository.git("branch", newest[:8], "v1")

    assert memory.episode(newest[:8]).episode.summary.objective == "cart: keep it in Redis"
    assert memory.episode(newest[:9]).episode.summary.objective == "cart: let it expire"


def test_a_commit_that_is_here_and_was_not_recorded_is_told(
    repository: Built, memory: Memory
) -> None:
    sha = repository.commit("cart: show the sum", src__cart="3\n")

    with pytest.raises(NotFoundError, match=f"HEAD is the commit {sha[:12]}.*backfill"):
        memory.episode("HEAD")
    with pytest.raises(NotFoundError, match="there is no episode 'HEAD~9'"):
        memory.episode("HEAD~9")


@pytest.mark.parametrize("name", ["", " ", "-h", "--all", "HEAD..main", "no\0thing", "e_none"])
def test_what_names_no_commit_names_no_episode(memory: Memory, name: str) -> None:
    with pytest.raises(NotFoundError, match="there is no episode"):
        memory.episode(name)


def test_hashes_are_known_where_git_is_not_there(repository: Built, memory: Memory) -> None:
    sha = repository.git("rev-parse", "HEAD")

    with a_memory(repository, PATH="/nowhere") as without_git:
        shown = without_git.episode(sha[:7])
        with pytest.raises(NotFoundError, match="there is no episode 'HEAD'"):
            without_git.episode("HEAD")

    assert shown.episode.summary.objective == "cart: let it expire"


def test_what_is_done_to_an_episode_may_name_it_by_its_commit_too(memory: Memory) -> None:
    added = memory.add_todo("Count the carts.", episode="HEAD")

    closed = memory.close_todo("main", added.number, by="HEAD~1")
    memory.reopen_todo("HEAD", added.number)
    edited = memory.edit_episode("v1", "keep carts in Redis")
    forgotten = memory.forget_episode("HEAD~1")

    assert closed.todo.closed_by == edited.id == forgotten
    assert added.episode_id == memory.episode("HEAD").episode.id


def test_a_few_letters_of_an_id_are_enough_and_fewer_are_not(tmp_path: Path) -> None:
    project = a_project(tmp_path / "shop")
    item_id = remembered(project)

    for name in ("m", "m_", item_id[:5]):
        refused = run("forget", name, at=project)
        assert refused.code == 1
        assert f"{name!r} is too little of an id: it could be {item_id}" in refused.err
        assert "at least 4 characters after the underscore" in refused.err
    assert run("show", item_id[:6], at=project).code == 0
    assert run("forget", item_id[:6], at=project).code == 0
    assert run("forget", "m_", at=tmp_path / "shop").code == 1


@pytest.mark.parametrize("command", ["show", "pin", "unpin", "edit", "erase", "forget"])
def test_every_command_that_takes_an_item_wants_as_much_of_its_id(
    tmp_path: Path, command: str
) -> None:
    project = a_project(tmp_path / "shop")
    remembered(project)
    words = ["We use MySQL."] if command == "edit" else []
    words += ["--yes"] if command == "erase" else []

    refused = run(command, "m_", *words, at=project)

    assert (refused.code, "too little of an id" in refused.err) == (1, True)


def test_episodes_todos_and_proposals_want_as_much_of_theirs(tmp_path: Path) -> None:
    project = a_project(tmp_path / "shop")
    run("episode", "begin", "Move the cart", at=project)
    run("todo", "add", "Count the carts.", at=project)
    run("review", "--on", at=project)
    waiting = run("remember", "Use tabs in Go files.", "--json", at=project).told["waiting"]

    for words in (
        ("episode", "show", "e_"),
        ("episode", "forget", "e_"),
        ("todo", "close", "e_#1"),
        ("review", "approve", "c_"),
    ):
        refused = run(*words, at=project)
        assert (refused.code, "too little of an id" in refused.err) == (1, True), words
    approved = run("review", "approve", waiting[0]["id"][:6], at=project)
    assert approved.code == 0
