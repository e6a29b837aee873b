"""Our calls of git disturb nobody, and memory works on where git does not."""

import os
from pathlib import Path

import pytest

from backstory.adapters.git import GitRepository
from backstory.adapters.git.runner import Git, environment
from backstory.model.errors import VcsUnavailableError
from git_repositories import Built, a_repository


@pytest.fixture
def repository(tmp_path: Path) -> Built:
    built = a_repository(tmp_path / "project")
    built.commit("one", a="1\n")
    return built


def read_everything(vcs: GitRepository) -> None:
    listed = [*vcs.listed()]
    [*vcs.read(one.sha for one in listed)]
    vcs.patch_ids(one.sha for one in listed)
    vcs.head()
    vcs.tips()
    vcs.blobs(["a"])


@pytest.mark.case("C94")
def test_programs_named_in_settings_are_not_run(repository: Built, tmp_path: Path) -> None:
    spy = tmp_path / "spy"
    spy.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\ncat\n")
    spy.chmod(0o755)
    for setting in ("core.pager", "pager.log", "diff.external", "core.fsmonitor", "core.editor"):
        repository.git("config", setting, str(spy))
    repository.git("config", "diff.spy.textconv", str(spy))
    repository.git("config", "diff.spy.command", str(spy))
    repository.write(".gitattributes", "* diff=spy\n")
    for hook in ("post-checkout", "reference-transaction", "post-index-change"):
        place = repository.root / ".git/hooks" / hook
        place.parent.mkdir(exist_ok=True)
        place.symlink_to(spy)

    read_everything(repository.vcs)

    assert not (tmp_path / "ran").exists()


@pytest.mark.case("C80", "C94")
def test_nothing_in_the_repository_changes(repository: Built) -> None:
    def state() -> dict[str, tuple[int, int]]:
        files = sorted(path for path in repository.root.rglob("*") if path.is_file())
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in files}

    # An index that git would like to refresh.
    os.utime(repository.root / "a", (1, 1))
    before = state()

    read_everything(repository.vcs)

    assert state() == before


def test_settings_that_change_the_output_do_not_reach_it(repository: Built) -> None:
    plain = [*repository.vcs.read(one.sha for one in repository.vcs.listed())]
    for setting, value in {
        "log.showSignature": "true",
        "log.decorate": "full",
        "log.date": "relative",
        "log.abbrevCommit": "true",
        "diff.noprefix": "true",
        "diff.renames": "false",
        "color.ui": "always",
        "format.pretty": "oneline",
        "core.abbrev": "4",
    }.items():
        repository.git("config", setting, value)

    assert [*repository.vcs.read(one.sha for one in repository.vcs.listed())] == plain


def test_leaked_variables_of_a_hook_do_not_redirect_us(repository: Built, tmp_path: Path) -> None:
    other = a_repository(tmp_path / "other")
    other.commit("of the other", b="1\n")
    leaked = repository.environ | {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_INDEX_FILE": str(other.root / ".git/index"),
        "GIT_WORK_TREE": str(other.root),
    }

    vcs = GitRepository(repository.root, environ=leaked)

    assert [commit.subject for commit in vcs.read(one.sha for one in vcs.listed())] == ["one"]


@pytest.mark.case("C94")
def test_environment_keeps_what_is_not_git_and_asks_nobody() -> None:
    kept = environment({"PATH": "/bin", "GIT_SSH_COMMAND": "evil", "LC_ALL": "zh_CN.UTF-8"})

    assert kept["PATH"] == "/bin"
    assert "GIT_SSH_COMMAND" not in kept
    assert kept["LC_ALL"] == "C"
    assert kept["GIT_TERMINAL_PROMPT"] == "0"


@pytest.mark.case("C94")
def test_missing_program_is_a_message_for_a_person(repository: Built) -> None:
    vcs = GitRepository(repository.root, environ=repository.environ, program="no-such-git")

    with pytest.raises(VcsUnavailableError, match="is it installed"):
        vcs.head()
    with pytest.raises(VcsUnavailableError, match="is it installed"):
        [*vcs.listed()]


def test_directory_that_is_no_repository_is_a_message_for_a_person(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}

    with pytest.raises(VcsUnavailableError, match="not a git repository"):
        GitRepository(tmp_path / "plain", environ=environ).tips()
    with pytest.raises(VcsUnavailableError, match="no directory"):
        GitRepository(tmp_path / "absent", environ=environ).tips()


@pytest.mark.case("C94")
def test_program_that_hangs_is_given_up(repository: Built, tmp_path: Path) -> None:
    slow = tmp_path / "slow-git"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    git = Git(repository.root, program=str(slow), environ=repository.environ)

    with pytest.raises(VcsUnavailableError, match="took more than"):
        git.ask("log", seconds=0.2)
    with pytest.raises(VcsUnavailableError, match="was ended after"):
        [*git.stream("log", seconds=0.2)]


def test_reader_that_stops_early_leaves_no_program_behind(repository: Built) -> None:
    for n in range(5):
        repository.commit(f"more {n}", a=f"{n}\n")

    reading = repository.vcs.read(one.sha for one in repository.vcs.listed())
    assert next(reading).subject == "one"
    reading.close()
