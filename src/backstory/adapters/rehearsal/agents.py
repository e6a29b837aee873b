"""How each agent that can run without a person is run, far from a person's own settings.

Options, variables and files are those of the programs themselves (Claude Code 2.1, Codex 0.171,
Gemini CLI 0.61, Copilot CLI 1.0); an agent of another version may want others.
"""

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backstory.adapters.rehearsal.replies import Wire
from backstory.adapters.rehearsal.running import run_alone

# These hooks are Backstory's own, in a home that goes: there is nothing to review.
UNREVIEWED = "--dangerously-bypass-hook-trust"
# A busy machine takes half a minute to start the slowest of them.
_SECONDS = 90
# What they need of a person's environment; the rest may lead them to real settings and models.
_KEPT = ("PATH", "LANG", "LC_ALL", "TERM", "SYSTEMROOT")
_TEMPORARY = ("TMPDIR", "TEMP", "TMP")  # what they leave there goes with their home


@dataclass(frozen=True, slots=True, kw_only=True)
class Runnable:
    """An agent's program, the form in which it speaks to its model, and how it is run.

    `options` and `variables` are made from the address of the model; what is asked comes last.
    `settings` are files of its home, by their place there.
    """

    program: str
    wire: Wire
    options: Callable[[str], Sequence[str]]
    variables: Callable[[str], Mapping[str, str]]
    settings: Mapping[str, str] = field(default_factory=dict)


def runnable(host: str) -> Runnable | None:
    """Return how a host is run by itself, or None for one that needs a person or its own app.

    None is run on Windows, where a program finds the user's own home whatever HOME says.
    """
    return None if os.name == "nt" else _RUNNABLE.get(host)


def program_of(agent: Runnable) -> str | None:
    """Return the path of an agent's program, or None where there is none on this machine."""
    return shutil.which(agent.program)


def make_home(agent: Runnable, home: Path) -> None:
    """Make a home for an agent, with the settings without which it would ask a person."""
    (home / "tmp").mkdir(parents=True)
    for name, text in agent.settings.items():
        (home / name).parent.mkdir(parents=True)
        (home / name).write_text(text, encoding="utf-8")


def run_session(
    agent: Runnable, program: str, *, asked: str, home: Path, project: Path, model_url: str
) -> str:
    """Have an agent answer one prompt in a project, with its own home and a model at `model_url`.

    Returns what went wrong, or "". Whatever it started ends with it.
    """
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return run_alone(
        [program, *agent.options(model_url), asked],
        folder=project,
        env={
            **kept,
            "HOME": str(home),
            **dict.fromkeys(_TEMPORARY, str(home / "tmp")),
            "BACKSTORY_HEADLESS": "1",
            "BACKSTORY_HOOK_SECONDS": "4",
            **agent.variables(model_url),
        },
        home=home,
        seconds=_SECONDS,
    )


def _claude_code() -> Runnable:
    return Runnable(
        program="claude",
        wire=Wire.ANTHROPIC,
        options=lambda _: ["-p"],
        variables=lambda url: {
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_BASE_URL": url,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
    )


def _codex() -> Runnable:
    def options(url: str) -> Sequence[str]:
        provider = {"name": "trial", "base_url": f"{url}/v1", "wire_api": "responses"}
        told = ['model_provider="trial"']
        told += [
            f"model_providers.trial.{key}={json.dumps(set_)}" for key, set_ in provider.items()
        ]
        settings = [word for one in told for word in ("-c", one)]
        return ["exec", UNREVIEWED, "--skip-git-repo-check", *settings]

    return Runnable(
        program="codex",
        wire=Wire.OPENAI,
        options=options,
        variables=lambda _: {},
        settings={".codex/config.toml": "[analytics]\nenabled = false\n"},
    )


def _gemini() -> Runnable:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False},
    }
    return Runnable(
        program="gemini",
        wire=Wire.GOOGLE,
        # Without a name it asks a model which model to ask.
        options=lambda _: ["-m", "gemini-2.5-flash", "-p"],
        variables=lambda url: {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_CLI_NO_RELAUNCH": "true",
        },
        settings={".gemini/settings.json": json.dumps(settings)},
    )


def _copilot() -> Runnable:
    return Runnable(
        program="copilot",
        wire=Wire.ANTHROPIC,
        options=lambda _: ["-p"],
        variables=lambda url: {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": url,
            "COPILOT_PROVIDER_TYPE": "anthropic",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": "claude-sonnet-4",
        },
    )


_RUNNABLE: Mapping[str, Runnable] = {
    "claude-code": _claude_code(),
    "codex": _codex(),
    "gemini": _gemini(),
    "copilot": _copilot(),
}
