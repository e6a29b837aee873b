"""A memory belongs to its project: to all work trees of it, and to no directory beside it."""

from pathlib import Path

import pytest

from backstory.model.words import Scope
from commands import DECIDED, remembered, run
from hosting import Host
from projects import a_project, git, memory_of, say
from recorded import files_in

CLAUDE = ("claude_code", "s1")
RULE = "From now on always use pytest for the tests, in all my projects. Please remember that."


def outside_git(folder: Path) -> dict[str, bytes]:
    """Return the files of a work tree."""
    return {name: held for name, held in files_in(folder).items() if not name.startswith(".git")}


def held(folder: Path) -> list[str]:
    """Return the statements of the active items."""
    return [row["statement"] for row in run("list", "--json", at=folder).told]


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    """Return the main work tree of a repository, and a linked one on a branch."""
    main = a_project(tmp_path / "shop")
    git(main, "worktree", "add", "--quiet", "-b", "topic", "../topic")
    return main, tmp_path / "topic"


@pytest.mark.case("C32")
def test_a_work_tree_that_is_removed_takes_nothing_along(trees: tuple[Path, Path]) -> None:
    main, topic = trees
    host = Host(topic)
    host.turn(RULE)
    remembered(topic)
    with memory_of(topic) as memory:
        memory.settle()
        branches = {turn.branch for turn in memory.history(memory.thread_for(*CLAUDE))}
    known = held(topic)
    git(main, "worktree", "remove", "--force", "../topic")

    assert held(main) == known
    assert len(known) == 2
    assert branches == {"topic"}  # a branch is a mark on what was said, and parts nothing


@pytest.mark.case("C32")
def test_a_bare_repository_shares_its_memory_with_its_work_trees_and_outlives_them(
    tmp_path: Path,
) -> None:
    a_project(tmp_path / "seed")
    git(tmp_path, "clone", "--quiet", "--bare", "seed", "shop.git")
    bare = tmp_path / "shop.git"
    for name in ("one", "two"):
        git(bare, "worktree", "add", "--quiet", "-b", name, f"../{name}")
    remembered(tmp_path / "one")
    Host(tmp_path / "one").turn("Look at this.")
    known = held(tmp_path / "two")
    git(bare, "worktree", "remove", "--force", "../one")
    git(bare, "worktree", "remove", "--force", "../two")

    assert held(bare) == known
    assert len(known) == 1


@pytest.mark.case("C33")
def test_what_is_done_in_one_work_tree_touches_no_file_of_another(
    trees: tuple[Path, Path],
) -> None:
    main, topic = trees
    before = outside_git(main)
    run("install", "claude-code", "--scope", "project", at=topic)
    Host(topic).turn(RULE)
    remembered(topic)
    run("export", str(topic / "out.json"), at=topic)
    run("context", "database", at=topic)

    assert outside_git(main) == before == {}
    assert git(main, "status", "--porcelain", "--ignored") == ""
    assert any(name.startswith(".claude") for name in outside_git(topic))
    run("uninstall", "claude-code", "--scope", "project", at=topic)
    assert [*outside_git(topic)] == ["out.json"]


@pytest.mark.case("C35")
def test_words_about_all_projects_stay_in_the_one_they_were_said_in(tmp_path: Path) -> None:
    shop, till = a_project(tmp_path / "shop"), a_project(tmp_path / "till")
    with memory_of(shop) as memory:
        say(memory, RULE, DECIDED, "以后所有项目都默认用中文回答，记住。")
        scopes = {item.scope for item in memory.list()}
    with memory_of(till) as memory:
        found = [memory.list(), memory.recall("Which test runner, pytest?").hits]

    assert scopes == {Scope.PROJECT}
    assert found == [(), ()]


@pytest.mark.case("C35")
@pytest.mark.parametrize("variable", ["HOME", "TMPDIR"])
@pytest.mark.parametrize("kind", ["plain", "repository"])
def test_an_agent_in_a_home_or_temporary_directory_leaves_nothing_there(
    tmp_path: Path, variable: str, kind: str
) -> None:
    place = tmp_path / "place"
    if kind == "repository":
        a_project(place)
    (place / "notes").mkdir(parents=True)
    before = files_in(place)
    for folder in (place, place / "notes"):
        host = Host(folder, env={variable: str(place)})

        assert host.fire("SessionStart", source="startup") == {}
        assert host.fire("UserPromptSubmit", prompt=RULE, prompt_id="p1") == {}
    assert files_in(place) == before
    assert not [*place.rglob("*backstory*")]


@pytest.mark.case("C35")
def test_a_command_outside_every_project_makes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "place").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "place"))
    ran = [run(*words, at=tmp_path / "place") for words in (("status",), ("remember", DECIDED))]

    assert [one.code for one in ran] == [1, 1]
    assert all("backstory init" in one.err for one in ran)
    assert not [*(tmp_path / "place").iterdir()]
