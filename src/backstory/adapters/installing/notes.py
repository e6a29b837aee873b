"""What stands between an entry and its being run: a host's switches, and what a person must do."""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from backstory.adapters.installing.changes import read
from backstory.adapters.installing.entries import Site, is_ours
from backstory.adapters.installing.hosts import entries_for, home_of
from backstory.adapters.installing.jsonc import parse, value_of
from backstory.model.errors import UnreadableInputError

_Table = Mapping[str, Any]

_CODEX_REVIEW = (
    "Codex runs no hook that you have not reviewed. Once, start `codex` in a terminal: it says"
    ' "Hooks need review", and you look at them and trust them there. Until then memory has no'
    " part in Codex, nor in `codex exec`"
)
# What a host asks of a person, for entries of the user and for those of a project.
_ASKED: Mapping[str, tuple[str, str]] = {
    "claude-code": (
        "",
        "Claude Code asks whether you trust the folder and its server, when it is next started.",
    ),
    "codex": (
        f"{_CODEX_REVIEW}.",
        f"{_CODEX_REVIEW}. It reads files of a project only where you trust its folder.",
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


def passed_over(site: Site) -> list[str]:
    """Return our hooks that Codex does not run for want of a person's word, by the reason.

    As Codex 0.171.0 does it: its settings hold the digest of each hook that was trusted, under
    the hook's file and place, so that a changed hook is asked for again.
    """
    file = next(entry.file for entry in entries_for("codex", site))
    state = _table(_table(_codex_settings(site), "hooks"), "state")
    reviews = {_real(key): review for key, review in state.items() if isinstance(review, dict)}
    found: dict[str, list[str]] = {}
    for event, place, identity in _our_hooks(_table(_json(file), "hooks")):
        review = reviews.get(_real(f"{file}:{identity['event_name']}:{place}"), {})
        found.setdefault(_doubt(review, digest=_digest_of(identity)), []).append(event)
    return [f"{why}: {', '.join(events)}" for why, events in found.items() if why]


def _our_hooks(hooks: _Table) -> Iterator[tuple[str, str, _Table]]:
    """Yield each hook of ours: its event, its place there, and what tells it from others."""
    groups = [
        (event, at, group)
        for event, listed in hooks.items()
        for at, group in enumerate(listed if isinstance(listed, list) else ())
        if isinstance(group, dict)
    ]
    for event, at, group in groups:
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
        matcher = {"matcher": group["matcher"]} if group.get("matcher") is not None else {}
        for within, hook in enumerate(group.get("hooks", ())):
            if is_ours(hook):
                alone = {**matcher, "hooks": [{"async": False, **hook}]}
                yield event, f"{at}:{within}", {"event_name": name, **alone}


def is_folder_trusted(site: Site) -> bool:
    """Whether Codex reads the files of the project at all. The user's own it always reads."""
    if site.project is None:
        return True
    told = _table(_table(_codex_settings(site), "projects"), os.path.realpath(site.project))
    return told.get("trust_level") == "trusted"


def _doubt(review: _Table, *, digest: str) -> str:
    if review.get("enabled") is False:
        return "switched off in /hooks"
    if "trusted_hash" not in review:
        return "never reviewed"
    return "" if review["trusted_hash"] == digest else "changed since the review"


def _digest_of(identity: _Table) -> str:
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _real(key: str) -> str:
    """Return the name of a hook's place with no link in it."""
    file, *place = key.rsplit(":", 3)
    return ":".join((os.path.realpath(file), *place))


def _codex_settings(site: Site) -> _Table:
    user = home_of(replace(site, project=None), ".codex", variable="CODEX_HOME")
    return _toml(user / "config.toml")


def _table(table: _Table, key: str) -> _Table:
    found = table.get(key)
    return found if isinstance(found, dict) else {}


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
    if _table(_codex_settings(site), "features").get("hooks") is False:
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
