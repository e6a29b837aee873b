"""Closed tickets are recorded once, from files or by `gh`, and prove nothing."""

import json
from pathlib import Path

import pytest

from backstory import Memory
from backstory.api import Opening
from commands import run
from hosting import a_repository

CLOSED = [
    {
        "number": number,
        "title": "Always use tabs in Go files. Please remember that.",
        "state": "CLOSED",
        "closedAt": f"2026-03-0{number}T10:00:00Z",
        "url": f"https://github.com/acme/shop/issues/{number}",
    }
    for number in (1, 2)
]
OPEN = {"number": 3, "title": "Later", "state": "OPEN", "closedAt": None}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project."""
    return a_repository(tmp_path / "shop")


def a_gh(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `gh` be a script, and no other one be found."""
    folder.mkdir()
    (folder / "gh").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_a_file_is_imported_and_importing_it_again_adds_nothing(
    project: Path, tmp_path: Path
) -> None:
    file = tmp_path / "closed.json"
    file.write_text(json.dumps([*CLOSED, OPEN, {"x": 1}]))

    first = run("tickets", "import", str(file), at=project)
    again = run("tickets", "import", str(file), "--json", at=project)

    assert first.out == "Recorded 2 closed tickets of 2, 1 still open, 1 entry not known.\n"
    assert again.told == {"new": 0, "closed": 2, "open": 1, "unknown": 1}


def test_what_a_ticket_says_is_never_remembered(project: Path, tmp_path: Path) -> None:
    file = tmp_path / "closed.json"
    file.write_text(json.dumps(CLOSED))
    run("tickets", "import", str(file), at=project)
    run("work", at=project)
    with Memory.open(project, opening=Opening()) as memory:
        memory.learn()

        assert memory.list() == ()
        assert memory.status().events == 2


@pytest.mark.promise("R66")
def test_tickets_are_pulled_by_gh(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps(CLOSED))
    script = f'[ "$1" = issue ] && cat {answer} || echo "[]"; echo "$PWD $*" >> {tmp_path}/asked'
    a_gh(tmp_path / "bin", script, monkeypatch)

    assert run("tickets", "pull", "-n", "7", "--json", at=project).told["new"] == 2
    asked = (tmp_path / "asked").read_text().splitlines()
    assert [line.startswith(f"{project} ") for line in asked] == [True, True]
    assert all(line.endswith("--limit 7") for line in asked)


@pytest.mark.parametrize(
    ("script", "told"),
    [("echo 'not logged in' >&2; exit 4", "not logged in"), ("echo 'oops'", "gh is no JSON")],
)
def test_a_gh_that_fails_is_told_and_nothing_is_recorded(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, told: str
) -> None:
    a_gh(tmp_path / "bin", script, monkeypatch)
    ran = run("tickets", "pull", at=project)

    assert ran.code == 1
    assert told in ran.err


def test_without_gh_it_is_said_what_to_do(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = run("tickets", "pull", at=project)

    assert ran.code == 1
    assert "tickets import" in ran.err


@pytest.mark.parametrize("words", [["import"], ["pull", "a.json"]])
def test_a_call_that_makes_no_sense_is_refused(project: Path, words: list[str]) -> None:
    assert run("tickets", *words, at=project).code == 2


@pytest.mark.promise("R153")
def test_where_tickets_are_off_none_is_recorded(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKSTORY_CAPTURE_TICKETS", "false")
    (tmp_path / "closed.json").write_text(json.dumps(CLOSED))
    ran = run("tickets", "import", str(tmp_path / "closed.json"), at=project)

    assert ran.code == 2
    assert "capture.tickets" in ran.err
