"""How a hook begins: quickly, alone, and with the same answer as the plain library gives."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest

from backstory.adapters.installing.entries import Site, hook_command
from commands import run
from hosting import HOOK, QUIET, SOURCE, Host, a_repository, context_of
from processes import PROCESSES, marked, until

RULE = "From now on always use pytest for the tests. Please remember that."
PLAIN = "import sys; from backstory.hooks.main import run; run(sys.argv[1:])"
CLAUDE = ["--host", "claude-code", "--event", "UserPromptSubmit"]


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """Return a session in a project that remembers one thing."""
    host = Host(a_repository(tmp_path / "shop"))
    host.turn(RULE)
    with host.memory() as memory:
        memory.settle()
    return host


def payload(host: Host, session: str, **fields: str) -> str:
    prompt = {"prompt": "Which test runner, pytest?", "hook_event_name": "UserPromptSubmit"}
    return json.dumps({"session_id": session, "cwd": str(host.project), **prompt, **fields})


def answers(commands: list[list[str]], text: str) -> list[str]:
    """Start all of these at one moment with one payload, and return what they answer."""
    started = [
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **QUIET},
        )
        for command in commands
    ]
    # The last to be started reads first, so that none is ahead of the others.
    return [process.communicate(text, timeout=60)[0] for process in reversed(started)]


def test_the_stand_ins_change_no_answer(host: Host) -> None:
    quick = answers([[*HOOK, *CLAUDE]], payload(host, "quick"))
    plain = answers([[sys.executable, "-c", PLAIN, *CLAUDE]], payload(host, "plain"))

    assert "pytest" in context_of(json.loads(quick[0]))
    assert quick == plain


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_of_hooks_that_run_twice_at_one_moment_one_answers(host: Host, event: str) -> None:
    text = payload(host, f"twice-{event}", hook_event_name=event, source="startup")
    told = answers([[*HOOK, "--host", "claude-code", "--event", event]] * 4, text)

    assert sorted(bool(context_of(json.loads(one))) for one in told) == [False, False, False, True]


def test_a_session_that_was_compacted_is_shown_the_index_again(host: Host) -> None:
    first = host.fire("SessionStart", source="startup")
    again = host.fire("SessionStart", source="compact")

    assert context_of(first) == context_of(again) != ""


def test_what_is_no_concern_of_memory_loads_neither_store_nor_settings(host: Host) -> None:
    text = payload(host, "s1", hook_event_name="PostToolUse", tool_name="Read", prompt="")
    command = [HOOK[0], "-X", "importtime", *HOOK[1:], *CLAUDE]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=True)

    assert ran.stdout == "{}\n"
    assert "backstory.hooks.main" in ran.stderr
    for module in ("apsw", "backstory.store", "backstory.adapters.settings", "pathlib", "inspect"):
        assert f"| {module}\n" not in ran.stderr.replace("|   ", "| ").replace("  ", "")


def test_a_start_in_an_unusual_place_finds_its_packages(host: Host, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").symlink_to(SOURCE)
    start = tmp_path / "elsewhere" / "backstory" / "hooks" / "start.py"
    told = answers([[*HOOK[:3], str(start), "hook", *CLAUDE]], payload(host, "s9"))

    assert "pytest" in context_of(json.loads(told[0]))


def test_a_launcher_that_is_gone_is_stood_in_for_by_the_program(
    host: Host, tmp_path: Path
) -> None:
    site = Site(
        home=tmp_path,
        env={},
        project=None,
        program=f"{sys.executable} -P -m backstory.cli.app",
        has_mcp=False,
        launcher=(sys.executable, "-I", "-S", str(tmp_path / "python3.0" / "start.py")),
    )
    line = hook_command(site, "claude-code", event="UserPromptSubmit")
    told = answers([["sh", "-c", line]], payload(host, "gone"))

    assert "pytest" in context_of(json.loads(told[0]))


# A hook whose search for what matters never comes back.
STUCK = """
import sys, threading
from backstory.wiring import recalling
recalling.recalled = lambda *_, **__: threading.Event().wait()
from backstory.hooks.main import run
run(sys.argv[1:])
"""


@pytest.mark.case("C15")
def test_what_takes_too_long_is_answered_with_nothing_kept_and_told(host: Host) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", STUCK, *CLAUDE],
        input=payload(host, "s2", prompt_id="p1"),
        env={**os.environ, **QUIET, "BACKSTORY_HOOK_SECONDS": "2"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    told = run("status", "--json", at=host.project).told

    assert ran.stdout == "{}\n"
    assert told["spooled"] == 1
    assert told["today"]["passed_over"] == {"it took too long": 1}
    assert "took too long" in run("status", at=host.project).out


@pytest.mark.case("C15")
@pytest.mark.skipif(not PROCESSES.exists(), reason="Linux tells it there")
def test_how_long_a_hook_runs_counts_from_its_start() -> None:
    code = "from backstory.hooks.reply import started_before_s as told; print(told())"
    begun = time.monotonic()
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    # The system counts in hundredths of a second.
    assert 0 < float(ran.stdout) < time.monotonic() - begun + 0.02


def recorded(host: Host, given: bytes) -> str:
    """Hand a hook these bytes, and return the last thing that was said then."""
    ran = subprocess.run(
        [*HOOK, *CLAUDE], input=given, env={**os.environ, **QUIET}, capture_output=True, check=True
    )
    assert json.loads(ran.stdout.decode("utf-8")) is not None
    host.fire("Stop", last_assistant_message="Fine.")
    with host.memory() as memory:
        return memory.history(memory.thread_for("claude_code", host.session))[-1].user_text


@pytest.mark.case("C17")
@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("你好，看看 ＡＢＣ 👩\u200d💻。\r\nÇa va?", "你好，看看 ＡＢＣ 👩\u200d💻。\r\nÇa va?"),
        ("cafe\u0301 and caf\u00e9", "cafe\u0301 and caf\u00e9"),
        ("half \ud83d of it", "half \ufffd of it"),
    ],
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_prompt_is_kept_as_it_was_whatever_its_characters(
    host: Host, prompt: str, kept: str, mark: bytes
) -> None:
    assert recorded(host, mark + payload(host, host.session, prompt=prompt).encode()) == kept


@pytest.mark.case("C07")
def test_bytes_that_are_no_text_cost_themselves_alone(host: Host) -> None:
    given = payload(host, host.session, prompt="caf#, please").encode().replace(b"#", b"\xe9")

    assert recorded(host, given) == "caf\ufffd, please"


@pytest.mark.case("C45")
@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_directory_whose_name_is_no_text_has_a_memory(tmp_path: Path) -> None:
    host = Host(a_repository(tmp_path / os.fsdecode(b"caf\xe9 \xff")))
    host.turn(RULE)
    with host.memory() as memory:
        memory.settle()

        assert len(memory.list()) == 1


@pytest.mark.case("C20")
def test_a_hook_whose_package_is_gone_is_no_failure(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone" / "bin" / "backstory")
    launcher = (sys.executable, "-I", "-S", str(tmp_path / "gone" / "start.py"))
    for start in ((), launcher):
        site = Site(
            home=tmp_path, env={}, project=None, program=gone, has_mcp=False, launcher=start
        )
        line = hook_command(site, "claude-code", event="UserPromptSubmit")
        ran = subprocess.run(
            ["sh", "-c", line], input="{}", capture_output=True, text=True, check=True
        )

        assert ran.stdout == ""


@pytest.mark.case("C13")
@pytest.mark.skipif(not PROCESSES.exists(), reason="processes are found by their environment")
def test_hooks_of_an_agent_that_was_killed_leave_no_process(host: Host) -> None:
    left_by(host, calls=6)


@pytest.mark.slow
@pytest.mark.skipif(not PROCESSES.exists(), reason="processes are found by their environment")
@pytest.mark.timeout(600)
def test_two_hundred_hooks_of_a_killed_agent_leave_no_process(host: Host) -> None:
    left_by(host, calls=200)


# An agent that runs its hooks one after another, until it is killed.
AGENT = """
import json, subprocess, sys
hook, calls = json.loads(sys.argv[1])
for number, call in enumerate(calls):
    subprocess.run([*hook, call["hook_event_name"]], input=json.dumps(call), text=True)
    if number == len(calls) // 2:
        print("half", flush=True)
"""


def left_by(host: Host, *, calls: int) -> None:
    """Let an agent run hooks, kill it half way, and see what it started end by itself."""
    name, mark = "BACKSTORY_TEST_MARK", uuid4().hex
    said = [
        json.loads(payload(host, "m", prompt=f"{RULE} ({n})", prompt_id=str(n)))
        for n in range(calls // 2)
    ]
    both = [
        {**call, "hook_event_name": event}
        for call in said
        for event in ("UserPromptSubmit", "Stop")
    ]
    given = json.dumps([[*HOOK, "--host", "claude-code", "--event"], both])
    with subprocess.Popen(
        [sys.executable, "-c", AGENT, given],
        stdout=subprocess.PIPE,
        env={**os.environ, **QUIET, name: mark},
    ) as agent:
        assert agent.stdout is not None
        while b"half" not in agent.stdout.readline():
            pass
        agent.send_signal(signal.SIGKILL)
    until(lambda: not marked(f"{name}={mark}"))
    # And nothing of it is lost: what they had started did its work, or the next one does it.
    host.fire("SessionStart", source="startup")
    until(lambda: turns_read(host) > 1)


def turns_read(host: Host) -> int:
    run("work", at=host.project)
    return int(run("status", "--json", at=host.project).told["today"]["turns_read"])
