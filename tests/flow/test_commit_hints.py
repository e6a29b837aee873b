"""What git's hooks call reads new commits where there is a memory, and is silent everywhere."""

from pathlib import Path

import pytest

from commands import remembered, run
from hosting import state_of
from projects import a_project, git


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a git repository."""
    return a_project(tmp_path / "shop")


def commit(project: Path, subject: str) -> None:
    """Commit something."""
    (project / "file.txt").write_text(subject)
    git(project, "add", "file.txt")
    git(project, "commit", "--quiet", "-m", subject)


def told(project: Path) -> str:
    """Return the story as it is told."""
    return run("story", at=project).out


def test_a_new_commit_is_told_without_a_session(project: Path) -> None:
    remembered(project)
    commit(project, "Take the lock before the file is read")
    ran = run("work", "--commits", at=project)

    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "Take the lock before the file is read" in told(project)


def test_nothing_is_made_where_there_is_no_memory(project: Path, tmp_path: Path) -> None:
    ran = run("work", "--commits", at=project)
    (tmp_path / "elsewhere").mkdir()
    outside = run("work", "--commits", at=tmp_path / "elsewhere")

    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert (outside.code, outside.out, outside.err) == (0, "", "")
    assert not state_of(project).exists()


def test_nothing_is_read_while_memory_is_off(project: Path) -> None:
    remembered(project)
    run("off", at=project)
    commit(project, "Said while off")
    ran = run("work", "--commits", at=project)

    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "Said while off" not in told(project)


def test_nothing_is_read_for_an_isolated_purpose(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remembered(project)
    commit(project, "Said in isolation")
    with monkeypatch.context() as isolated:
        isolated.setenv("BACKSTORY_PURPOSE", "code_audit")
        ran = run("work", "--commits", at=project)

    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "Said in isolation" not in told(project)


def test_a_damaged_store_is_left_alone(project: Path) -> None:
    remembered(project)
    store = state_of(project) / "memory.db"
    store.write_bytes(b"no database at all" * 100)
    before = store.read_bytes()
    ran = run("work", "--commits", at=project)

    assert ran.code == 0
    assert store.read_bytes() == before
