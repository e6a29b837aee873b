"""The hook records, shows, keeps silent where it should, and never fails its host."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import apsw
import pytest

from backstory.adapters.locking import LOCK_NAME, WorkerLock
from backstory.model.words import TurnState
from commands import run
from hosting import Host, a_repository, context_of, state_of

RULE = "From now on always use pytest for the tests. Please remember that."
QUESTION = "Which test runner do we use, pytest or something else?"


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """Return a session of Claude Code in a project."""
    return Host(a_repository(tmp_path / "shop"))


def settled(host: Host) -> list[str]:
    """Return what is remembered once everything was read."""
    with host.memory() as memory:
        memory.settle()
        return [item.revision.statement for item in memory.list()]


def turns(host: Host) -> list[tuple[str, str, TurnState]]:
    """Return what is recorded."""
    with host.memory() as memory:
        thread = memory.thread_for("claude_code", host.session)
        return [(t.user_text, t.answer_text, t.state) for t in memory.history(thread)]


def test_what_was_said_in_one_session_is_shown_in_the_next(host: Host) -> None:
    host.fire("SessionStart", source="startup")
    host.turn(RULE, "Understood.")
    remembered = settled(host)
    later = Host(host.project, session="s2")

    assert remembered == ["From now on always use pytest for the tests"]
    assert "pytest" in context_of(later.fire("SessionStart", source="startup"))
    assert "pytest" in context_of(later.fire("UserPromptSubmit", prompt=QUESTION))


def test_a_session_begins_with_the_last_piece_of_work_and_what_is_left_open(host: Host) -> None:
    with host.memory() as memory:
        memory.begin_episode("move the cart to the new API")
        memory.end_episode()
        memory.add_todo("write the migration guide")

    told = context_of(host.fire("SessionStart", source="startup"))

    assert "move the cart to the new API" in told.partition("Last episode")[2].splitlines()[0]
    assert "Left open: write the migration guide" in told


@pytest.mark.case("C30")
def test_what_a_session_was_shown_is_not_shown_to_it_again(host: Host) -> None:
    host.turn(RULE)
    settled(host)

    assert "pytest" in host.turn(QUESTION, key="p2")
    assert host.turn(QUESTION, key="p3") == ""


def test_a_turn_is_recorded_with_its_answer_and_once(host: Host) -> None:
    for _ in range(2):
        host.fire("UserPromptSubmit", prompt="你好，先看看数据库。", prompt_id="p1")
    for _ in range(2):
        host.fire("Stop", last_assistant_message="好的。", prompt_id="p1")

    assert turns(host) == [("你好，先看看数据库。", "好的。", TurnState.COMPLETED)]


def test_a_host_without_names_for_turns_is_recorded_once_too(host: Host) -> None:
    for _ in range(2):
        host.fire("UserPromptSubmit", prompt="Look at the database first.")
    host.fire("Stop", last_assistant_message="Looked.")

    assert [said for said, _, _ in turns(host)] == ["Look at the database first."]


def test_a_prompt_that_was_broken_off_is_kept(host: Host) -> None:
    host.fire("UserPromptSubmit", prompt=RULE, prompt_id="p1")
    host.turn("Never mind the rest.", key="p2")

    assert settled(host) == ["From now on always use pytest for the tests"]


def test_commands_are_recorded_with_their_exit_codes_and_without_secrets(host: Host) -> None:
    secret = "sk-ant-api03-" + "A" * 40
    bash = {"tool_name": "Bash", "tool_input": {"command": f"curl -H 'x-api-key: {secret}'"}}
    host.fire("UserPromptSubmit", prompt="Try it.", prompt_id="p1")
    host.fire("PostToolUseFailure", **bash, tool_use_id="u1", error="Exit code 7\nno route")
    host.fire("PostToolUse", **bash, tool_use_id="u2", tool_response={"stdout": "ok"})
    host.fire("PostToolUse", **bash, tool_use_id="u2", tool_response={"stdout": "ok"})
    with host.memory() as memory:
        events = memory.status().events
        exported = memory.export().read_text()

    assert events == 2
    assert secret not in exported
    assert "exit code 7" in exported


@pytest.mark.case("C30", "C43")
@pytest.mark.parametrize(
    ("env", "fields"),
    [
        ({"CI": "true"}, {}),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, {}),
        ({}, {"agent_id": "a1"}),
        ({"BACKSTORY_OFF": "1"}, {}),
        ({"BACKSTORY_PURPOSE": "code_audit"}, {}),
    ],
)
def test_where_memory_is_silent_nothing_is_written(
    host: Host, env: dict[str, str], fields: dict[str, str]
) -> None:
    host.env = env
    answer = host.fire("UserPromptSubmit", prompt=RULE, **fields)

    assert answer == {}
    assert not state_of(host.project).exists()


@pytest.mark.case("C43")
def test_a_script_may_be_wanted(host: Host) -> None:
    host.env = {"CI": "true", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "BACKSTORY_HEADLESS": "1"}
    host.turn(RULE)

    assert len(turns(host)) == 1


def test_a_script_may_be_wanted_by_a_setting(host: Host) -> None:
    host.env = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    host.turn("This one is passed over.", key="p0")
    state_of(host.project).mkdir(exist_ok=True)
    (state_of(host.project) / "config.toml").write_text("[hooks]\nheadless = true\n")
    host.turn(RULE)

    assert [said for said, _, _ in turns(host)] == [RULE]


@pytest.mark.case("C15", "C64")
def test_what_was_passed_over_is_told_with_its_reason(host: Host) -> None:
    host.turn(RULE)
    host.env = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    host.turn("Look at this, please.", key="p2")
    host.env = {}
    host.fire("UserPromptSubmit", prompt="What is there?", prompt_id="p3", agent_id="a1")
    host.env = {"BACKSTORY_PURPOSE": "no such purpose"}
    host.fire("UserPromptSubmit", prompt="Look at this, please.", prompt_id="p4")
    host.env = {"BACKSTORY_OFF": "1"}
    host.turn("Nothing of this is counted.", key="p5")
    told = run("status", "--json", at=host.project).told["today"]

    assert told["turns"] == 1
    assert told["passed_over"] == {
        "a script ran it (hooks.headless is off)": 1,
        "a subagent sent it": 1,
        "usage": 1,
    }
    assert "a subagent sent it" in run("status", at=host.project).out


def test_beside_an_isolated_purpose_not_even_a_count_is_written(host: Host) -> None:
    host.turn(RULE)
    host.env = {"BACKSTORY_PURPOSE": "code_audit"}
    host.fire("UserPromptSubmit", prompt="What is there?", prompt_id="p3", agent_id="a1")

    assert not (state_of(host.project) / "passed-over").exists()


@pytest.mark.case("C07")
def test_a_broken_file_in_the_spool_is_put_aside_and_told(host: Host) -> None:
    host.turn(RULE)
    spool = state_of(host.project) / "spool"
    spool.mkdir(exist_ok=True)
    (spool / "000000000000001-0.json").write_text('{"half": ')
    host.turn("Go on.", key="p2")

    assert run("status", "--json", at=host.project).told["spooled_bad"] == 1
    assert [path.suffix for path in spool.iterdir()] == [".bad"]
    assert "cannot be stored" in run("status", at=host.project).out


def test_an_isolated_prompt_is_told_once_for_a_session(host: Host) -> None:
    told = [
        host.fire("UserPromptSubmit", prompt=prompt, prompt_id=f"p{n}").get("systemMessage", "")
        for n, prompt in enumerate(["/review it", "/security-review", "Go on.", "/review again"])
    ]
    host.fire("SessionEnd", reason="other")
    anew = host.fire("UserPromptSubmit", prompt="/review it", prompt_id="p9")

    assert "isolated" in told[0]
    assert told[1:] == ["", "", ""]
    assert "isolated" in anew["systemMessage"]


@pytest.mark.case("C26")
def test_sessions_of_codex_about_its_own_memories_are_passed_over(tmp_path: Path) -> None:
    home = a_repository(tmp_path / "codex")
    codex = Host(home, name="codex", env={"CODEX_HOME": str(home)})
    codex.fire("UserPromptSubmit", prompt=RULE, turn_id="t1")

    assert not state_of(home).exists()


def test_a_review_runs_isolated_and_it_is_told_once(host: Host) -> None:
    host.turn(RULE)
    settled(host)
    told = host.fire("UserPromptSubmit", prompt="/review which test runner? pytest?")
    during = host.fire("PostToolUse", tool_name="Bash", tool_input={"command": "ls"})
    host.fire("Stop", last_assistant_message="All is well: we use pytest.")
    after = host.turn("Which test runner do we use, then? pytest?", key="p9")

    assert "isolated" in told["systemMessage"]
    assert context_of(told) == ""
    assert during == {}
    assert "pytest" in after
    assert not [said for said, _, _ in turns(host) if "/review" in said]


def test_an_isolated_purpose_is_told_when_the_session_starts(host: Host) -> None:
    host.env = {"BACKSTORY_PURPOSE": "evaluation"}
    answer = host.fire("SessionStart", source="startup")

    assert "evaluation" in answer["systemMessage"]
    assert context_of(answer) == ""


@pytest.mark.case("C03", "C15")
def test_a_locked_store_puts_the_turn_into_the_spool_and_the_next_hook_takes_it(
    host: Host,
) -> None:
    host.turn(RULE)
    settled(host)
    writer = apsw.Connection(str(state_of(host.project) / "memory.db"))
    writer.execute("BEGIN IMMEDIATE")
    shown = host.fire("UserPromptSubmit", prompt=QUESTION, prompt_id="p2")
    spooled = list((state_of(host.project) / "spool").glob("*.json"))
    writer.execute("ROLLBACK")
    writer.close()
    status = run("status", "--json", at=host.project).told
    host.fire("Stop", last_assistant_message="pytest.", prompt_id="p2")

    assert "pytest" in context_of(shown)
    assert len(spooled) == status["spooled"] == 1
    assert not list((state_of(host.project) / "spool").iterdir())
    assert (QUESTION, "pytest.", TurnState.COMPLETED) in turns(host)


def test_of_two_deliveries_one_is_answered_though_nothing_can_be_stored(host: Host) -> None:
    host.turn(RULE)
    settled(host)
    later = Host(host.project, session="s2")
    stored = context_of(later.fire("UserPromptSubmit", prompt=QUESTION, prompt_id="p2"))
    writer = apsw.Connection(str(state_of(host.project) / "memory.db"))
    writer.execute("BEGIN IMMEDIATE")
    again = later.fire("UserPromptSubmit", prompt=QUESTION, prompt_id="p2")
    third = Host(host.project, session="s3")
    begun = [third.fire("SessionStart", source="startup") for _ in range(2)]
    asked = [third.fire("UserPromptSubmit", prompt=QUESTION, prompt_id="p3") for _ in range(2)]
    writer.execute("ROLLBACK")
    writer.close()
    third.fire("Stop", last_assistant_message="pytest.", prompt_id="p3")

    assert "pytest" in stored
    assert again == {}
    assert ["pytest" in context_of(answer) for answer in begun] == [True, False]
    assert ["pytest" in context_of(answer) for answer in asked] == [True, False]
    assert turns(third) == [(QUESTION, "pytest.", TurnState.COMPLETED)]


def test_a_prompt_that_is_recorded_is_not_answered_again_while_nothing_can_be_stored(
    host: Host,
) -> None:
    later = Host(host.project, session="s2")
    later.fire("UserPromptSubmit", prompt=QUESTION, prompt_id="p2")
    host.turn(RULE)
    settled(host)
    writer = apsw.Connection(str(state_of(host.project) / "memory.db"))
    writer.execute("BEGIN IMMEDIATE")
    again = later.fire("UserPromptSubmit", prompt=QUESTION, prompt_id="p2")
    other = later.fire("UserPromptSubmit", prompt=QUESTION, prompt_id="p3")
    writer.execute("ROLLBACK")
    writer.close()

    assert again == {}
    assert "pytest" in context_of(other)


def test_what_was_answered_long_ago_goes_when_a_session_starts(host: Host) -> None:
    host.turn(RULE)
    noted = state_of(host.project) / "answered"
    noted.write_text("")
    os.utime(noted, (0, 0))
    host.fire("SessionStart", source="startup")

    assert not noted.exists()


def test_an_answer_that_its_host_only_wrote_down_waits_in_the_spool(tmp_path: Path) -> None:
    copilot = Host(a_repository(tmp_path / "shop"), name="copilot")
    copilot.turn("Look around, please.")
    said = {"type": "assistant.message", "data": {"content": "Looked."}}
    transcript = tmp_path / "events.jsonl"
    transcript.write_text(json.dumps(said) + "\n")
    writer = apsw.Connection(str(state_of(copilot.project) / "memory.db"))
    writer.execute("BEGIN IMMEDIATE")
    copilot.fire("agentStop", transcriptPath=str(transcript))
    writer.close()
    (waiting,) = (state_of(copilot.project) / "spool").glob("*.json")

    assert "Looked." in waiting.read_text()


def test_memory_that_is_off_notes_no_answer(host: Host) -> None:
    host.turn(RULE)
    run("off", at=host.project)
    writer = apsw.Connection(str(state_of(host.project) / "memory.db"))
    writer.execute("BEGIN IMMEDIATE")
    host.fire("UserPromptSubmit", prompt=QUESTION, prompt_id="p2")
    writer.close()

    assert not (state_of(host.project) / "answered").exists()


def test_a_damaged_store_stops_nobody_and_is_left_as_it_is(host: Host) -> None:
    host.turn(RULE)
    store = state_of(host.project) / "memory.db"
    store.write_bytes(b"not a database at all" * 500)
    before = store.read_bytes()

    assert host.fire("UserPromptSubmit", prompt=QUESTION, prompt_id="p2") == {}
    assert store.read_bytes() == before
    assert len(list((state_of(host.project) / "spool").glob("*.json"))) == 1


@pytest.mark.case("C17")
@pytest.mark.parametrize("text", ["", "{", "null", '{"session_id": 1}', "\x00", "[1]"])
def test_whatever_is_handed_over_the_answer_is_one_line_of_json(host: Host, text: str) -> None:
    ran = host.given("UserPromptSubmit", text)

    assert json.loads(ran.stdout) == {}
    assert ran.stdout.count("\n") == 1


def test_an_unknown_host_and_event_are_no_failure(host: Host) -> None:
    host.name = "unheard-of"

    assert host.ran("Whatever", prompt="x").stdout in ("", "{}\n")


@pytest.mark.case("C35")
def test_outside_any_project_nothing_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "nowhere"
    folder.mkdir()

    assert Host(folder).fire("UserPromptSubmit", prompt=RULE) == {}
    assert not list(folder.iterdir())


@pytest.mark.case("C15")
def test_a_host_that_never_closes_its_end_is_answered_in_time(host: Host) -> None:
    begun = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "backstory.cli.app", "hook", "--host", "codex", "--event", "Stop"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=host.project,
    ) as process:
        assert process.wait(timeout=20) == 0

    assert time.monotonic() - begun < 10


@pytest.mark.case("C17")
def test_what_prints_by_itself_does_not_reach_the_host(host: Host, tmp_path: Path) -> None:
    (tmp_path / "noise").mkdir()
    (tmp_path / "noise" / "snowballstemmer.py").write_text("print('noise')\nraise ImportError\n")
    host.env = {"PYTHONPATH": f"{tmp_path / 'noise'}:{Path(__file__).parents[2] / 'src'}"}
    ran = host.ran("UserPromptSubmit", prompt=RULE)

    assert json.loads(ran.stdout) == {}


def test_what_a_hook_recorded_is_not_imported_again(host: Host, tmp_path: Path) -> None:
    transcript = tmp_path / "s1.jsonl"
    host.turn(RULE, "Understood.", key="p1")
    with host.memory() as memory:
        said_at = memory.history(memory.thread_for("claude_code", "s1"))[0].said_at_ms
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(said_at / 1000))
    shared = {"sessionId": "s1", "cwd": str(host.project), "timestamp": stamp}
    lines = [
        {"type": "user", "uuid": "u" * 36, "message": {"role": "user", "content": RULE}},
        {
            "type": "assistant",
            "uuid": "a" * 36,
            "message": {
                "id": "m1",
                "role": "assistant",
                "content": [{"type": "text", "text": "Understood."}],
            },
        },
    ]
    transcript.write_text("".join(json.dumps({**shared, **line}) + "\n" for line in lines))
    with host.memory() as memory:
        memory.import_sessions([transcript])

    assert len(turns(host)) == 1


@pytest.mark.case("C86")
@pytest.mark.parametrize("reach", ["off", "machine", "session"])
def test_off_means_that_nothing_is_read_or_written(host: Host, reach: str, tmp_path: Path) -> None:
    host.memory().close()
    lock = WorkerLock(state_of(host.project) / LOCK_NAME)
    assert lock.take(now_ms=1)  # or a worker would be started, and write at its own time
    host.turn(RULE)
    settled(host)
    words = {
        "off": ["off"],
        "machine": ["off", "--machine"],
        "session": ["off", "--session", "s1"],
    }
    assert run(*words[reach], at=host.project).code == 0
    before = {p: p.stat().st_mtime_ns for p in state_of(host.project).iterdir()}
    status = run("status", "--json", at=host.project).told
    answer = host.fire("UserPromptSubmit", prompt=QUESTION, prompt_id="p2")
    after = {p: p.stat().st_mtime_ns for p in state_of(host.project).iterdir()}
    run("on", "--machine", at=host.project)  # tests share their home
    lock.release()

    assert (status["off_for"] is None) == (reach == "session")
    assert answer == {}
    assert after == before


def test_what_hooks_missed_is_read_when_the_next_session_starts(
    host: Host, tmp_path: Path
) -> None:
    transcript = tmp_path / "s1.jsonl"
    record = {
        "type": "user",
        "sessionId": "s1",
        "cwd": str(host.project),
        "timestamp": "2026-01-01T08:00:00.000Z",
        "uuid": "1" * 36,
        "message": {"role": "user", "content": RULE},
    }
    host.fire("SessionStart", source="startup", transcript_path=str(transcript))
    transcript.write_text(json.dumps(record) + "\n")
    os.utime(transcript, (0, 0))  # nobody writes there any more
    Host(host.project, session="s2").fire("SessionStart", source="startup")
    until = time.monotonic() + 60
    while not turns_stored(host) and time.monotonic() < until:
        time.sleep(0.2)

    assert turns_stored(host) == 1


def turns_stored(host: Host) -> int:
    """Return how many turns there are, in whatever thread."""
    with host.memory() as memory:
        return sum(memory.status().turns.values())
