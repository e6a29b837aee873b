"""Whether a hook may read and write at all. Told without opening a store."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.adapters.project import Project
from backstory.adapters.settings import Choices
from backstory.adapters.switches import ISOLATED, TOLD, off_for, session_mark

HEADLESS_VARIABLE = "BACKSTORY_HEADLESS"
# Commands of agents that look for faults: what was said before must not colour what they find.
_ISOLATED_PROMPTS = ("/review", "/security-review")
_YES = frozenset({"1", "true", "yes", "on"})
# A session that is gone on with after a month is told of an isolated turn once more.
_MARK_KEPT_S = 30 * 24 * 3600
_BEGINNING_BYTES = 64 * 1024
# How a rollout of `codex exec` begins; an interactive one names another program.
_EXEC = rb'"(?:originator|source)"\s*:\s*"(?:codex_exec|exec)"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Silence:
    """Why nothing is read or written, and what the person is told of it."""

    because: str
    notice: str = ""
    is_counted: bool = False  # `status` tells of it


def silence_of_call(call: HostCall, *, env: Mapping[str, str]) -> Silence | None:
    """Return why a call is of no concern, whatever the settings are, or None."""
    is_counted = call.happening is Happening.PROMPT
    if call.is_subagent:
        return Silence(because="a subagent sent it", is_counted=is_counted)
    if _is_inside(call.folder, env.get("CODEX_HOME") or str(Path.home() / ".codex")):
        return Silence(because="Codex works on its own memories", is_counted=is_counted)
    return None


def silence_of_script(
    call: HostCall, *, env: Mapping[str, str], choices: Choices
) -> Silence | None:
    """Return that a script runs the agent, with nobody at the keyboard, or None."""
    is_wanted = (
        choices.hooks_take_headless or env.get(HEADLESS_VARIABLE, "").strip().lower() in _YES
    )
    if is_wanted or not _is_headless(call, env):
        return None
    because = "a script ran it (hooks.headless is off)"
    return Silence(because=because, is_counted=call.happening is Happening.PROMPT)


def silence_of_project(
    call: HostCall, project: Project, *, env: Mapping[str, str]
) -> Silence | None:
    """Return what is switched off for the project or the session, or None."""
    reach = off_for(project, call.session, env=env)
    return None if reach is None else Silence(because=f"memory is off for this {reach.value}")


def silence_of_prompt(call: HostCall, project: Project, *, choices: Choices) -> Silence | None:
    """Return why this turn is isolated, or None. It is remembered until the next prompt."""
    mark = session_mark(project, call.session, name=ISOLATED)
    told = session_mark(project, call.session, name=TOLD)
    if call.happening is Happening.SESSION_END:
        told.unlink(missing_ok=True)
    if call.happening is not Happening.PROMPT:
        if not mark.exists():
            return None
        if call.happening is Happening.SESSION_END:
            mark.unlink(missing_ok=True)
        return Silence(because="the turn is isolated")
    beginnings = (*_ISOLATED_PROMPTS, *choices.isolated_prompts)
    beginning = next((one for one in beginnings if _begins(call.prompt, one)), None)
    if beginning is None:
        if mark.exists():  # on a read-only disk even a missing one cannot be removed
            mark.unlink(missing_ok=True)
        return None
    mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark.touch(mode=0o600)
    notice = f"Backstory: {beginning} runs isolated; memory is neither read nor written."
    if told.exists():  # once for a session
        notice = ""
    told.touch(mode=0o600)
    return Silence(because=f"the prompt begins with {beginning}", notice=notice)


def forget_old_marks(project: Project, *, now_s: float) -> None:
    """Remove the marks of sessions that ended without saying so."""
    names = (ISOLATED, TOLD)
    for mark in (path for name in names for path in project.state_dir.glob(f"{name}-*")):
        with suppress(OSError):
            if mark.stat().st_mtime < now_s - _MARK_KEPT_S:
                mark.unlink()


def _begins(prompt: str, beginning: str) -> bool:
    text = prompt.lstrip()
    rest = text[len(beginning) :]
    goes_on = rest[:1].isalnum() or rest[:1] in {"-", "_", ":"}
    is_whole = not (beginning[-1:].isalnum() and goes_on)
    return text[: len(beginning)].lower() == beginning.lower() and is_whole


def _is_inside(folder: str, place: str) -> bool:
    return Path(place) in (Path(folder), *Path(folder).parents)


def _is_headless(call: HostCall, env: Mapping[str, str]) -> bool:
    if call.is_scripted or env.get("CI", "").strip().lower() in _YES:
        return True
    if call.host == "claude_code":
        return env.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk")
    if call.host in ("gemini", "copilot"):
        from backstory.adapters.hosts.scripted import is_scripted  # noqa: PLC0415 - two hosts'

        return is_scripted(os.getppid())
    return call.host == "codex" and re.search(_EXEC, _beginning_of(call.transcript)) is not None


def _beginning_of(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.readline(_BEGINNING_BYTES)
    except (OSError, ValueError):
        return b""
