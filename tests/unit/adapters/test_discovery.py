"""The sessions found are those of the project, wherever in it they ran, and nobody else's."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from backstory.adapters.importers import sessions_for, transcripts_in
from backstory.adapters.project import Project, find_project
from backstory.model.errors import UnreadableInputError
from transcripts import Claude, codex_header, codex_message, written


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository with a linked work tree beside it and another repository inside."""
    root = a_repository(tmp_path / "work" / "app")
    a_repository(root / "vendor" / "lib")
    a_repository(tmp_path / "work" / "app-two")
    (root / "src").mkdir()
    private = root / ".git" / "worktrees" / "topic"
    private.mkdir(parents=True)
    topic = tmp_path / "work" / "topic"
    topic.mkdir()
    (topic / ".git").write_text(f"gitdir: {private}\n")
    (private / "HEAD").write_text("ref: refs/heads/topic\n")
    (private / "commondir").write_text("../..\n")
    (private / "gitdir").write_text(f"{topic / '.git'}\n")
    (tmp_path / "home").mkdir()
    return root


def a_repository(path: Path) -> Path:
    for name in ("objects", "refs"):
        (path / ".git" / name).mkdir(parents=True)
    (path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return path


def env_of(root: Path) -> dict[str, str]:
    return {"HOME": str(root.parent.parent / "home")}


def found(root: Path, env: Mapping[str, str] | None = None) -> list[str]:
    env = env or env_of(root)
    return [session.path.name for session in sessions_for(project_of(root, env), env=env)]


def project_of(root: Path, env: Mapping[str, str]) -> Project:
    project = find_project(root, env=env)
    assert project is not None
    return project


def claude_session(projects: Path, cwd: Path, name: str) -> Path:
    slug = "".join(char if char.isascii() and char.isalnum() else "-" for char in str(cwd))
    (projects / slug).mkdir(parents=True, exist_ok=True)
    claude = Claude(cwd=str(cwd))
    mode = json.dumps({"type": "mode", "mode": "normal", "sessionId": claude.session})
    return written(projects / slug / name, [mode, claude.user("hi"), claude.said("Hello.")])


def test_claude_code_sessions_of_all_work_trees_and_subfolders_are_found(root: Path) -> None:
    projects = Path(env_of(root)["HOME"]) / ".claude" / "projects"
    claude_session(projects, root, "root.jsonl")
    claude_session(projects, root / "src", "src.jsonl")
    claude_session(projects, root.parent / "topic", "topic.jsonl")
    claude_session(projects, root.parent / "app-two", "other.jsonl")
    claude_session(projects, root / "vendor" / "lib", "lib.jsonl")
    claude_session(projects, root, "agent-1.jsonl")
    sub = claude_session(projects, root, "root2.jsonl").parent / "root2" / "subagents"
    sub.mkdir(parents=True)
    written(sub / "agent-2.jsonl", [Claude(cwd=str(root)).user("hi", isSidechain=True)])

    assert sorted(found(root)) == ["root.jsonl", "root2.jsonl", "src.jsonl", "topic.jsonl"]


def test_folder_whose_name_two_paths_share_is_decided_by_the_records(root: Path) -> None:
    projects = Path(env_of(root)["HOME"]) / ".claude" / "projects"
    path = claude_session(projects, root, "mine.jsonl")
    twin = Claude(cwd=str(root.parent / "app-two"))
    written(path.with_name("theirs.jsonl"), [twin.user("hi"), twin.said("Hello.")])

    assert found(root) == ["mine.jsonl"]


def test_directory_is_read_from_the_head_where_a_line_is_too_long(root: Path) -> None:
    projects = Path(env_of(root)["HOME"]) / ".claude" / "projects"
    path = claude_session(projects, root, "long.jsonl")
    claude = Claude(cwd=str(root))
    long = claude.user("x" * 400_000 + '"cwd": "/elsewhere"')
    record = json.loads(long)
    first = {"cwd": record.pop("cwd"), **record}
    mode = json.dumps({"type": "mode", "mode": "normal", "sessionId": claude.session})
    written(path, [mode, json.dumps(first), claude.said("Hello.")])

    assert found(root) == ["long.jsonl"]


def test_codex_sessions_are_found_by_their_directory(root: Path) -> None:
    env = {**env_of(root), "CODEX_HOME": str(root.parent / "codex")}
    day = root.parent / "codex" / "sessions" / "2026" / "11" / "20"
    day.mkdir(parents=True)
    for name, cwd, source in (
        ("rollout-a.jsonl", root / "src", "cli"),
        ("rollout-b.jsonl", root.parent / "app-two", "cli"),
        ("rollout-c.jsonl", root, "exec"),
    ):
        lines = [codex_header(cwd=str(cwd), source=source), codex_message("user", ["hi"])]
        written(day / name, lines)

    sessions = sessions_for(project_of(root, env), env=env)

    assert [(s.path.name, s.is_headless) for s in sessions] == [
        ("rollout-a.jsonl", False),
        ("rollout-c.jsonl", True),
    ]


def test_gemini_chats_are_found_by_register_and_by_hash(root: Path) -> None:
    gemini = Path(env_of(root)["HOME"]) / ".gemini"
    digest = hashlib.sha256(str(root).encode()).hexdigest()
    for folder, header in (("app", digest), (digest, digest), ("other", "0" * 64)):
        chats = gemini / "tmp" / folder / "chats"
        chats.mkdir(parents=True)
        line = {"sessionId": folder, "projectHash": header, "startTime": "2026-11-20T10:00:00Z"}
        written(chats / f"session-{folder[:5]}.jsonl", [json.dumps(line)])
    names = {str(root): "app", str(root.parent / "app-two"): "other", str(root / "src"): "other"}
    (gemini / "projects.json").write_text(json.dumps({"projects": names}))

    assert sorted(found(root)) == sorted([f"session-{digest[:5]}.jsonl", "session-app.jsonl"])


def test_specstory_histories_stand_in_for_transcripts_that_are_gone(root: Path) -> None:
    claude_session(Path(env_of(root)["HOME"]) / ".claude" / "projects", root, "aaaa.jsonl")
    history = root / ".specstory" / "history"
    history.mkdir(parents=True)
    for session in ("aaaa", "bbbb"):
        text = (
            f"<!-- Claude Code Session {session} (2026-01-12 15:08:38Z) -->\n\n_**User**_\n\nhi\n"
        )
        (history / f"{session}.md").write_text(text)
    (history / "notes.md").write_text("# Notes\n")

    assert sorted(found(root)) == ["aaaa.jsonl", "bbbb.md"]


def test_older_sessions_come_first(root: Path) -> None:
    projects = Path(env_of(root)["HOME"]) / ".claude" / "projects"
    for name, year in (("a.jsonl", "2027"), ("b.jsonl", "2025"), ("c.jsonl", "2026")):
        path = claude_session(projects, root, name)
        path.write_text(path.read_text().replace("2026-11-20T", f"{year}-11-20T"))

    assert found(root) == ["b.jsonl", "c.jsonl", "a.jsonl"]


def test_settings_directory_of_the_program_is_followed(root: Path, tmp_path: Path) -> None:
    env = {**env_of(root), "CLAUDE_CONFIG_DIR": str(tmp_path / "cfg")}
    claude_session(tmp_path / "cfg" / "projects", root, "here.jsonl")

    assert found(root, env) == ["here.jsonl"]


def test_nothing_kept_anywhere_is_no_error(root: Path) -> None:
    assert found(root) == []


def test_directory_gives_its_transcripts_and_a_file_itself(tmp_path: Path) -> None:
    claude = Claude()
    one = written(tmp_path / "one.jsonl", [claude.user("hi"), claude.said("Hello.")])
    (tmp_path / "readme.md").write_text("# Read me\n")

    assert transcripts_in(tmp_path) == (one,)
    assert transcripts_in(tmp_path / "readme.md") == (tmp_path / "readme.md",)
    one.unlink()
    with pytest.raises(UnreadableInputError, match="no transcript"):
        transcripts_in(tmp_path)
