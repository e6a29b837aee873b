"""Running the hook as a host does: a process of its own, a payload, an answer."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.adapters.project import find_project
from backstory.api import Memory, NullMemory, Opening

SOURCE = Path(__file__).parents[1] / "src"
# An interactive session, whoever runs the tests.
QUIET = {"CI": "", "CLAUDE_CODE_ENTRYPOINT": "cli", "BACKSTORY_HEADLESS": ""}
# Tests share their machine; the deadline has a test of its own.
QUIET["BACKSTORY_HOOK_SECONDS"] = "15"
# As installers write it into the settings of hosts.
HOOK = [sys.executable, "-I", "-S", str(SOURCE / "backstory/hooks/start.py"), "hook"]


@dataclass
class Host:
    """One session of a host in a project."""

    project: Path
    name: str = "claude-code"
    session: str = "s1"
    env: dict[str, str] = field(default_factory=dict)

    def fire(self, event: str, **fields: object) -> Any:
        """Let something happen, and return the answer."""
        return json.loads(self.ran(event, **fields).stdout)

    def ran(self, event: str, **fields: object) -> subprocess.CompletedProcess[str]:
        """Let something happen, and return how the hook ended."""
        payload = {
            "session_id": self.session,
            "cwd": str(self.project),
            "hook_event_name": event,
            **fields,
        }
        return self.given(event, json.dumps(payload))

    def given(self, event: str, text: str) -> subprocess.CompletedProcess[str]:
        """Hand the hook any text."""
        return subprocess.run(
            [*HOOK, "--host", self.name, "--event", event],
            input=text,
            cwd=self.project,
            env={**os.environ, **QUIET, **self.env},
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )

    def turn(self, prompt: str, answer: str = "Done.", *, key: str = "p1") -> str:
        """Let a turn begin and end, and return what was shown with the prompt."""
        shown = self.fire("UserPromptSubmit", prompt=prompt, prompt_id=key)
        self.fire("Stop", last_assistant_message=answer, prompt_id=key)
        return context_of(shown)

    def memory(self) -> Memory | NullMemory:
        """Open the project's memory."""
        return Memory.open(self.project, opening=Opening(host="test"))


def a_prompt(prompt: str, *, at_ms: int, host: str = "claude_code") -> HostCall:
    """Return a call with which a host hands over a prompt."""
    return HostCall(
        host=host,
        dialect=host,
        happening=Happening.PROMPT,
        event="UserPromptSubmit",
        session="s1",
        folder="/shop",
        at_ms=at_ms,
        prompt=prompt,
    )


def context_of(answer: dict[str, Any]) -> str:
    """Return the text for the model in an answer of Claude's form."""
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


def a_repository(folder: Path) -> Path:
    """Make what is a git repository for us: no program needs to run for it."""
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def state_of(project: Path) -> Path:
    """Return the state directory of a project."""
    found = find_project(project, env={})
    assert found is not None
    return found.state_dir
