"""Only what a person saves in the project is seen, and a burst of saves is one."""

import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.project import find_project, init_project
from backstory.adapters.sources.watching import folders as watched_folders
from backstory.adapters.sources.watching.bursts import FILES_MAX, QUIET_MS, SPAN_MS, Bursts
from backstory.adapters.sources.watching.folders import WorkTree
from backstory.adapters.sources.watching.loop import AT_ONCE_MAX, Watch, watch
from projects import a_project, git


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository with files, some of them ignored."""
    folder = a_project(tmp_path / "shop")
    for name in ("src/a.py", "src/deep/b.py", "docs/说明.md", "node_modules/x/y.js", "kept.log"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    (folder / ".gitignore").write_text("node_modules/\n*.log\n")
    git(folder, "add", "--force", "src", "docs", "kept.log", ".gitignore")
    return folder


def tree(root: Path, *excluded: str) -> WorkTree:
    project = find_project(root, env={})
    assert project is not None
    return WorkTree(project, environ=os.environ, excluded=excluded)


def test_a_file_behind_a_link_within_the_project_is_saved_where_it_is(root: Path) -> None:
    (root / "alias").symlink_to(root / "src")

    paths = [str(root / "alias/a.py"), str(root / "src/a.py")]
    assert tree(root).saved(paths) == ["src/a.py"]


def test_folders_with_files_of_the_project_are_watched_and_no_others(root: Path) -> None:
    (root / "linked").symlink_to(root.parent)
    found = tree(root).folders()

    names = [path.relative_to(root).as_posix() for path in found.paths]
    assert names == [".", "docs", "src", "src/deep"]
    assert found.left_out == 0


def test_so_many_folders_and_no_more_are_watched(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched_folders, "FOLDERS_MAX", 2)
    found = tree(root).folders()

    assert (len(found.paths), found.left_out) == (2, 2)


def test_only_saved_files_of_the_project_are_told(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("x")
    (root / "src/link.py").symlink_to(tmp_path / "outside.py")
    (root / "out").symlink_to(tmp_path)
    (root / "new.log").write_text("x")
    for name in (".a.py.swp", "a.py~", "4913", "x.tmp", ".#a.py"):
        (root / "src" / name).write_text("x")
    changed = [*map(str, root.rglob("*")), str(root / "gone.py"), str(root / "out/outside.py")]

    assert tree(root).saved(changed) == [
        ".gitignore",
        "docs/说明.md",
        "kept.log",  # ignored, but the project has it
        "src/a.py",
        "src/deep/b.py",
    ]


def test_excluded_files_are_left_out_by_path_or_name(root: Path) -> None:
    changed = [str(root / name) for name in ("src/a.py", "src/deep/b.py", "docs/说明.md")]

    assert tree(root, "docs/*", "a.py").saved(changed) == ["src/deep/b.py"]


def test_where_git_cannot_tell_what_is_ignored_nothing_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    assert tree(root).saved([str(root / "src/a.py")]) == []


def test_a_plain_folder_is_watched_without_git(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    init_project(tmp_path / "a", env={})
    for name in ("src/x.py", ".hidden/y", "node_modules/z/w.js"):
        (tmp_path / "a" / name).parent.mkdir(parents=True)
        (tmp_path / "a" / name).write_text("x")
    found = tree(tmp_path / "a")

    assert [path.name for path in found.folders().paths] == ["a", "src"]
    assert found.saved([str(tmp_path / "a/src/x.py"), str(tmp_path / "a/.backstory/x")]) == [
        "src/x.py"
    ]


def test_a_burst_is_told_at_its_begin_and_again_after_a_pause() -> None:
    bursts = Bursts()
    times = [0, QUIET_MS, 2 * QUIET_MS, 3 * QUIET_MS + 1]

    assert [bursts.begun_by(["a"], now_ms=at) for at in times] == [["a"], [], [], ["a"]]


def test_a_burst_without_an_end_is_told_from_time_to_time() -> None:
    bursts = Bursts()
    told = sum(len(bursts.begun_by(["a"], now_ms=at)) for at in range(0, 6 * SPAN_MS, 1_000))

    assert told == 6


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**7)), max_size=50))
def test_what_is_remembered_of_bursts_is_bounded(saves: list[tuple[int, int]]) -> None:
    bursts = Bursts()
    for first, at_ms in saves:
        bursts.begun_by((str(n) for n in range(first, first + 700)), now_ms=at_ms)

    assert len(bursts._seen) <= FILES_MAX


def watched(root: Path, *batches: Sequence[Path]) -> tuple[list[list[str]], list[int]]:
    """Let batches of changes come, and return what was kept, and how many folders were told."""
    stop = threading.Event()
    waiting = [[str(path) for path in batch] for batch in batches]
    kept: list[list[str]] = []
    told: list[int] = []

    def notify(_: Sequence[Path], until: threading.Event) -> Iterator[Sequence[str]]:
        while waiting:
            yield waiting.pop(0)
        until.set()

    asked = Watch(
        tree=tree(root),
        keep=lambda paths: kept.append(list(paths)),
        tell=lambda folders: told.append(len(folders.paths)),
        clock=lambda: 1_000,
    )
    watch(asked, stop=stop, notify=notify)
    return kept, told


def test_saves_are_kept_and_the_same_again_are_not(root: Path) -> None:
    kept, told = watched(root, [root / "src/a.py"], [root / "src/a.py", root / "src/deep/b.py"])

    assert kept == [["src/a.py"], ["src/deep/b.py"]]
    assert told == [4]


def test_a_new_folder_is_watched_with_the_files_it_came_with(root: Path) -> None:
    (root / "web/node_modules").mkdir(parents=True)
    (root / "web/page.ts").write_text("x")
    kept, told = watched(root, [root / "web"], [root / "web/node_modules"])

    assert kept == [["web/page.ts"]]
    assert told == [5, 5]  # looked at again for the new one, and not for the ignored one


def test_very_many_files_at_once_are_no_saves(root: Path) -> None:
    many = [root / "src" / f"f{n}.py" for n in range(AT_ONCE_MAX + 1)]
    for path in many:
        path.write_text("x")

    assert watched(root, many)[0] == []
