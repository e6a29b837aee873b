"""`backstory import` takes what people said, names what it leaves out, and repeats nothing."""

import json
from pathlib import Path

import pytest

from commands import DECIDED, run
from projects import a_project
from transcripts import Claude, written


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return an empty git repository."""
    return a_project(tmp_path / "shop")


@pytest.fixture
def sessions(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where Claude Code would keep the sessions of the project."""
    home = tmp_path / "claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    slug = "".join(c if c.isalnum() and c.isascii() else "-" for c in str(project.resolve()))
    folder = home / "projects" / slug
    folder.mkdir(parents=True)
    return folder


def a_session(project: Path, said: str, *, number: int = 1, **more: object) -> list[str]:
    session = f"5f0c6a1e-7d53-4b7e-9a55-0c1d2e3f4a{number:02d}"
    claude = Claude(session, cwd=str(project))
    return [claude.user(said, **more), claude.said("Fine.")]


def test_sessions_of_the_project_are_found_and_taken_once(project: Path, sessions: Path) -> None:
    written(sessions / "one.jsonl", a_session(project, DECIDED))

    tried = run("import", "--dry-run", at=project).out
    first = run("import", at=project).out
    again = run("import", "--json", at=project).told

    assert "would record 1 new turn" in tried
    assert "1 session in 1 file: recorded 1 new turn" in first
    assert "1 item remembered now" in first
    assert again["turns_new"] == 0
    assert len(run("list", "--json", at=project).told) == 1


@pytest.mark.case("C43")
def test_sessions_that_a_script_ran_are_passed_over_unless_wanted(
    project: Path, sessions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(sessions / "script.jsonl", a_session(project, DECIDED, entrypoint="sdk-cli"))

    passed_over = run("import", at=project)
    refused = run("import", "--no-headless", "--json", at=project).told
    monkeypatch.setenv("BACKSTORY_IMPORT_HEADLESS", "on")
    overruled = run("import", "--no-headless", "--json", at=project).told
    taken = run("import", "--json", at=project).told

    assert f"{path}: passed over, a script ran it" in passed_over.out
    assert refused["files"][0]["passed_over_because"]
    assert (refused["turns_new"], overruled["turns_new"], taken["turns_new"]) == (0, 0, 1)


def test_a_script_session_that_is_named_is_taken(project: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", a_session(project, DECIDED, entrypoint="sdk-cli"))

    assert run("import", str(path), "--json", at=project).told["turns_new"] == 1


def test_lines_that_cannot_be_read_are_named_and_the_rest_is_taken(
    project: Path, tmp_path: Path
) -> None:
    first, answer = a_session(project, DECIDED)
    path = tmp_path / "s.jsonl"
    path.write_bytes(f"{first}\n".encode() + b"{broken\n\xff\xfe\n" + f"{answer}\n".encode())

    ran = run("import", str(path), at=project)

    assert ran.code == 0
    assert f"{path}, line 2: " in ran.out
    assert f"{path}, line 3: " in ran.out
    assert "1 item remembered now" in ran.out


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\x00\xff" * 100, b"[]", b"{}\n"])
def test_a_file_that_is_no_session_is_told(project: Path, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(content)

    ran = run("import", str(path), "--json", at=project)

    assert ran.code == 1
    assert ran.told["error"]["slug"] == "unreadable-input"
    assert str(path) in ran.told["error"]["message"]


def test_a_damaged_export_changes_nothing(project: Path, tmp_path: Path) -> None:
    other = a_project(tmp_path / "other")
    run("remember", DECIDED, at=other)
    copy = Path(run("export", "--json", at=other).told["path"])
    export = json.loads(copy.read_text())
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(export).replace('"completed"', '"finished"'))

    assert run("import", str(broken), at=project).code == 1
    assert run("list", "--json", at=project).told == []


def test_nothing_to_import_is_said(project: Path, sessions: Path) -> None:
    assert sessions.is_dir()
    assert run("import", at=project).out.startswith("No session of this project was found.")


def test_demo_shows_each_part_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    ran = run("demo", at=tmp_path)

    assert ran.code == 0
    for part in ("220 turns in 5 sessions", "Remembered: ", "No longer so: ", "Not remembered: "):
        assert part in ran.out
    assert ran.out.count("  ? ") == 5
    assert ran.out.count("    Nothing: ") == 1
    assert "is given 0, the same as with no memory at all" in ran.out
    assert "backstory import" in ran.out
    assert not list(tmp_path.iterdir())


def test_demo_can_be_kept_and_looked_at(tmp_path: Path) -> None:
    told = run("demo", "--keep", str(tmp_path / "kept"), "--json", at=tmp_path).told

    listed = run("list", "--json", at=tmp_path / "kept").told

    assert [item["id"] for item in told["items"]] == [item["id"] for item in listed]
    assert all(item["evidence"] for item in told["items"])
    assert run("demo", "--keep", str(tmp_path / "kept"), at=tmp_path).code == 2
