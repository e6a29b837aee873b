"""Doctor runs the hooks that are installed, in each agent's own way, and says what is wrong."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from backstory.adapters.installing.hosts import hosts
from hosting import a_repository

ASKED_OF_A_PERSON = {"codex": ["agent-not-reviewed"]}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project, beside the home of its own that `backstory` is called with."""
    (tmp_path / "home").mkdir()
    return a_repository(tmp_path / "shop")


def home_of(project: Path) -> Path:
    """Return the home."""
    return project.parent / "home"


def ran(project: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `backstory` as a person with this home."""
    kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH") if key in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "backstory.cli.app", *words],
        cwd=project,
        env={**kept, "HOME": str(home_of(project)), **more},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def tried(project: Path, host: str, **more: str) -> Any:
    """Let doctor try one agent, and return what it found."""
    told = ran(project, "doctor", host, "--no-run", "--json", **more)
    (agent,) = json.loads(told.stdout)["agents"]
    return agent


def slugs(agent: Any) -> list[str]:
    """Return the names of what is wrong."""
    return [finding["slug"] for finding in agent["findings"]]


@pytest.mark.case("C16")
@pytest.mark.parametrize("host", hosts())
def test_what_install_enters_works_from_the_prompt_to_the_store(host: str, project: Path) -> None:
    ran(project, "install", host)
    agent = tried(project, host)

    assert agent["installed"]
    assert slugs(agent) == ASKED_OF_A_PERSON.get(host, [])
    assert agent["milliseconds"] > 0
    assert not list((project / ".git").glob("backstory/*"))


def test_an_agent_without_an_entry_is_named_with_what_to_do(project: Path) -> None:
    told = ran(project, "doctor", "gemini")

    assert told.returncode == 1
    assert "Backstory is in none of its settings: yours or this project's" in told.stdout
    assert "to do: backstory install gemini" in told.stdout


def test_an_agent_in_use_without_an_entry_is_no_fault_where_nobody_asked(project: Path) -> None:
    (home_of(project) / ".gemini").mkdir()
    told = ran(project, "doctor")

    assert told.returncode == 0
    assert "gemini  is not installed: backstory install gemini" in told.stdout
    assert told.stdout.endswith("Everything is well.\n")


def test_a_program_that_is_gone_is_named(project: Path) -> None:
    ran(project, "install", "claude-code")
    settings = home_of(project) / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace(sys.executable, "/nowhere/python"))
    agent = tried(project, "claude-code")

    assert slugs(agent) == ["agent-program-gone"]
    assert agent["findings"][0]["subject"] == "/nowhere/python"


def test_a_switch_of_the_agent_is_told_beside_hooks_that_work(project: Path) -> None:
    ran(project, "install", "claude-code")
    settings = home_of(project) / ".claude" / "settings.json"
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "disableAllHooks": True}))

    assert slugs(tried(project, "claude-code")) == ["agent-hooks-off"]


def test_a_broken_settings_file_is_told_and_left(project: Path) -> None:
    file = home_of(project) / ".cursor" / "hooks.json"
    file.parent.mkdir()
    file.write_text('{"hooks": ')

    assert slugs(tried(project, "cursor")) == ["agent-file-broken"]
    assert file.read_text() == '{"hooks": '


def test_memory_that_is_off_on_the_machine_is_told(project: Path) -> None:
    ran(project, "install", "claude-code")
    ran(project, "off", "--machine")

    assert "agent-memory-off" in slugs(tried(project, "claude-code"))


def test_a_hook_that_records_nothing_is_told(project: Path) -> None:
    ran(project, "install", "claude-code")

    assert slugs(tried(project, "claude-code", BACKSTORY_OFF="1")) == ["agent-not-recorded"]


@pytest.mark.case("C16")
def test_an_answer_that_the_agent_would_refuse_is_told(project: Path) -> None:
    ran(project, "install", "claude-code")
    talker = project.parent / "bin" / "backstory"
    talker.parent.mkdir()
    talker.write_text("#!/bin/sh\necho hello\n")
    talker.chmod(talker.stat().st_mode | stat.S_IXUSR)
    settings = home_of(project) / ".claude" / "settings.json"
    told = json.loads(settings.read_text())
    hook = told["hooks"]["UserPromptSubmit"][0]["hooks"][0]
    hook["command"] = f"{talker} hook --host claude-code --event UserPromptSubmit || true"
    settings.write_text(json.dumps(told))
    agent = tried(project, "claude-code")

    assert "agent-bad-answer" in slugs(agent)
    assert "no JSON" in agent["findings"][0]["subject"]


def test_an_unknown_agent_is_named(project: Path) -> None:
    assert ran(project, "doctor", "emacs").returncode == 2
