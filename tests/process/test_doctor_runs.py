"""Doctor runs an agent itself, and sees whether its model gets what the hooks answer.

The agent is a program of the test's own that does what Claude Code does; the real ones have
their test in test_real_clients.py.
"""

import stat
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from commands import run
from hosting import a_repository
from processes import marked

# Runs the hooks that its settings name, and asks its model with what they answered.
AGENT = """#!{python}
import json, os, socket, subprocess, sys, tempfile, urllib.request

def heard(event, **more):
    shared = dict(session_id="s1", cwd=os.getcwd(), hook_event_name=event, prompt_id="p1")
    (group,) = hooks[event]
    ran = subprocess.run(
        group["hooks"][0]["command"], shell=True, input=json.dumps(shared | more),
        capture_output=True, text=True,
    )
    return json.loads(ran.stdout).get("hookSpecificOutput", dict()).get("additionalContext", "")

with open(os.path.join(os.environ["HOME"], ".claude", "settings.json")) as file:
    hooks = json.load(file)["hooks"]
asked = sys.argv[-1]
told = heard("UserPromptSubmit", prompt=asked)
heard("Stop", last_assistant_message="Done.")
{then}
"""
FORGETS = """
body = json.dumps(dict(messages=[dict(role="user", content=asked)])).encode()
url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages?beta=true"
with urllib.request.urlopen(urllib.request.Request(url, body)) as answer:
    sys.exit(0 if b"message_stop" in answer.read() else 1)
"""
# Like every agent it keeps a history in its home.
PASSES_ON = """
with open(os.path.join(os.environ["HOME"], "history"), "w") as file:
    file.write(asked)
""" + FORGETS.replace("content=asked", "content=told + asked")
BREAKS = 'sys.exit("no such option: -p")'
LEAVES = """
subprocess.Popen(["sleep", "300"], start_new_session=True)  # it holds what the agent says open
open(os.path.join(tempfile.gettempdir(), "left"), "w").close()
"""
PRINTS = 'for _ in range(300): sys.stdout.write("x" * 1_000_000)'
SPEAKS_NO_HTTP = """
place = os.environ["ANTHROPIC_BASE_URL"].rpartition("/")[2].split(":")
for said in (b"POST / HTTP/1.1\\r\\ncontent-length: none\\r\\n\\r\\n", b"\\xff\\r\\n"):
    with socket.create_connection(place) as connection:
        connection.sendall(said)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project whose user has Backstory in Claude Code."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    made = a_repository(tmp_path / "shop")
    run("install", "claude-code", at=made)
    return made


def put_on_path(then: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a program be what `claude` is on this machine."""
    program = project.parent / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(AGENT.format(python=sys.executable, then=then))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")


def tried(project: Path, *options: str) -> Any:
    """Return what doctor says of Claude Code."""
    told = run("doctor", "claude-code", *options, "--json", at=project).told
    return told["agents"][0]


def snapshot(project: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in project.parent.rglob("*") if p.is_file()}


def test_an_agent_that_passes_on_what_hooks_answer_works(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(PASSES_ON, project, monkeypatch)
    before = snapshot(project)
    agent = tried(project)

    assert agent["findings"] == []
    assert agent["run"] == {"works": True, "obstacle": ""}
    assert snapshot(project) == before


def test_an_agent_that_keeps_it_from_its_model_is_told(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(FORGETS, project, monkeypatch)
    agent = tried(project)

    assert [one["slug"] for one in agent["findings"]] == ["agent-not-passed-on"]
    assert agent["run"]["works"] is False


def test_an_agent_that_runs_no_hook_of_a_prompt_is_told(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(FORGETS, project, monkeypatch)
    program = project.parent / "bin" / "claude"
    program.write_text(program.read_text().replace('heard("UserPromptSubmit", ', "dict("))
    agent = tried(project)

    assert [one["slug"] for one in agent["findings"]] == [
        "agent-not-passed-on",
        "agent-not-recorded",
    ]


def test_an_agent_that_cannot_be_run_is_no_fault(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(BREAKS, project, monkeypatch)
    agent = tried(project)

    assert agent["findings"] == []
    assert agent["run"]["works"] is None
    assert "no such option" in agent["run"]["obstacle"]


def test_an_agent_that_is_not_there_or_not_asked_for_is_not_run(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    gone = tried(project)
    put_on_path(BREAKS, project, monkeypatch)

    assert gone["run"] is None
    assert tried(project, "--no-run")["run"] is None


def test_nothing_that_an_agent_leaves_behind_stays_or_is_waited_for(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(LEAVES, project, monkeypatch)
    (project.parent / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(project.parent / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    agent = tried(project)

    assert agent["run"] == {"works": None, "obstacle": "it did not ask its model"}
    assert marked(f"HOME={project.parent / 'tmp'}") == []
    assert not [*(project.parent / "tmp").iterdir()]


def test_an_agent_that_prints_without_end_takes_no_memory(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(PRINTS, project, monkeypatch)
    tracemalloc.start()
    agent = tried(project)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert agent["run"]["obstacle"] == "it did not ask its model"
    assert most < 100_000_000


def test_an_agent_that_is_no_program_is_told_as_an_obstacle(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(BREAKS, project, monkeypatch)
    (project.parent / "bin" / "claude").write_text("no program")
    agent = tried(project)

    assert agent["findings"] == []
    assert "cannot be started" in agent["run"]["obstacle"]


def test_an_agent_that_speaks_no_http_is_passed_over_in_silence(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    put_on_path(SPEAKS_NO_HTTP, project, monkeypatch)

    assert tried(project)["run"]["obstacle"] == "it did not ask its model"
    assert "Traceback" not in capfd.readouterr().err
