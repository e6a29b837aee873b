"""What hosts hand to their hooks is read into one form, and what is unknown is passed over."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.adapters.hosts.payloads import call_of

CLAUDE = {"session_id": "s1", "transcript_path": "/h/.claude/s1.jsonl", "cwd": "/work"}
CODEX = {**CLAUDE, "transcript_path": "/h/.codex/sessions/rollout-1.jsonl", "turn_id": "t1"}
GEMINI = {**CLAUDE, "transcript_path": "/h/.gemini/tmp/1/chats/s.jsonl", "timestamp": "2026"}
CURSOR = {
    "conversation_id": "s1",
    "generation_id": "g1",
    "cursor_version": "3",
    "session_id": "s1",
    "workspace_roots": ["/work"],
    "user_email": "person@example.com",
}


def read(payload: object, *, host: str = "claude_code", event: str = "") -> HostCall | None:
    """Read a payload as if it came from a host."""
    return call_of(json.dumps(payload), host=host, event=event, folder="/here", at_ms=5)


def taken(payload: object, *, host: str = "claude_code", event: str = "") -> HostCall:
    """Read a payload that is of concern."""
    call = read(payload, host=host, event=event)
    assert call is not None
    return call


@pytest.mark.parametrize(
    ("host", "event", "payload"),
    [
        ("claude_code", "UserPromptSubmit", {**CLAUDE, "prompt": "hi", "prompt_id": "t1"}),
        ("codex", "UserPromptSubmit", {**CODEX, "prompt": "hi"}),
        ("gemini", "BeforeAgent", {**GEMINI, "prompt": "hi"}),
        ("cursor", "beforeSubmitPrompt", {**CURSOR, "prompt": "hi"}),
        ("vscode", "UserPromptSubmit", {"sessionId": "s1", "cwd": "/work", "prompt": "hi"}),
        ("copilot", "userPromptSubmitted", {"sessionId": "s1", "cwd": "/work", "prompt": "hi"}),
        (
            "windsurf",
            "pre_user_prompt",
            {"trajectory_id": "s1", "tool_info": {"user_prompt": "hi"}, "cwd": "/work"},
        ),
        (
            "cline",
            "UserPromptSubmit",
            {"taskId": "s1", "workspaceRoots": ["/work"], "userPromptSubmit": {"prompt": "hi"}},
        ),
    ],
)
def test_a_prompt_of_every_host_is_read(host: str, event: str, payload: dict[str, object]) -> None:
    call = taken(payload, host=host, event=event)

    assert (call.host, call.happening) == (host, Happening.PROMPT)
    assert (call.session, call.prompt, call.folder) == ("s1", "hi", "/work")


@pytest.mark.parametrize(
    ("host", "event", "payload"),
    [
        ("claude_code", "Stop", {**CLAUDE, "last_assistant_message": "done"}),
        ("codex", "Stop", {**CODEX, "last_assistant_message": "done"}),
        ("gemini", "AfterAgent", {**GEMINI, "prompt": "hi", "prompt_response": "done"}),
        ("cursor", "afterAgentResponse", {**CURSOR, "text": "done"}),
    ],
)
def test_an_answer_of_every_host_is_read(
    host: str, event: str, payload: dict[str, object]
) -> None:
    call = taken(payload, host=host, event=event)

    assert (call.happening, call.answer) == (Happening.ANSWER, "done")


def test_a_command_that_failed_is_told_with_its_exit_code() -> None:
    call = taken(
        {
            **CLAUDE,
            "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash",
            "tool_input": {"command": "make test"},
            "tool_use_id": "u1",
            "error": "Exit code 3\nout\nerr",
        }
    )

    assert (call.command, call.exit_code, call.tool_key) == ("make test", 3, "u1")


def test_a_command_that_worked_is_told_with_none_but_zero() -> None:
    done = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": ""}}

    assert taken({**CLAUDE, **done}, event="PostToolUse").exit_code == 0


@pytest.mark.parametrize(
    "tool",
    [
        {"tool_name": "Write", "tool_input": {"command": "x"}, "tool_response": {"stdout": ""}},
        {"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_response": "text only"},
        {
            "tool_name": "Bash",
            "tool_input": {"command": "x"},
            "tool_response": {"stdout": "", "interrupted": True},
        },
    ],
)
def test_a_tool_that_tells_no_exit_code_is_of_no_concern(tool: dict[str, object]) -> None:
    assert read({**CLAUDE, **tool}, event="PostToolUse") is None


def test_who_runs_the_file_of_claude_code_is_told_by_what_it_hands_over() -> None:
    prompt = {"prompt": "hi", "hook_event_name": "UserPromptSubmit"}
    vscode = {"sessionId": "s1", "hookEventName": "UserPromptSubmit", "prompt": "hi"}

    assert taken({**CURSOR, **prompt}).host == "cursor"
    assert taken(vscode).host == "vscode"
    assert taken({**CODEX, **prompt}).host == "codex"
    assert taken({**GEMINI, **prompt}).host == "gemini"
    assert {taken(one).dialect for one in ({**CURSOR, **prompt}, vscode)} == {"claude_code"}


def test_a_subagent_is_told_apart() -> None:
    assert taken({**CLAUDE, "agent_id": "a1", "prompt": "x"}, event="UserPromptSubmit").is_subagent


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "{}", '{"session_id": 3}'])
def test_what_is_no_payload_is_passed_over(text: str) -> None:
    call = call_of(text, host="claude_code", event="Stop", folder="/here", at_ms=5)

    assert call is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = [
    *("session_id", "cwd", "prompt", "prompt_id", "tool_name", "tool_input", "tool_response"),
    *("error", "transcript_path", "workspace_roots", "tool_info", "hook_event_name", "toolArgs"),
]


@given(
    payload=st.dictionaries(st.sampled_from(FIELDS), json_values),
    event=st.sampled_from(["Stop", "PostToolUse", "UserPromptSubmit", "SessionStart", "x"]),
)
def test_no_shape_of_a_payload_is_an_error(payload: dict[str, object], event: str) -> None:
    call = read({"session_id": "s", **payload}, event=event)

    assert call is None or (call.session and isinstance(call.prompt, str))


@pytest.mark.parametrize(
    ("event", "result"),
    [
        ("PostToolUse", {"tool_response": {"stdout": "= 1 failed, 4 passed in 1s ="}}),
        ("PostToolUseFailure", {"error": "Exit code 1\n= 1 failed, 4 passed in 1s ="}),
    ],
)
def test_a_test_run_is_told_with_its_counts_and_not_with_its_output(
    event: str, result: dict[str, object]
) -> None:
    done = {"tool_name": "Bash", "tool_input": {"command": "pytest -q"}, **result}
    call = taken({**CLAUDE, **done, "hook_event_name": event}, event=event)

    assert (call.runner, call.passed, call.failed) == ("pytest", 4, 1)
    assert "in 1s" not in repr(call)


def test_vs_code_is_told_from_copilot_whose_hook_files_it_runs() -> None:
    said = {"sessionId": "s", "cwd": "/here", "prompt": "Hello."}
    copilot = taken(said, host="copilot", event="userPromptSubmitted")
    named = {**said, "hookEventName": "UserPromptSubmit"}
    vscode = taken(named, host="copilot", event="userPromptSubmitted")

    assert (copilot.host, copilot.dialect) == ("copilot", "copilot")
    assert (vscode.host, vscode.dialect, vscode.event) == ("vscode", "vscode", "UserPromptSubmit")


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("hi\n<shellId: 0 completed with exit code 1>", 1),
        ("exit code 7\n<shellId: 12 completed with exit code 0>\n", 0),
        ("<shellId: 0 completed with exit code 1>\nno end yet", None),
        ("<command is still running>", None),
    ],
)
def test_copilot_tells_at_the_end_how_a_command_ended(told: str, expected: int | None) -> None:
    payload = {
        "sessionId": "s1",
        "timestamp": 1796048223678,
        "cwd": "/work",
        "toolName": "bash",
        "toolArgs": {"command": "make test"},
        "toolResult": {"resultType": "success", "textResultForLlm": told},
    }
    call = call_of(
        json.dumps(payload), host="copilot", event="postToolUse", folder="/work", at_ms=1
    )

    assert (call and call.exit_code) == expected


def test_the_command_line_of_cline_names_its_events_otherwise() -> None:
    # As its 3.0.65 sends them.
    base = {
        "clineVersion": "",
        "taskId": "conv_1",
        "workspaceRoots": ["/work"],
        "agent_id": "agent_1",
        "parent_agent_id": None,
    }
    told = {
        "TaskStart": {"hookName": "agent_start", "taskStart": {"taskMetadata": {}}},
        "UserPromptSubmit": {"hookName": "prompt_submit", "userPromptSubmit": {"prompt": "hi"}},
        "TaskComplete": {"hookName": "agent_end", "turn": {"outputText": "Understood."}},
    }
    calls = [
        call_of(json.dumps(base | fields), host="cline", event=event, folder="/", at_ms=1)
        for event, fields in told.items()
    ]
    subagent = call_of(
        json.dumps(base | told["TaskStart"] | {"parent_agent_id": "agent_0"}),
        host="cline",
        event="TaskStart",
        folder="/",
        at_ms=1,
    )

    assert [(c and (c.happening, c.prompt, c.answer, c.is_subagent)) for c in calls] == [
        (Happening.SESSION_START, "", "", False),
        (Happening.PROMPT, "hi", "", False),
        (Happening.ANSWER, "", "Understood.", False),
    ]
    assert subagent is not None
    assert subagent.is_subagent


def test_a_payload_nested_too_deep_to_be_read_is_passed_over() -> None:
    nested = "[" * 100_000

    assert call_of(nested, host="claude_code", event="Stop", folder="/here", at_ms=5) is None
