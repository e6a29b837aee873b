"""The plugin for opencode, run by node with a host that does what opencode does."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from backstory.adapters.installing.hosts import entries_for
from hosting import QUIET, Host, a_repository
from installing import a_site

RULE = "From now on always use pytest for the tests. Please remember that."
PROGRAM = f"{sys.executable} -m backstory.cli.app"
NODE = shutil.which("node")

# Calls the plugin as opencode 1.18 does: names and shapes are those of its own plugin types.
DRIVER = """
import { Backstory } from "./backstory.mjs";
import { readFileSync } from "node:fs";

const { directory, steps } = JSON.parse(readFileSync(0, "utf8"));
const hooks = await Backstory({ directory });
const shown = [];
for (const [name, input, output] of steps) {
  const given = output || { system: [] };
  await hooks[name](input, given);
  if (name.endsWith("system.transform")) shown.push(given.system);
}
console.log(JSON.stringify(shown));
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project."""
    return a_repository(tmp_path / "shop")


def drive(
    project: Path, *steps: list[Any], program: str = PROGRAM, words: Sequence[str] = ()
) -> Any:
    """Let opencode do these things in a process of its own; return what the model is shown.

    `words` are what it was called with.
    """
    folder = project.parent
    entries = entries_for("opencode", a_site(folder, program=program))
    (shim,) = [entry.whole for entry in entries if entry.whole]
    (folder / "backstory.mjs").write_text(shim, encoding="utf-8")
    (folder / "driver.mjs").write_text(DRIVER, encoding="utf-8")
    if NODE is None:
        pytest.skip("needs node, which runs the plugin")
    ran = subprocess.run(
        [NODE, "driver.mjs", *words],
        input=json.dumps({"directory": str(project), "steps": steps}),
        cwd=folder,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(ran.stdout)


def prompt(text: str, *, session: str = "ses_1", name: str = "msg_1") -> list[Any]:
    parts = [{"type": "text", "text": text}, {"type": "text", "text": "x", "synthetic": True}]
    return ["chat.message", {"sessionID": session}, {"message": {"id": name}, "parts": parts}]


def request(session: str = "ses_1") -> list[Any]:
    return ["experimental.chat.system.transform", {"sessionID": session}]


def naming(session: str = "ses_1") -> list[Any]:
    """Return the request that only gives a session its title."""
    system = {"system": ["You are a title generator. You output ONLY a thread title."]}
    return ["experimental.chat.system.transform", {"sessionID": session}, system]


def event(kind: str, **properties: object) -> list[Any]:
    return ["event", {"event": {"type": kind, "properties": properties}}]


def part(text: str, message: str, *, session: str = "ses_1") -> list[Any]:
    told = {"type": "text", "text": text, "messageID": message, "sessionID": session}
    return event("message.part.updated", part=told)


def answer(text: str, *, session: str = "ses_1") -> list[list[Any]]:
    """Return what opencode tells while the model answers."""
    return [
        event("message.updated", sessionID=session, info={"id": "msg_1", "role": "user"}),
        part("what the user said", "msg_1", session=session),
        event("message.updated", sessionID=session, info={"id": "msg_2", "role": "assistant"}),
        part(text[:4], "msg_2", session=session),
        part(text, "msg_2", session=session),
        event("session.idle", sessionID=session),
    ]


def test_a_session_is_recorded_and_the_next_one_is_shown_it(project: Path) -> None:
    drive(project, prompt(RULE), *answer("Understood."))
    host = Host(project, name="opencode", session="ses_1")
    with host.memory() as memory:
        memory.settle()
        turns = memory.history(memory.thread_for("opencode", "ses_1"))
    shown = drive(
        project, prompt("Which test runner do we use?", session="ses_2"), request("ses_2")
    )

    assert [(turn.user_text, turn.answer_text) for turn in turns] == [(RULE, "Understood.")]
    assert any("pytest" in text for text in shown[0])


def test_a_command_is_recorded_with_its_exit_code(project: Path) -> None:
    call = {"tool": "bash", "sessionID": "ses_1", "callID": "c1"}
    drive(
        project,
        prompt("Build it, please."),
        ["tool.execute.before", call, {"args": {"command": "make build"}}],
        ["tool.execute.after", call, {"title": "", "output": "", "metadata": {"exit": 2}}],
    )
    with Host(project).memory() as memory:
        written = memory.export().read_text(encoding="utf-8")

    assert "$ make build\\nexit code 2" in written


def test_what_an_agent_tells_another_is_nobody_s_word(project: Path) -> None:
    child = {"id": "ses_2", "parentID": "ses_1"}
    shown = drive(
        project,
        prompt("Look around."),
        event("session.created", sessionID="ses_2", info=child),
        prompt(RULE, session="ses_2"),
        request("ses_2"),
    )
    with Host(project).memory() as memory:
        memory.settle()
        items = memory.list()

    assert shown == [[]]
    assert items == ()


def test_a_program_that_is_gone_disturbs_nobody(project: Path) -> None:
    assert drive(project, prompt("Hello."), request(), program="/nowhere/backstory") == [[]]


def test_what_is_shown_stays_within_what_hosts_take(project: Path) -> None:
    talker = project.parent / "talker"
    talker.write_text('#!/bin/sh\ncat > /dev/null\nprintf \'{"context": "%04000d"}\' 7\n')
    talker.chmod(0o755)
    prompts = [prompt(f"Question {number}.", name=f"m{number}") for number in range(5)]
    shown = drive(project, *prompts, request(), program=str(talker))

    assert [len(text) for text in shown[0]] == [4000, 4000]


def test_a_request_that_names_a_session_is_shown_nothing(project: Path) -> None:
    drive(project, prompt(RULE), *answer("Understood."))
    with Host(project).memory() as memory:
        memory.settle()
    asked = prompt("Which test runner do we use?", session="ses_2")
    named, shown = drive(project, asked, naming("ses_2"), request("ses_2"))

    assert len(named) == 1
    assert any("pytest" in text for text in shown)


@pytest.mark.parametrize(
    ("words", "wanted", "kept"),
    [
        (["--print-logs", "run", RULE], "1", RULE),
        (["run", RULE], "", None),
        (["--agent", "build"], "", f'"{RULE}"'),
        ([], "", f'"{RULE}"'),
    ],
)
def test_what_a_script_has_it_do_is_recorded_only_where_that_is_wanted(
    project: Path,
    words: list[str],
    wanted: str,
    kept: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(QUIET, "BACKSTORY_HEADLESS", wanted)
    # As `opencode run` hands over what it was given.
    drive(project, prompt(f'"{RULE}"'), *answer("Understood."), words=words)
    with Host(project).memory() as memory:
        turns = memory.history(memory.thread_for("opencode", "ses_1"))

    assert [turn.user_text for turn in turns] == ([] if kept is None else [kept])
