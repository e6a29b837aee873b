"""A Codex rollout of any age gives the human's prompts once, and no instructions."""

from pathlib import Path

import pytest

from backstory.model.words import Speaker
from transcripts import codex, codex_header, codex_message, exchanges, read_all, written

AGENTS = "# AGENTS.md instructions for /app\n\n<INSTRUCTIONS>\nalways use Redis\n</INSTRUCTIONS>"
PLACE = "<environment_context>\n  <cwd>/app</cwd>\n</environment_context>"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "rollout-x.jsonl"


def test_parts_are_taken_by_what_the_host_says_they_are(file: Path) -> None:
    kinds = ["agents_md.instructions", "environments.environment_context"]
    lines = [codex_header(), codex_message("user", [AGENTS, PLACE], kinds=kinds)]
    lines += [codex_message("user", ["always use Redis"], kinds=["hooks.additional_context"])]
    lines += [codex_message("user", ["说你好", "x"], kinds=["user.text", "images.caption"])]
    completed = {"type": "UserMessage", "content": [{"type": "text", "text": "说你好"}]}
    lines += [codex("event_msg", {"type": "item_completed", "item": completed})]
    lines += [codex_message("developer", ["always use Redis"])]
    lines += [codex_message("assistant", ["你好"], kinds=["unknown"])]
    lines += [codex("event_msg", {"type": "task_complete", "last_agent_message": "你好"})]

    turns, report = read_all(written(file, lines))

    assert [(turn.user_text, turn.answer_text) for turn in turns] == [("说你好", "你好")]
    assert report.skipped[Speaker.HOOK_CONTEXT.value] == 1


def test_prompt_of_an_older_file_that_is_told_twice_is_one_turn(file: Path) -> None:
    lines = [codex_header(), codex_message("user", [AGENTS]), codex_message("user", [PLACE])]
    lines += [codex("event_msg", {"type": "user_message", "message": "list files"})]
    lines += [codex("event_msg", {"type": "task_started"})]
    lines += [codex_message("user", ["list files"]), codex_message("assistant", ["Two files."])]
    lines += [codex("event_msg", {"type": "agent_message", "message": "Two files."})]
    lines += [codex_message("user", ["thanks"])]
    lines += [codex("event_msg", {"type": "user_message", "message": "thanks"})]

    assert exchanges(written(file, lines)) == [("list files", "Two files."), ("thanks", "")]


def test_same_words_said_again_are_said_twice(file: Path) -> None:
    lines = [codex_header(), codex_message("user", ["go on"])]
    lines += [codex("event_msg", {"type": "turn_aborted"}, second=5)]
    lines += [codex("event_msg", {"type": "user_message", "message": "go on"}, second=9)]
    lines += [codex_message("assistant", ["Done."])]

    assert exchanges(written(file, lines)) == [("go on", ""), ("go on", "Done.")]


def test_oldest_files_without_envelopes_are_read(file: Path) -> None:
    header = '{"id": "old-1", "timestamp": "2025-06-01T00:00:00Z", "instructions": null}'
    said = '{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}'
    answer = '{"type": "message", "role": "assistant", "content": [{"text": "Hello."}]}'

    assert exchanges(written(file, [header, said, answer])) == [("hi", "Hello.")]


def test_commands_are_events_without_the_shell_around_them(file: Path) -> None:
    ran = {"type": "CommandExecution", "id": "call_1", "command": ["/bin/bash", "-lc", "npm test"]}
    lines = [codex_header(), codex_message("user", ["test it"])]
    for code in (1, 0):
        item = {**ran, "id": f"call_{code}", "exit_code": code, "aggregated_output": "CANARY"}
        lines += [codex("event_msg", {"type": "item_completed", "item": item})]
    lines += [codex_message("assistant", ["It passes now."])]

    (turn,), _ = read_all(written(file, lines))

    assert [(e.command, e.exit_code) for e in turn.events] == [("npm test", 1), ("npm test", 0)]
    assert "CANARY" not in repr(turn)


@pytest.mark.case("C43")
@pytest.mark.parametrize(
    "more",
    [
        {"source": {"subagent": {"thread_spawn": {"depth": 1}}}},
        {"source": "cli", "thread_source": "subagent"},
    ],
)
def test_session_of_a_subagent_says_nothing(file: Path, more: dict[str, object]) -> None:
    lines = [codex_header(**more), codex_message("user", ["use Redis"], kinds=["user.text"])]

    turns, report = read_all(written(file, lines))

    assert not turns
    assert report.skipped[Speaker.SUBAGENT.value] == 1


def test_header_of_a_parent_does_not_rename_a_forked_session(file: Path) -> None:
    lines = [codex_header(git={"branch": "main"}), codex_header(id="parent")]
    lines += [codex_message("user", ["hi"]), codex_message("assistant", ["Hello."])]

    (turn,), _ = read_all(written(file, lines))

    assert (turn.host_key, turn.branch, turn.cwd) == ("cx-1", "main", "/home/dev/app")


def test_compacted_history_is_not_said_again(file: Path) -> None:
    past = {"type": "message", "role": "user", "content": [{"text": "use Redis"}]}
    lines = [codex_header(), codex_message("user", ["hi"]), codex_message("assistant", ["Yes?"])]
    lines += [codex("compacted", {"message": "", "replacement_history": [past]})]

    assert exchanges(written(file, lines)) == [("hi", "Yes?")]
