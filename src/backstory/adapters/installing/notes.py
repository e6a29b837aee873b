"""What stands between an entry and its being run: a host's switches, and what a person must do."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from backstory.adapters.installing.changes import read
from backstory.adapters.installing.entries import Site
from backstory.adapters.installing.hosts import entries_for, home_of
from backstory.adapters.installing.jsonc import parse, value_of
from backstory.model.errors import UnreadableInputError

_Table = Mapping[str, Any]

# What a host asks of a person, for entries of the user and for those of a project.
_ASKED: Mapping[str, tuple[str, str]] = {
    "claude-code": (
        "",
        "Claude Code asks whether you trust the folder and its server, when it is next started.",
    ),
    "codex": (
        "Codex runs a new hook only once you have reviewed it: type /hooks there.",
        "Codex runs a new hook only once you have reviewed it: type /hooks there.",
    ),
    "gemini": ("", "Gemini CLI runs hooks of a project only where you trust its folder."),
    "cursor": ("", "Cursor runs hooks of a project only where you trust its folder."),
    "vscode": (
        "VS Code asks before it starts a server: say yes.",
        "VS Code asks before it starts a server: say yes.",
    ),
    "cline": (
        "Cline runs hooks only where they are switched on in its settings.",
        "Cline runs hooks only where they are switched on in its settings.",
    ),
}


def asked_of_person(host: str, site: Site) -> str:
    """Return what a person has to do after installing, or ""."""
    return _ASKED.get(host, ("", ""))[site.project is not None]


def switched_off(host: str, site: Site) -> list[str]:
    """Return the host's own settings that keep its hooks from running, each as one sentence."""
    find = {"claude-code": _claude_code, "codex": _codex, "gemini": _gemini}.get(host)
    return [] if find is None else list(find(site))


def is_reviewed(site: Site) -> bool:
    """Whether a person has told Codex to trust our hooks; a changed one is asked for again."""
    file = next(entry.file for entry in entries_for("codex", site))
    settings = home_of(replace(site, project=None), ".codex", variable="CODEX_HOME")
    hooks = _toml(settings / "config.toml").get("hooks", {})
    state = hooks.get("state", {}) if isinstance(hooks, dict) else {}
    return any(str(key).startswith(f"{file}:") for key in state)


def _claude_code(site: Site) -> Iterator[str]:
    user = home_of(replace(site, project=None), ".claude", variable="CLAUDE_CONFIG_DIR")
    files = [user / "settings.json"]
    if site.project is not None:
        folder = site.project / ".claude"
        files += [folder / "settings.json", folder / "settings.local.json"]
    for file in files:
        for name in ("disableAllHooks", "allowManagedHooksOnly"):
            if _json(file).get(name) is True:
                yield f"{file} has {name}, so that Claude Code runs no hook of yours."


def _codex(site: Site) -> Iterator[str]:
    user = home_of(replace(site, project=None), ".codex", variable="CODEX_HOME")
    features = _toml(user / "config.toml").get("features", {})
    if isinstance(features, dict) and features.get("hooks") is False:
        yield f"{user / 'config.toml'} switches hooks off under [features]."


def _gemini(site: Site) -> Iterator[str]:
    files = [home_of(replace(site, project=None), ".gemini") / "settings.json"]
    if site.project is not None:
        files.append(site.project / ".gemini" / "settings.json")
    for file in files:
        settings = _json(file).get("hooksConfig", {})
        if not isinstance(settings, dict):
            continue
        if settings.get("enabled") is False:
            yield f"{file} switches hooks off under hooksConfig."
        names = settings.get("disabled", [])
        ours = [name for name in names if str(name).startswith("backstory-")]
        if ours:
            yield f"{file} disables {', '.join(ours)} under hooksConfig."


def _json(file: Path) -> _Table:
    """Return a settings file; one that is not there or broken switches nothing off."""
    try:
        text = read(file)
        found = value_of(text, parse(text)) if text else {}
    except (UnreadableInputError, json.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def _toml(file: Path) -> _Table:
    try:
        return tomllib.loads((read(file) or "").removeprefix("\ufeff"))
    except (UnreadableInputError, tomllib.TOMLDecodeError):
        return {}
