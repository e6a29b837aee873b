"""A project is its git common directory, or a directory holding .backstory/, and never a name."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from backstory.adapters.project import (
    ProjectKind,
    current_branch,
    find_project,
    init_project,
    require_project,
    work_trees,
)
from backstory.model.errors import NoProjectError

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="makes real repositories")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return an empty directory that git knows nothing of, below a home that is elsewhere."""
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def env_of(place: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(place.parent / "home"), **more}


def git(*arguments: str, cwd: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(cwd),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments],
        cwd=cwd,
        env=environment,
        check=True,
        capture_output=True,
    )


def a_repository(path: Path) -> Path:
    path.mkdir(parents=True)
    git("init", "-q", "-b", "main", cwd=path)
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=path)
    return path


def state_of(start: Path, place: Path, **more: str) -> Path:
    return require_project(start, env=env_of(place, **more)).state_dir


@pytest.mark.promise("R1")
@pytest.mark.case("C31")
@needs_git
def test_subfolder_belongs_to_the_project_of_its_repository(place: Path) -> None:
    root = a_repository(place / "app")
    (root / "src" / "deep").mkdir(parents=True)

    project = require_project(root / "src" / "deep", env=env_of(place))

    assert project.kind is ProjectKind.GIT
    assert project.root == root
    assert project.state_dir == root / ".git" / "backstory"


@needs_git
def test_file_stands_for_the_directory_it_is_in(place: Path) -> None:
    root = a_repository(place / "app")
    (root / "a.py").touch()

    assert state_of(root / "a.py", place) == root / ".git" / "backstory"


@pytest.mark.case("C33")
@needs_git
def test_linked_work_tree_shares_the_memory_and_keeps_its_own_root(place: Path) -> None:
    root = a_repository(place / "app")
    git("worktree", "add", "-q", "-b", "topic", "../topic", cwd=root)

    project = require_project(place / "topic", env=env_of(place))

    assert project.state_dir == root / ".git" / "backstory"
    assert project.root == place / "topic"
    assert work_trees(project) == (place / "topic", root)
    assert current_branch(project) == "topic"


@needs_git
def test_removing_a_work_tree_leaves_the_state_where_it_is(place: Path) -> None:
    root = a_repository(place / "app")
    git("worktree", "add", "-q", "../topic", cwd=root)
    state = init_project(place / "topic", env=env_of(place)).state_dir
    git("worktree", "remove", "../topic", cwd=root)

    assert state.is_dir()
    assert state_of(root, place) == state


@pytest.mark.case("C32")
@needs_git
def test_bare_repository_and_its_work_trees_are_one_project(place: Path) -> None:
    a_repository(place / "seed")
    git("clone", "-q", "--bare", "seed", "app.git", cwd=place)
    git("worktree", "add", "-q", "../main", "main", cwd=place / "app.git")

    bare = require_project(place / "app.git", env=env_of(place))
    linked = require_project(place / "main", env=env_of(place))

    assert bare.state_dir == linked.state_dir == place / "app.git" / "backstory"
    assert bare.work_tree is None
    assert work_trees(bare) == (place / "main",)


@needs_git
def test_folder_whose_git_file_names_a_bare_repository_is_that_project(place: Path) -> None:
    a_repository(place / "seed")
    (place / "app").mkdir()
    git("clone", "-q", "--bare", "../seed", ".bare", cwd=place / "app")
    (place / "app" / ".git").write_text("gitdir: ./.bare\n")
    git("worktree", "add", "-q", "main", cwd=place / "app")

    top = require_project(place / "app", env=env_of(place))

    assert top.work_tree is None
    assert state_of(place / "app" / "main", place) == top.state_dir


@pytest.mark.case("C31")
@needs_git
def test_submodule_is_a_project_of_its_own(place: Path) -> None:
    a_repository(place / "lib")
    root = a_repository(place / "app")
    git("submodule", "add", "-q", "../lib", "vendor/lib", cwd=root)

    project = require_project(root / "vendor" / "lib", env=env_of(place))

    assert project.state_dir == root / ".git" / "modules" / "vendor" / "lib" / "backstory"
    assert project.root == root / "vendor" / "lib"
    assert work_trees(project) == (root / "vendor" / "lib",)


@pytest.mark.promise("R1")
@pytest.mark.case("C31")
@needs_git
def test_nested_repository_is_not_its_parent(place: Path) -> None:
    root = a_repository(place / "app")
    inner = a_repository(root / "third" / "inner")

    assert state_of(inner, place) != state_of(root, place)


@pytest.mark.promise("R1")
@pytest.mark.case("C31")
@needs_git
def test_two_repositories_of_one_name_are_two_projects(place: Path) -> None:
    first = a_repository(place / "one" / "web")
    second = a_repository(place / "two" / "web")

    assert state_of(first, place) != state_of(second, place)


@needs_git
def test_moved_checkout_takes_its_memory_along(place: Path) -> None:
    root = a_repository(place / "app")
    (init_project(root, env=env_of(place)).state_dir / "memory.db").write_text("x")
    root.rename(place / "renamed")

    assert (state_of(place / "renamed", place) / "memory.db").read_text() == "x"


@needs_git
def test_directory_reached_through_a_link_is_the_same_project(place: Path) -> None:
    root = a_repository(place / "app")
    (root / "src").mkdir()
    (place / "link").symlink_to(root / "src")

    assert state_of(place / "link", place) == root / ".git" / "backstory"


@needs_git
def test_hook_standing_inside_the_git_directory_finds_the_work_tree(place: Path) -> None:
    root = a_repository(place / "app")
    git("worktree", "add", "-q", "../topic", cwd=root)

    main = require_project(root / ".git" / "hooks", env=env_of(place))
    linked = require_project(root / ".git" / "worktrees" / "topic", env=env_of(place))

    assert main.root == root
    assert linked.root == place / "topic"
    assert linked.state_dir == main.state_dir


@needs_git
def test_leaked_git_variables_are_ignored(place: Path) -> None:
    root = a_repository(place / "app")
    other = a_repository(place / "other")
    leaked = {"GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other)}

    assert state_of(root, place, **leaked) == root / ".git" / "backstory"


@pytest.mark.case("C45")
@needs_git
@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_not_utf8_are_found(place: Path) -> None:
    root = a_repository(place / os.fsdecode(b"caf\xe9"))
    git("worktree", "add", "-q", os.fsdecode(b"../t\xff"), cwd=root)

    assert state_of(place / os.fsdecode(b"t\xff"), place) == root / ".git" / "backstory"


@needs_git
def test_finding_runs_no_program(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = a_repository(place / "app")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(subprocess, "Popen", None)

    assert state_of(root, place) == root / ".git" / "backstory"


@needs_git
def test_work_tree_whose_repository_is_gone_is_an_error_not_another_project(place: Path) -> None:
    outer = a_repository(place / "outer")
    root = a_repository(place / "app")
    git("worktree", "add", "-q", str(outer / "topic"), cwd=root)
    root.rename(place / "moved")

    with pytest.raises(NoProjectError, match="git worktree repair"):
        find_project(outer / "topic", env=env_of(place))


@needs_git
def test_detached_head_has_no_branch(place: Path) -> None:
    root = a_repository(place / "app")
    git("checkout", "-q", "--detach", cwd=root)

    assert current_branch(require_project(root, env=env_of(place))) is None


@pytest.mark.promise("R1")
@pytest.mark.case("C85")
@needs_git
def test_clone_cannot_bring_a_memory_of_its_own(place: Path) -> None:
    root = a_repository(place / "app")
    (root / "docs" / ".backstory").mkdir(parents=True)

    assert state_of(root / "docs", place) == root / ".git" / "backstory"


@pytest.mark.case("C11", "C31")
def test_outside_git_only_init_makes_a_project(place: Path) -> None:
    (place / "notes" / "deep").mkdir(parents=True)
    env = env_of(place)

    assert find_project(place / "notes", env=env) is None
    made = init_project(place / "notes", env=env)
    again = init_project(place / "notes" / "deep", env=env)

    assert made == again == require_project(place / "notes" / "deep", env=env)
    assert made.state_dir.stat().st_mode & 0o777 == 0o700
    assert (made.state_dir / ".gitignore").read_text() == "*\n"
    assert work_trees(made) == (place / "notes",)


def test_no_project_says_what_to_do(place: Path) -> None:
    with pytest.raises(NoProjectError, match="backstory init"):
        require_project(place, env=env_of(place))


@pytest.mark.case("C35")
@pytest.mark.parametrize("variable", ["HOME", "TMPDIR"])
def test_home_and_temporary_directories_never_serve_what_lies_in_them(
    place: Path, variable: str
) -> None:
    (place / ".backstory").mkdir()
    (place / "notes").mkdir()

    assert find_project(place / "notes", env={variable: str(place)}) is None
    assert find_project(place, env={variable: str(place)}) is not None


@pytest.mark.case("C35")
@needs_git
def test_home_that_is_a_repository_is_no_project_by_itself(place: Path) -> None:
    home = a_repository(place / "dotfiles")
    (home / "notes").mkdir()
    env = {"HOME": str(home)}

    assert find_project(home, env=env) is None
    init_project(home, env=env)

    assert find_project(home, env=env) is not None
    assert find_project(home / "notes", env=env) is None


def test_git_directory_that_is_no_repository_is_passed_over(place: Path) -> None:
    (place / "app" / ".git").mkdir(parents=True)
    init_project(place, env=env_of(place))

    assert state_of(place / "app", place) == place / ".backstory"


def test_directory_that_may_not_be_looked_into_is_no_error(place: Path) -> None:
    closed = place / "closed"
    closed.mkdir()
    closed.chmod(0)
    try:
        assert find_project(closed / "in", env=env_of(place)) is None
    finally:
        closed.chmod(0o700)
