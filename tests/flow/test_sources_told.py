"""A person sees what is recorded and from where, and what is off leaves nothing behind."""

import json
from pathlib import Path

import pytest

from commands import run
from hosting import Host, a_repository
from projects import a_project

RULE = "From now on always use pytest for the tests. Please remember that."


def sources(project: Path) -> dict[str, dict[str, object]]:
    """Return what `status` tells of each source."""
    return {one["source"]: one for one in run("status", "--json", at=project).told["sources"]}


def off(project: Path, *names: str) -> None:
    """Switch sources off in a project."""
    folder = project / ".git/backstory"
    folder.mkdir(exist_ok=True)
    lines = "".join(f"{name} = false\n" for name in names)
    (folder / "config.toml").write_text(f"[capture]\n{lines}")


@pytest.mark.promise("R153")
def test_status_tells_what_is_recorded_and_what_could_be(tmp_path: Path) -> None:
    project = a_project(tmp_path / "shop")
    run("remember", "We decided to use PostgreSQL.", at=project)
    run("backfill", at=project)
    file = tmp_path / "closed.json"
    ticket = {"number": 1, "state": "closed", "closed_at": "2026-03-01T10:00:00Z"}
    file.write_text(json.dumps([ticket]))
    run("tickets", "import", str(file), at=project)
    off(project, "files")
    told = sources(project)
    lines = run("status", at=project).out.splitlines()

    assert told["tickets"] == {
        "source": "tickets",
        "is_on": True,
        "recorded": 1,
        "last_at_ms": 1_772_359_200_000,
        "waiting": 0,
    }
    assert (told["files"]["is_on"], told["shell"]["recorded"]) == (False, 0)
    assert "records  conversations (1), git (1), tickets (1, last 2026-03-01)" in lines
    assert "could    record commands (`install`), shell (`shell`)" in lines
    assert "off      files" in lines


def test_where_there_is_no_repository_git_is_no_source(tmp_path: Path) -> None:
    run("init", at=tmp_path)
    run("remember", "We decided to use PostgreSQL.", at=tmp_path)

    assert "git" not in sources(tmp_path)
    assert "said     1 completed turn; 0 events" in run("status", at=tmp_path).out


def test_what_shells_wrote_and_is_not_stored_yet_is_told(tmp_path: Path) -> None:
    project = a_project(tmp_path / "shop")
    run("status", at=project)
    spool = project / ".git/backstory/spool"
    spool.mkdir()
    (spool / "shell.lines").write_text("x\ny\n")

    assert sources(project)["shell"]["waiting"] == 2
    assert "shell (0 and 2 lines to be stored)" in run("status", at=project).out


@pytest.mark.promise("R153")
def test_where_conversations_are_off_hooks_record_none_and_still_show(tmp_path: Path) -> None:
    host = Host(a_repository(tmp_path / "shop"))
    host.turn(RULE)
    run("work", at=host.project)
    off(host.project, "conversations", "commands")
    later = Host(host.project, session="s2")
    shown = later.turn("Which test runner do we use, pytest or something else?", key="q1")
    done = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "u1"}
    later.fire("PostToolUse", **done, tool_response={"stdout": "ok"})
    told = sources(host.project)

    assert "pytest" in shown
    assert told["conversations"]["recorded"] == 1
    assert told["commands"]["recorded"] == 0


def test_a_hook_stores_what_was_typed(tmp_path: Path) -> None:
    host = Host(a_repository(tmp_path / "shop"))
    host.turn(RULE)
    spool = host.project / ".git/backstory/spool"
    spool.mkdir(exist_ok=True)
    line = f"1\x1f1\x1f2\x1f0\x1f7\x1f\x1f{host.project}\x1fmake\n"
    (spool / "shell.lines").write_text(line)
    host.turn("And now?", key="p2")

    assert sources(host.project)["shell"] == {
        "source": "shell",
        "is_on": True,
        "recorded": 1,
        "last_at_ms": 1,
        "waiting": 0,
    }


def test_where_git_is_off_no_commit_is_read(tmp_path: Path) -> None:
    project = a_project(tmp_path / "shop")
    off(project, "git")
    ran = run("backfill", at=project)
    run("work", at=project)

    assert ran.code == 2
    assert "capture.git" in ran.err
    assert sources(project)["git"]["recorded"] == 0
