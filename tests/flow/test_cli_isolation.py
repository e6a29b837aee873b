"""Where the purpose is an isolated one, every command says so and does nothing."""

from pathlib import Path

import apsw
import pytest

from backstory.cli.group import command_line
from commands import remembered, run
from projects import a_project
from recorded import files_in

RELEASED = Path(__file__).parents[1] / "store/released/0001.sql"
# What a command is given here; one that is not named is tried without words.
WORDS = {
    "recall": ("database",),
    "search": ("database",),
    "why": ("database",),
    "show": ("m_",),
    "remember": ("We decided to use MySQL for everything.",),
    "edit": ("m_", "Use MySQL."),
    "pin": ("m_",),
    "unpin": ("m_",),
    "forget": ("m_",),
    "erase": ("m_", "--yes"),
    "review": ("--on",),
    "clear": ("--confirm",),
    "context": ("database",),
    "episode": ("begin", "the search"),
    "tickets": ("import", "TICKETS"),
    "relink": ("OTHER",),
}
# These do not touch what is remembered, or set what is tried here.
APART = {"init", "demo", "purpose", "install", "uninstall", "off", "on", "mcp", "shell"}
COMMANDS = [name for name in command_line().list_commands(None) if name not in APART]
BY = {"variable": "BACKSTORY_PURPOSE", "project": None}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a git repository whose memory holds something."""
    folder = a_project(tmp_path / "shop")
    remembered(folder)
    return folder


def a_plain_folder(folder: Path) -> Path:
    """Make what looks like the memory of a directory that is no repository."""
    (folder / ".backstory").mkdir(parents=True)
    (folder / ".backstory" / "memory.db").write_bytes(b"PostgreSQL")
    return folder


@pytest.mark.promise("R3", "R56")
@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_reads_and_writes_nothing_and_is_no_failure(
    project: Path, command: str, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by == "variable":
        monkeypatch.setenv("BACKSTORY_PURPOSE", "code_audit")
    else:
        run("purpose", "code_audit", at=project)
    monkeypatch.setenv("BACKSTORY_WEBHOOK_GITHUB_SECRET", "quokka")
    tickets = project.parent / "tickets.json"
    tickets.write_text('[{"number": 7, "title": "PostgreSQL", "state": "CLOSED"}]')
    named = {"TICKETS": str(tickets), "OTHER": str(a_plain_folder(project.parent / "other"))}
    words = [named.get(word, word) for word in WORDS.get(command, ())]
    before = files_in(project / ".git/backstory")

    told = run(command, *words, at=project)
    as_json = run(command, *words, "--json", at=project)

    assert (told.code, as_json.code) == (0, 0)
    assert "PostgreSQL" not in told.out + told.err + as_json.out
    assert "isolated" in told.out + told.err or command == "context"
    assert isinstance(as_json.told, dict | list)
    after = files_in(project / ".git/backstory")
    assert after.keys() == before.keys()
    assert after["memory.db"] == before["memory.db"]


def test_context_of_an_audit_has_not_one_byte(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "PostgreSQL" in run("context", "database", at=project).out
    monkeypatch.setenv("BACKSTORY_PURPOSE", "evaluation")

    ran = run("context", "database", at=project)

    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_purpose_is_set_shown_and_set_back(project: Path) -> None:
    assert run("purpose", at=project).out == "coding: memory is in use.\n"
    assert run("purpose", "code_audit", "--json", at=project).told["isolated"] is True
    assert run("purpose", at=project).out == "code_audit: memory is neither read nor written.\n"
    assert run("purpose", "coding", at=project).out == "coding: memory is in use.\n"
    assert len(run("list", "--json", at=project).told) == 1


def test_of_variable_and_project_the_isolated_one_wins(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("purpose", "patch_revise", at=project)
    monkeypatch.setenv("BACKSTORY_PURPOSE", "coding")

    assert run("list", "--json", at=project).told == []

    monkeypatch.setenv("BACKSTORY_PURPOSE", "code_audit")
    ran = run("purpose", "coding", at=project)

    assert ran.out.startswith("code_audit: memory is neither")
    assert "BACKSTORY_PURPOSE" in ran.out


def test_a_variable_that_names_no_purpose_is_a_wrong_call(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKSTORY_PURPOSE", "auditing")

    ran = run("list", at=project)

    assert ran.code == 2
    assert "BACKSTORY_PURPOSE" in ran.err
    assert "code_audit" in ran.err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_store_of_an_older_version_that_is_isolated_is_not_even_brought_up_to_date(
    tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKSTORY_WEBHOOK_GITHUB_SECRET", "quokka")
    folder = a_project(tmp_path / "shop")
    store = folder / ".git/backstory/memory.db"
    store.parent.mkdir()
    connection = apsw.Connection(str(store))
    connection.execute("PRAGMA journal_mode = wal; PRAGMA foreign_keys = OFF")
    connection.execute(RELEASED.read_text(encoding="utf-8"))
    connection.execute("INSERT INTO setting VALUES ('purpose', 'code_audit')")
    connection.close()
    before = files_in(store.parent)
    named = {"TICKETS": str(tmp_path / "none.json"), "OTHER": str(a_plain_folder(tmp_path / "x"))}
    run(command, *[named.get(word, word) for word in WORDS.get(command, ())], at=folder)

    assert files_in(store.parent) == before
