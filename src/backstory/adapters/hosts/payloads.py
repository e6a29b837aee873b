"""Reading what a host hands to a hook: one JSON object, of a shape that differs by host."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from backstory.adapters.hosts.calls import Happening, HostCall, happening_of

_Payload = Mapping[str, Any]

_SHELL_TOOLS = frozenset({"bash", "shell", "run_shell_command", "execute_command", "local_shell"})
# Patterns are made where one is needed: a prompt needs none.
# "Exit code 3\n…" from Claude Code, "Exit Code: 3" from Gemini CLI.
_EXIT_CODE = r"(?im)^exit code:? (\d{1,9})"
# The last line of what Copilot CLI tells its model of a command.
_EXIT_LINE = r"(?m)^<shellId: [^<>\n]* exit code (\d{1,9})>\s*\Z"
_TOOL_TEXT_CHARS = 100_000
# Where hosts keep the parts that others have at the top.
_NESTED = ("tool_info", "taskStart", "taskResume", "userPromptSubmit", "taskComplete", "turn")


def call_of(text: str, *, host: str, event: str, folder: str, at_ms: int) -> HostCall | None:
    """Return what a payload says, or None where it is of no concern or cannot be read.

    `host` and `event` are those that the hook was installed for, `folder` is where it runs.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    payload = _flat(found)
    name = _first(payload, "hook_event_name", "hookEventName", "hookName", "agent_action_name")
    happening = happening_of(name or event)
    session = _first(
        payload,
        *("session_id", "conversation_id", "sessionId", "sessionID", "taskId", "trajectory_id"),
    )
    if happening is None or not session:
        return None
    command, exit_code = _command(payload)
    if happening is Happening.COMMAND and exit_code is None:
        return None  # another tool, or nobody says how the command ended
    # VS Code runs the hook files of Copilot CLI, and understands Claude's answers only.
    dialect = "vscode" if host == "copilot" and "hookEventName" in payload else host
    return HostCall(
        host=_real_host(payload, dialect),
        dialect=dialect,
        happening=happening,
        event=name or event,
        session=session,
        folder=_first(payload, "cwd") or next(_roots(payload), folder),
        at_ms=at_ms,
        prompt=_first(payload, "prompt", "user_prompt", "task"),
        answer=_first(
            payload, "last_assistant_message", "prompt_response", "response", "text", "outputText"
        ),
        turn_key=_first(
            payload, "prompt_id", "turn_id", "generation_id", "messageID", "execution_id"
        ),
        command=command,
        exit_code=exit_code,
        **_tests(payload, command),
        tool_key=_first(payload, "tool_use_id", "toolUseId", "callID"),
        transcript=_first(payload, "transcript_path", "transcriptPath"),
        source=_first(payload, "source", "reason"),
        is_scripted=payload.get("is_scripted") is True,
        # Cline's command line names every agent, and of a subagent the one that it works for.
        is_subagent=bool(
            _first(payload, "parent_agent_id" if "parent_agent_id" in payload else "agent_id")
        ),
    )


def _flat(payload: dict[str, Any]) -> _Payload:
    inner = [payload[name] for name in _NESTED if isinstance(payload.get(name), dict)]
    flat: dict[str, Any] = {}
    for part in (*inner, payload):
        flat |= part
    return flat


def _first(payload: _Payload, *names: str) -> str:
    """Return the first of these that is a text and not empty."""
    values = (payload.get(name) for name in names)
    return next((value for value in values if isinstance(value, str) and value), "")


def _roots(payload: _Payload) -> Iterator[str]:
    for name in ("workspace_roots", "workspaceRoots"):
        roots = payload.get(name)
        if isinstance(roots, list):
            yield from (root for root in roots if isinstance(root, str) and root)


def _real_host(payload: _Payload, host: str) -> str:
    """Return which program calls. Cursor and VS Code run the files of Claude Code, too."""
    transcript = _first(payload, "transcript_path").replace("\\", "/")
    if "cursor_version" in payload or "conversation_id" in payload:
        return "cursor"
    if host in ("claude_code", "vscode") and "sessionId" in payload:
        return "vscode"
    if host == "claude_code" and ("/rollout-" in transcript or "turn_id" in payload):
        return "codex"
    if host == "claude_code" and "/.gemini/" in transcript and "timestamp" in payload:
        return "gemini"
    return host


def _command(payload: _Payload) -> tuple[str | None, int | None]:
    """Return the shell command that was run, and how it ended as far as that is told."""
    tool = _first(payload, "tool_name", "toolName").lower()
    given = payload.get("tool_input", payload.get("toolArgs"))
    if isinstance(given, str):  # Copilot CLI hands it over as JSON inside a string
        try:
            given = json.loads(given)
        except ValueError:
            given = None
    if tool and tool not in _SHELL_TOOLS:
        return None, None
    where = given if isinstance(given, dict) else payload
    command = _first(where, "command", "command_line")
    return (command, _exit_code(payload)) if command else (None, None)


def _tests(payload: _Payload, command: str | None) -> dict[str, Any]:
    """Return how many tests a command ran, where its output tells. The output itself is left."""
    result = payload.get("tool_response", payload.get("toolResult"))
    printed = result if isinstance(result, str) else "\n".join(_printed(result))
    printed = f"{printed}\n{_first(payload, 'error')}"  # where Claude Code tells what failed
    if command is None or not printed.strip():
        return {}
    from backstory.capture.runners import OUTPUT_CHARS, ran_tests  # noqa: PLC0415 - few need it

    ran = ran_tests(command, output=printed[-OUTPUT_CHARS:])
    if ran is None or ran.passed is None:
        return {}
    return {"runner": ran.runner, "passed": ran.passed, "failed": ran.failed}


def _printed(result: object) -> Iterator[str]:
    if not isinstance(result, dict):
        return
    for name in ("stdout", "stderr", "output", "llmContent", "textResultForLlm"):
        if isinstance(result.get(name), str):
            yield result[name]


def _exit_code(payload: _Payload) -> int | None:
    error = _first(payload, "error")
    result = payload.get("tool_response", payload.get("toolResult"))
    told = payload.get("exit_code")
    if isinstance(told, int) and not isinstance(told, bool):
        return told
    if error:
        return _in_text(error)
    if isinstance(result, dict):
        return _in_result(result)
    return _in_text(result) if isinstance(result, str) else None


def _in_result(result: dict[str, Any]) -> int | None:
    if result.get("interrupted") is True:
        return None
    if "stdout" in result:
        # Claude Code calls another event for a command that fails.
        return 0
    shown = result.get("textResultForLlm")
    if isinstance(shown, str):
        last = re.search(_EXIT_LINE, shown[-_TOOL_TEXT_CHARS:])
        return int(last.group(1)) if last else None  # it still runs, or was stopped
    content = result.get("llmContent")
    found = _in_text(content) if isinstance(content, str) else None
    is_well = isinstance(content, str) and not result.get("error")
    return 0 if found is None and is_well else found


def _in_text(text: str) -> int | None:
    match = re.search(_EXIT_CODE, text[-_TOOL_TEXT_CHARS:])
    return int(match.group(1)) if match else None
