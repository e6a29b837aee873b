"""Running an installed hook as its host does, with what the host was seen to send.

The shapes are those of recorded calls of each program; only what a hook reads is in them.
"""

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backstory.adapters.system import NO_WINDOW

# A host waits for five; a machine that is busy at this moment is no fault of the installation.
_SECONDS = 20
_Fields = dict[str, Any]

# Host → its events at the start of a session and with a prompt.
_EVENTS: Mapping[str, tuple[str, str]] = {
    "claude-code": ("SessionStart", "UserPromptSubmit"),
    "codex": ("SessionStart", "UserPromptSubmit"),
    "gemini": ("SessionStart", "BeforeAgent"),
    "cursor": ("sessionStart", "beforeSubmitPrompt"),
    "vscode": ("sessionStart", "userPromptSubmitted"),
    "copilot": ("sessionStart", "userPromptSubmitted"),
    "opencode": ("SessionStart", "UserPromptSubmit"),
    "windsurf": ("", "pre_user_prompt"),
    "cline": ("TaskStart", "UserPromptSubmit"),
}
# Host → where in an answer the text for the model stands, and what else may stand there.
_CLAUDE = (("hookSpecificOutput", "additionalContext"), {"systemMessage"})
_ANSWERS: Mapping[str, tuple[tuple[str, ...], set[str]]] = {
    **dict.fromkeys(("claude-code", "codex", "gemini", "vscode"), _CLAUDE),
    "cursor": (("additional_context",), {"continue"}),
    "copilot": (("additionalContext",), set()),
    "opencode": (("context",), {"notice"}),
    "windsurf": ((), set()),
    "cline": (("contextModification",), {"cancel", "errorMessage"}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How a hook ended: its answer's text for the model, and what is wrong with the answer."""

    context: str = ""
    fault: str = ""
    milliseconds: int = 0


def events_of(host: str) -> tuple[str, str]:
    """Return a host's events at the start of a session ("": it has none) and with a prompt."""
    return _EVENTS[host]


def call(host: str, event: str, *, words: Sequence[str], project: Path, prompt: str) -> Told:
    """Run one installed hook in a project, as the host would, and judge its answer."""
    is_prompt = event == _EVENTS[host][1]
    payload = _payload(host, event, project=project, prompt=prompt if is_prompt else "")
    begun = time.monotonic()
    try:
        ran = subprocess.run(
            list(words),
            input=json.dumps(payload),
            cwd=project,
            env=_environment(),
            capture_output=True,
            creationflags=NO_WINDOW,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Told(fault=f"it could not be run: {error}")
    took = round((time.monotonic() - begun) * 1000)
    if ran.returncode:
        return Told(fault=f"it ended with {ran.returncode}: {ran.stderr.strip()[-300:]}")
    context, fault = _judged(host, ran.stdout, event=str(payload.get("hook_event_name", "")))
    complaint = ran.stderr.strip()[-300:] if fault else ""
    fault = f"{fault} ({complaint})" if complaint else fault
    return Told(context=context, fault=fault, milliseconds=took)


def _judged(host: str, output: str, *, event: str) -> tuple[str, str]:
    """Return the text for the model, and why the host would refuse the answer, or ""."""
    path, others = _ANSWERS[host]
    if not path:
        return "", "" if not output.strip() else f"it said something: {output[:100]!r}"
    try:
        answer = json.loads(output)
    except ValueError:
        return "", f"its answer is no JSON: {output[:100]!r}"
    if not isinstance(answer, dict):
        return "", f"its answer is no object: {output[:100]!r}"
    unknown = set(answer) - {path[0], *others}
    inner = answer.get(path[0], {}) if len(path) > 1 else answer
    if len(path) > 1 and inner:
        unknown |= set(inner) - {"hookEventName", path[1]}
        if event and inner.get("hookEventName") not in {event, _pascal(event)}:
            return "", f"its answer is for {inner.get('hookEventName')!r}, not for {event!r}"
    if unknown:
        return "", f"its answer has what the host does not know: {', '.join(sorted(unknown))}"
    return str(inner.get(path[-1], "")), ""


def _pascal(event: str) -> str:
    return event[:1].upper() + event[1:]


def _payload(host: str, event: str, *, project: Path, prompt: str) -> _Fields:
    said: _Fields = {"prompt": prompt} if prompt else {"source": "startup"}
    folder = str(project)
    claude = {"session_id": "doctor", "cwd": folder, "hook_event_name": event, **said}
    turn = {"prompt_id": "p1"} if prompt else {}
    vscode = {"SessionStart": "SessionStart"}.get(_pascal(event), "UserPromptSubmit")
    shapes: Mapping[str, _Fields] = {
        "claude-code": {**claude, **turn, "permission_mode": "default"},
        "codex": {**claude, "transcript_path": None, "model": "m", "permission_mode": "default"},
        "gemini": {**claude, "timestamp": "2026-01-01T00:00:00.000Z"},
        "cursor": {
            **claude,
            "conversation_id": "doctor",
            "generation_id": "g1",
            "cursor_version": "1.0.32",
            "workspace_roots": [folder],
        },
        "vscode": {"sessionId": "doctor", "cwd": folder, "hookEventName": vscode, **said},
        "copilot": {"sessionId": "doctor", "timestamp": 0, "cwd": folder, **said},
        "opencode": {"session_id": "doctor", "cwd": folder, "messageID": "m1", "prompt": prompt},
        "windsurf": {
            "agent_action_name": event,
            "trajectory_id": "doctor",
            "execution_id": "e1",
            "tool_info": {"user_prompt": prompt},
        },
        "cline": {
            "taskId": "doctor",
            "hookName": event,
            "workspaceRoots": [folder],
            event[:1].lower() + event[1:]: {"prompt": prompt, "task": prompt},
        },
    }
    return shapes[host]


def _environment() -> dict[str, str]:
    """Return an environment in which somebody sits at the keyboard, and has a little patience."""
    quiet = {"CI": "", "CLAUDE_CODE_ENTRYPOINT": "cli", "BACKSTORY_HEADLESS": "1"}
    return {**os.environ, **quiet, "BACKSTORY_HOOK_SECONDS": "10"}
