"""Hooks of git as hints: beside every other hook, never in its way, and gone without a trace."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory.adapters.installing.entries import Site
from backstory.adapters.installing.git_hooks import EVENTS, hooks_of, hooks_to_remove
from commands import run
from installing import a_site, put_in, snapshot, take_out
from processes import marked, until
from projects import a_project, git

NOTED = "noted.txt"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a git repository."""
    return a_project(tmp_path / "shop")


@pytest.fixture
def site(tmp_path: Path, project: Path) -> Site:
    """Return where hooks go, and a program that notes how it was called."""
    program = tmp_path / "bin" / "backstory"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nprintf "%s|%s|%s\\n" "$*" "${{GIT_DIR:-none}}" "$PWD" >> {tmp_path}/{NOTED}\n'
    )
    program.chmod(0o755)
    return a_site(tmp_path, project=project, program=str(program))


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "no-such-file"))
    return


def install(site: Site) -> str:
    """Install the hooks, and return what a person is told of those that are left out."""
    hooks = hooks_of(site)
    put_in([*hooks.entries], site)
    return "\n".join(f"{hook.because}: {hook.to_do}" for hook in hooks.left_out)


def uninstall(site: Site) -> None:
    """Take the hooks out."""
    take_out(hooks_to_remove(site), site)


def hook(project: Path, event: str) -> Path:
    """Return the file of a hook."""
    return project / ".git" / "hooks" / event


def write_hook(file: Path, text: str) -> Path:
    """Write a hook that another program made."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


def notes(site: Site, *, count: int) -> list[str]:
    """Return how the program was called, once it was called so often."""
    file = site.home / NOTED
    # The program runs by itself: there is nothing but its note to wait for.
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        lines = file.read_text().splitlines() if file.exists() else []
        if len(lines) >= count:
            return lines
        time.sleep(0.02)
    pytest.fail(f"the program was called {len(lines)} times, not {count}")


@pytest.mark.promise("R66")
def test_each_event_calls_the_program_in_the_work_tree(project: Path, site: Site) -> None:
    install(site)
    git(project, "commit", "--allow-empty", "-m", "one")
    git(project, "commit", "--amend", "--allow-empty", "-m", "two")
    git(project, "checkout", "-q", "-b", "side")
    git(project, "commit", "--allow-empty", "-m", "three")
    git(project, "checkout", "-q", "main")
    git(project, "merge", "-q", "side")

    # One for each commit and checkout, two for the amendment, one for the merge.
    lines = notes(site, count=7)
    assert set(lines) == {f"work --commits|none|{project}"}


def test_a_linked_work_tree_shares_the_hooks_and_lends_none_of_its_variables(
    project: Path, site: Site
) -> None:
    install(site)
    git(project, "worktree", "add", "-q", str(project.parent / "tree"), "-b", "side")
    tree = project.parent / "tree"
    git(tree, "commit", "--allow-empty", "-m", "one")

    assert notes(site, count=2)[-1] == f"work --commits|none|{tree}"


def test_a_rebase_calls_once_when_it_is_done(project: Path, site: Site) -> None:
    git(project, "checkout", "-q", "-b", "side")
    for name in ("one", "two", "three"):
        (project / name).write_text(name)
        git(project, "add", name)
        git(project, "commit", "-q", "-m", name)
    git(project, "checkout", "-q", "main")
    git(project, "commit", "--allow-empty", "-m", "main")
    install(site)
    git(project, "checkout", "-q", "side")
    notes(site, count=1)
    git(project, "rebase", "-q", "main")

    assert len(notes(site, count=2)) <= 3


def test_the_hooks_go_and_leave_every_byte(project: Path, site: Site) -> None:
    write_hook(hook(project, "post-commit"), "#!/bin/sh -e\necho mine\nexit 0\n")
    write_hook(hook(project, "post-merge"), "#!/usr/bin/env bash")
    before = snapshot(site)
    install(site)
    during = snapshot(site)
    install(site)
    twice = snapshot(site)
    uninstall(site)

    assert during != before
    assert twice == during
    assert snapshot(site) == before


def test_what_a_person_added_to_a_hook_meanwhile_stays(project: Path, site: Site) -> None:
    install(site)
    file = hook(project, "post-commit")
    file.write_text(file.read_text() + "echo mine\n")
    uninstall(site)

    assert file.read_text() == "#!/bin/sh\necho mine\n"


def test_a_foreign_hook_runs_as_before_with_its_own_exit_code(project: Path, site: Site) -> None:
    said = project.parent / "said"
    write_hook(
        hook(project, "post-checkout"), f"#!/bin/sh\necho $1 $2 $3 > {said}\ncat\nexec false\n"
    )
    install(site)
    ran = subprocess.run(["git", "checkout", "-q", "-b", "side"], cwd=project, check=False)

    assert ran.returncode == 1
    assert said.read_text().split()[2] == "1"
    assert notes(site, count=1)


@pytest.mark.case("C20")
def test_a_program_that_is_gone_makes_no_noise(project: Path, site: Site) -> None:
    install(site)
    Path(site.program).unlink()
    ran = subprocess.run(
        ["git", "commit", "-q", "--allow-empty", "-m", "one"],
        cwd=project,
        check=True,
        capture_output=True,
    )

    assert (ran.stdout, ran.stderr) == (b"", b"")


@pytest.mark.promise("R66")
def test_a_commit_waits_for_nothing_and_nothing_stays(
    project: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = site.home / "gate"
    os.mkfifo(gate)
    write_hook(Path(site.program), f"#!/bin/sh\nread word < {gate}\necho $word >> {NOTED}\n")
    monkeypatch.setenv("COMMITTED_BY", str(site.home))
    install(site)
    # Whoever waited for the program, or for a pipe that it keeps open, would wait forever.
    subprocess.run(
        ["git", "commit", "-q", "--allow-empty", "-m", "one"],
        cwd=project,
        check=True,
        capture_output=True,
        timeout=60,
    )
    begun = marked(f"COMMITTED_BY={site.home}")
    gate.write_text("go\n")  # waits until the program reads
    until(lambda: not marked(f"COMMITTED_BY={site.home}"))

    assert begun
    assert (project / NOTED).read_text() == "go\n"


def test_husky_keeps_its_own_files_as_they_are(project: Path, site: Site) -> None:
    # As husky 9 leaves a repository: hooks in a directory that ignores itself.
    folder = project / ".husky" / "_"
    write_hook(folder / "post-commit", '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n')
    said = project.parent / "said"
    (folder / "h").write_text(f"#!/usr/bin/env sh\necho husky > {said}\nexit 0\n")
    (folder / ".gitignore").write_text("*")
    write_hook(project / ".husky" / "post-commit", "echo theirs\n")
    git(project, "config", "core.hooksPath", ".husky/_")
    status = git(project, "status", "--porcelain")
    before = snapshot(site)
    advice = install(site)
    git(project, "commit", "--allow-empty", "-m", "one")
    noted = notes(site, count=1)
    (site.home / NOTED).unlink()
    is_clean = git(project, "status", "--porcelain") == status
    uninstall(site)
    after = {name: text for name, text in snapshot(site).items() if ".git/" not in name}

    assert advice == ""
    assert noted
    assert said.read_text() == "husky\n"
    assert is_clean
    assert {name: text for name, text in before.items() if ".git/" not in name} == {
        name: text for name, text in after.items() if name != str(said)
    }


def test_hooks_that_are_published_are_left_to_a_person(project: Path, site: Site) -> None:
    write_hook(project / "hooks" / "post-commit", "#!/bin/sh\necho theirs\n")
    git(project, "config", "core.hooksPath", "hooks")
    before = snapshot(site)
    advice = install(site)

    assert snapshot(site) == before
    assert "belongs to what you publish" in advice
    assert f"add `{site.program} work --commits >/dev/null 2>&1 &` to it yourself" in advice


def test_hooks_of_all_repositories_are_left_to_a_person(project: Path, site: Site) -> None:
    shared = project.parent / "all-hooks"
    write_hook(shared / "post-commit", "#!/bin/sh\n")
    git(project, "config", "core.hooksPath", str(shared))
    before = snapshot(site)

    assert "serves other repositories" in install(site)
    assert snapshot(site) == before


def test_a_hook_that_is_no_shell_script_or_does_not_run_is_left(project: Path, site: Site) -> None:
    write_hook(hook(project, "post-commit"), "#!/usr/bin/env python3\nprint()\n")
    write_hook(hook(project, "post-merge"), "#!/bin/sh\n").chmod(0o644)
    before = hook(project, "post-commit").read_text()
    advice = install(site)

    assert "post-commit is no shell script" in advice
    assert "git passes it over" in advice
    assert hook(project, "post-commit").read_text() == before
    assert hook(project, "post-rewrite").exists()


def test_a_hook_that_pre_commit_has_put_aside_is_found(project: Path, site: Site) -> None:
    before = snapshot(site)
    install(site)
    file = hook(project, "post-commit")
    file.rename(file.with_name("post-commit.legacy"))
    theirs = write_hook(
        file,
        "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n"
        'here="$(cd "$(dirname "$0")" && pwd)"\nexec "$here/post-commit.legacy" "$@"\n',
    )
    git(project, "commit", "--allow-empty", "-m", "one")
    noted = notes(site, count=1)
    (site.home / NOTED).unlink()
    uninstall(site)
    theirs.unlink()

    assert noted
    assert {name for name in snapshot(site) if "hooks" in name} == {
        name for name in before if "hooks" in name
    }


def test_the_command_installs_into_the_project_it_is_called_in(project: Path) -> None:
    ran = run("install", "git", at=project)
    texts = [hook(project, event).read_text() for event in EVENTS]
    run("uninstall", "git", at=project)

    assert ran.code == 0
    assert all("work --commits" in text for text in texts)
    assert not [event for event in EVENTS if hook(project, event).exists()]


def test_the_command_tells_each_hook_that_it_leaves_out_and_why(project: Path) -> None:
    file = write_hook(hook(project, "post-merge"), "#!/usr/bin/env python3\n")
    told = run("install", "git", "--dry-run", "--json", at=project).told
    (left,) = told["left_out"]

    assert left["event"] == "post-merge"
    assert left["because"] == f"{file} is no shell script"
    assert "work --commits" in left["to_do"]
    assert len(told["changes"]) == len(EVENTS) - 1
    said = run("install", "git", "--dry-run", at=project).out
    assert f"Left out: post-merge. {left['because']}: {left['to_do']}." in " ".join(said.split())


def test_a_submodule_is_told_where_its_history_is(project: Path, site: Site) -> None:
    lib = a_project(project.parent / "lib")
    git(
        project, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(lib), "lib"
    )
    inside = a_site(site.home, project=project / "lib", program=site.program)
    install(inside)
    git(project / "lib", "commit", "--allow-empty", "-m", "one")

    assert notes(site, count=1) == [f"work --commits|none|{project / 'lib'}"]


def test_a_project_without_git_has_no_hooks(tmp_path: Path) -> None:
    run("init", at=tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / ".backstory").mkdir()

    assert run("install", "git", at=tmp_path / "sub").code == 1
