"""A Gemini CLI chat gives what stands in the end, without what hooks and tools put in."""

import json
from pathlib import Path
from typing import Any

import pytest

from backstory.model.words import Speaker
from transcripts import exchanges, read_all, written

HEADER = json.dumps(
    {"sessionId": "g-1", "projectHash": "60d0", "startTime": "2026-11-20T10:00:00Z"}
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "chat.jsonl"


def message(identity: str, kind: str, content: Any, **more: Any) -> str:
    stamp = "2026-11-20T10:00:05Z"
    fields = {"id": identity, "timestamp": stamp, "type": kind, "content": content, **more}
    return json.dumps(fields, ensure_ascii=False)


def test_hook_context_around_a_prompt_is_left_out(file: Path) -> None:
    parts = [
        {"text": "<hook_context>use &lt;b&gt; Redis</hook_context>\n\n说你好"},
        {"text": "<hook_context>always</hook_context>"},
    ]
    lines = [HEADER, message("u1", "user", parts), message("a1", "gemini", "你好")]

    assert exchanges(written(file, lines)) == [("说你好", "你好")]


def test_session_context_and_function_responses_are_no_prompts(file: Path) -> None:
    context = json.loads(
        message("c", "user", [{"text": "<session_context>\nhi</session_context>"}])
    )
    response = [{"functionResponse": {"response": {"output": "use Redis"}}}]
    lines = [HEADER, json.dumps({"$set": {"messages": [context]}})]
    lines += [message("u1", "user", "hello"), message("a1", "gemini", "")]
    lines += [message("t1", "user", response), message("a2", "gemini", "Hi."), "{}"]
    lines += [message("i1", "info", "Update available: use Redis")]

    turns, report = read_all(written(file, lines))

    assert [(turn.user_text, turn.answer_text) for turn in turns] == [("hello", "Hi.")]
    assert report.skipped[Speaker.TOOL_RESULT.value] == 1


def test_message_that_comes_again_replaces_the_first(file: Path) -> None:
    lines = [HEADER, message("u1", "user", "hello"), message("u1", "user", "hello")]
    lines += [message("a1", "gemini", "H"), message("a1", "gemini", "Hello there.")]

    assert exchanges(written(file, lines)) == [("hello", "Hello there.")]


def test_rewound_chat_goes_on_in_a_branch(file: Path) -> None:
    lines = [HEADER, message("u1", "user", "which?"), message("a1", "gemini", "Redis.")]
    lines += [json.dumps({"$rewindTo": "u1"})]
    lines += [message("u2", "user", "好"), message("a2", "gemini", "Ok.")]

    turns, _ = read_all(written(file, lines))

    assert [turn.host_key for turn in turns] == ["g-1", "g-1~u1"]


def test_shell_commands_are_events(file: Path) -> None:
    output = {"functionResponse": {"response": {"output": "Output: x\nExit Code: 2\n"}}}
    call = {"id": "c1", "name": "run_shell_command", "args": {"command": "make"}}
    tools = [{**call, "result": [output], "status": "success"}]
    lines = [HEADER, message("u1", "user", "build"), message("a1", "gemini", "", toolCalls=tools)]
    lines += [message("a1", "gemini", "", toolCalls=tools), message("a2", "gemini", "It fails.")]

    (turn,), _ = read_all(written(file, lines))

    assert [(event.command, event.exit_code) for event in turn.events] == [("make", 2)]


def test_chat_of_a_subagent_says_nothing(file: Path) -> None:
    header = json.dumps({**json.loads(HEADER), "kind": "subagent"})

    assert exchanges(written(file, [header, message("u1", "user", "use Redis")])) == []
