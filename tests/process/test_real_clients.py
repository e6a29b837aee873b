"""What is said in one session of a real agent is in its model's next request, until uninstalled.

The agents are those of tests/agents.py, which says where they come from; their models are
servers on this machine.
"""

import os
import re
import shlex
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from agents import AGENTS, Agent, Seat, modules_in
from backstory.adapters.rehearsal.agents import runnable
from commands import run
from hosting import Host, state_of
from model_servers import Seen, serving
from processes import PROCESSES, marked
from projects import a_project
from streamed import ToolCall, result_of, said, tools_in

WISH = "From now on, always answer me in French. Please remember that."
REMEMBERED = "always answer me in French"
# It holds a word that has it read at once, so that no worker waits for more to be said.
QUESTION = "Which language did I ask you to remember?"
SAID = "We decided to use Redis for the queue."
# What a person lets a script do, and how each agent names a server's tools.
TOOLS_ALLOWED = {
    "claude-code": ["--allowedTools", "mcp__backstory"],
    # Of a model that it does not know, Codex thinks that it calls tools one by one.
    "codex": ["--model", "unheard-of"],
    "gemini": ["--allowed-tools", "mcp_backstory_recall,mcp_backstory_remember"],
    "copilot": ["--allow-tool", "backstory"],
    "opencode": [],
}
TOOL_NAMES = {
    "claude-code": ("", "mcp__backstory__"),
    "codex": ("mcp__backstory", ""),
    "gemini": ("", "mcp_backstory_"),
    "copilot": ("", "backstory-"),
    "opencode": ("", "backstory_"),
}
RUN_BY_DOCTOR = [agent for agent in AGENTS if runnable(agent.host) is not None]
WANTED = "[hooks]\nheadless = true\n"


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the agents' programs are."""
    return modules_in(tmp_path_factory.mktemp("agents"))


@pytest.fixture(params=AGENTS, ids=lambda agent: agent.host)
def agent(request: pytest.FixtureRequest) -> Agent:
    """Return each agent in turn."""
    found = request.param
    assert isinstance(found, Agent)
    return found


@pytest.fixture
def seat(
    agent: Agent, modules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Seat]:
    """Return an agent at work in a project, with Backstory installed for it."""
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    with serving(agent.wire) as server:
        server.play(lambda seen: said(agent.wire, seen, "Understood."))
        seat = Seat(agent, modules, home, a_project(tmp_path / "shop"), server)
        seat.prepare()
        want_scripts(seat)
        run("install", agent.host, at=seat.project)
        yield seat


def want_scripts(seat: Seat) -> None:
    """Have hooks take part although nobody is at the keyboard."""
    file = seat.home / ".config" / "backstory" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(WANTED)


def turns(seat: Seat) -> list[tuple[str, str, str]]:
    """Return what is recorded."""
    return rows(seat, "SELECT user_text, answer_text, state FROM turn ORDER BY seq")


def rows(seat: Seat, sql: str) -> list[tuple[str, ...]]:
    """Return what the store holds."""
    file = state_of(seat.project) / "memory.db"
    reader = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return list(reader.execute(sql))
    finally:
        reader.close()


def until_read(seat: Seat) -> None:
    """Wait until everything is read, by the worker that a hook started or by one of ours."""
    until = time.monotonic() + 60
    while [one for one in open_jobs(seat) if one != "project"]:
        assert time.monotonic() < until
        run("work", at=seat.project)


def open_jobs(seat: Seat) -> list[str]:
    """Return the kinds of the jobs that wait."""
    told = run("status", "--json", at=seat.project).told
    return [job["kind"] for job in told["jobs"] if job["state"] == "open"]


def until_ended(seat: Seat) -> None:
    """Wait until no process of the agent, its hooks and their worker is left."""
    until = time.monotonic() + 60
    while left := marked(f"HOME={seat.home}"):
        assert time.monotonic() < until, [*map(words_of, left)]
        time.sleep(0.2)


def words_of(number: int) -> bytes:
    return (PROCESSES / str(number) / "cmdline").read_bytes().replace(b"\0", b" ")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_wish_is_in_the_request_of_the_next_session_until_uninstalled(seat: Seat) -> None:
    first = seat.asks(WISH)
    until_read(seat)
    second = seat.asks(QUESTION)
    run("uninstall", seat.agent.host, at=seat.project)
    third = seat.asks(QUESTION)
    until_ended(seat)

    assert WISH in first
    assert REMEMBERED in second
    assert QUESTION in third
    assert "French" not in third
    assert "backstory" not in third.lower()
    assert turns(seat) == [
        (WISH, "Understood.", "completed"),
        (QUESTION, "Understood.", "completed"),
    ]
    for name, text in seat.agent.settings.items():
        assert (seat.home / name).read_text() == text


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_an_agent_works_on_where_memory_is_locked_or_damaged(seat: Seat) -> None:
    run("remember", "We decided to use PostgreSQL for the main database.", at=seat.project)
    file = state_of(seat.project) / "memory.db"
    writer = apsw.Connection(str(file))
    writer.execute("BEGIN IMMEDIATE")
    seat.asks(WISH)
    writer.execute("ROLLBACK")
    writer.close()
    # What waited is stored by the next hook that finds the store open, whichever it is.
    Host(seat.project).fire("SessionStart", source="startup")
    kept = turns(seat)
    file.write_bytes(b"no database" * 1_000)
    seat.asks(QUESTION)
    until_ended(seat)

    assert kept[-1] == (WISH, "Understood.", "completed")
    assert file.read_bytes() == b"no database" * 1_000


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_a_script_has_an_agent_do_is_not_recorded_by_itself(seat: Seat) -> None:
    (seat.home / ".config" / "backstory" / "config.toml").unlink()
    run("remember", "We decided to use PostgreSQL for the main database.", at=seat.project)
    before = turns(seat)
    asked = seat.asks(WISH)

    assert "PostgreSQL" not in asked
    assert turns(seat) == before


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("agent", AGENTS[:1], ids=["claude-code"], indirect=True)
def test_what_a_subagent_does_is_not_recorded(seat: Seat) -> None:
    seat.server.play(lambda seen: said(seat.agent.wire, seen, with_a_subagent(seen)))
    seat.asks("Ask an agent, please.", "--allowedTools", "Bash")
    recorded = " ".join(payload for (payload,) in rows(seat, "SELECT payload FROM event"))

    assert "of the main line" in recorded
    assert "of the subagent" not in recorded
    # Not the errand of the subagent either, nor the notice of its end.
    assert [text for text, _, _ in turns(seat)] == ["Ask an agent, please."]


def with_a_subagent(seen: Seen) -> str | ToolCall:
    """Return what a model says that sends a subagent first, and then runs a command itself."""
    asked = str(seen.body.get("messages"))
    is_subagent = "An errand." in asked and "call-agent" not in asked
    if is_subagent:
        command = ToolCall("call-inner", "Bash", {"command": "echo of the subagent"})
        return "Ready." if "call-inner" in asked else command
    if "call-agent" not in asked:
        errand = {
            "description": "look",
            "prompt": "An errand.",
            "subagent_type": "general-purpose",
        }
        return ToolCall("call-agent", "Agent", errand)
    command = ToolCall("call-outer", "Bash", {"command": "echo of the main line; exit 3"})
    return "Ready." if "call-outer" in asked else command


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_model_recalls_and_remembers_by_the_server_that_was_installed(seat: Seat) -> None:
    agent = seat.agent
    run("remember", "We decided to use PostgreSQL for the main database.", at=seat.project)
    seat.server.play(lambda seen: said(agent.wire, seen, with_tools(agent, seen)))
    seat.asks(f"{SAID} Which database do we have?", *TOOLS_ALLOWED[agent.host])
    last = next(one for one in reversed(seat.server.seen) if result_of(agent.wire, one, "call-2"))
    until_ended(seat)

    assert "to use PostgreSQL for the main database" in result_of(agent.wire, last, "call-1")
    (item,) = {*re.findall(r"m_\w+", result_of(agent.wire, last, "call-2"))}
    assert SAID.rstrip(".") in run("show", item, at=seat.project).out


def with_tools(agent: Agent, seen: Seen) -> str | ToolCall:
    """Return what a model says that recalls and then remembers, as soon as it is offered that."""
    group, prefix = TOOL_NAMES[agent.host]
    words = {"statement": SAID, "user_words": SAID}
    for call in (
        ToolCall("call-1", f"{prefix}recall", {"query": "database"}, group),
        ToolCall("call-2", f"{prefix}remember", words, group),
    ):
        if not result_of(agent.wire, seen, call.key):
            is_offered = call.name in tools_in(agent.wire, seen)
            return call if is_offered else waiting(agent, seen, call)
    return "Ready."


def waiting(agent: Agent, seen: Seen, call: ToolCall) -> ToolCall:
    """Return something else to do: servers are still starting when a session begins."""
    key = f"call-wait-{len(str(seen.body))}"
    match agent.host:
        case "claude-code":
            return ToolCall(key, "ToolSearch", {"query": f"select:{call.name}"})
        case "codex":
            return ToolCall(key, "exec_command", {"cmd": "true"})
        case "copilot":
            return ToolCall(key, "list_agents", {})
        case "opencode":
            return ToolCall(key, "glob", {"pattern": "*"})
        case _:
            return ToolCall(key, "list_directory", {"dir_path": "."})


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("agent", AGENTS[1:2], ids=["codex"], indirect=True)
def test_codex_runs_the_hooks_of_install_once_a_person_has_trusted_them(seat: Seat) -> None:
    run("remember", "We decided to use PostgreSQL for the main database.", at=seat.project)
    seat = replace(seat, is_reviewed=True)
    before = seat.asks(QUESTION)
    doubted = faults_of(seat)
    seat.review_hooks()
    after = seat.asks(QUESTION)
    trusted = faults_of(seat)
    until_ended(seat)

    assert "PostgreSQL" not in before
    assert doubted == ["agent-not-reviewed"]
    assert "PostgreSQL" in after
    assert trusted == []


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("agent", AGENTS[1:2], ids=["codex"], indirect=True)
def test_codex_reads_a_project_s_files_once_a_person_has_trusted_the_folder(seat: Seat) -> None:
    run("uninstall", "codex", at=seat.project)
    run("install", "codex", "--scope", "project", at=seat.project)
    before, doubted = seat.servers(), faults_of(seat)
    seat.review_hooks()

    assert (before, doubted) == ([], ["agent-not-trusted", "agent-not-reviewed"])
    assert (seat.servers(), faults_of(seat)) == (["backstory"], [])


def faults_of(seat: Seat) -> list[str]:
    """Return what doctor finds wrong with the agent."""
    (tried,) = run("doctor", seat.agent.host, "--json", at=seat.project).told["agents"]
    return [finding["slug"] for finding in tried["findings"]]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("agent", RUN_BY_DOCTOR, ids=lambda agent: agent.host, indirect=True)
def test_doctor_runs_the_agent_itself(
    seat: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [str(seat.modules / one) for one in seat.agent.program]
    program = tmp_path / "bin" / {"claude-code": "claude"}.get(seat.agent.host, seat.agent.host)
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    (tried,) = run("doctor", seat.agent.host, "--json", at=seat.project).told["agents"]

    assert tried["run"] == {"works": True, "obstacle": ""}
