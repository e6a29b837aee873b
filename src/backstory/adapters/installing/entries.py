"""What is entered into each host's settings: which files, where in them, and what."""

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

_HOOK_SECONDS = 5
_MARK_START = "# >>> backstory >>>"
_MARK_END = "# <<< backstory <<<"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing in one file: a value in JSON, a block in TOML, or the file as a whole."""

    file: Path
    path: tuple[str, ...] = ()
    value: object = None
    is_in_list: bool = False
    block: str = ""
    whole: str = ""
    is_program: bool = False
    skeleton: str = ""  # what a new file begins with


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where to install: a user's home, or a project, and the program to be called."""

    home: Path
    env: Mapping[str, str]
    project: Path | None  # None for the user's own settings
    program: str
    has_mcp: bool


def hosts() -> tuple[str, ...]:
    """Return the hosts that can be installed for, in the order of the help."""
    return tuple(_HOSTS)


def entries_for(host: str, site: Site) -> list[Entry]:
    """Return what installing for a host enters. Empty where it has no place of this scope."""
    return list(_HOSTS[host](site))


def is_present(host: str, site: Site) -> bool:
    """Whether the host seems to be used: its own directory exists."""
    return any(place.exists() for place in _places(host, site))


def program_path() -> str:
    """Return the program that hosts are to call: by its full path, for they have other PATHs."""
    beside = Path(sys.executable).with_name("backstory")
    return str(beside) if beside.exists() else f"{sys.executable} -P -m backstory.cli.app"


def is_ours(value: object) -> bool:
    """Whether an entry in somebody's settings is one of ours."""
    text = json.dumps(value)
    return "backstory" in text and (" hook --host " in text or '"mcp"' in text)


def _command(site: Site, host: str, *, event: str) -> str:
    # Where the program is gone, the hook is nothing, and no failure.
    program = site.program if " -m " in site.program else shlex.quote(site.program)
    return f"{program} hook --host {host} --event {event} || true"


def _claude_hooks(
    site: Site, host: str, *, file: Path, events: Mapping[str, str]
) -> Iterator[Entry]:
    """Yield hooks of the shape that Claude Code, Codex and Gemini CLI share."""
    seconds = _HOOK_SECONDS * (1000 if host == "gemini" else 1)
    for event, matcher in events.items():
        hook: dict[str, object] = {"type": "command", "command": _command(site, host, event=event)}
        if host == "gemini":
            hook["name"] = f"backstory-{event}"
        hook["timeout"] = seconds
        group: dict[str, object] = {"matcher": matcher} if matcher else {}
        group["hooks"] = [hook]
        yield Entry(file=file, path=("hooks", event), value=group, is_in_list=True)


def _server(site: Site, file: Path, *, path: tuple[str, ...], **more: object) -> Iterator[Entry]:
    if site.has_mcp:
        command, *arguments = _split(site)
        value = {**more, "command": command, "args": [*arguments, "mcp"]}
        yield Entry(file=file, path=path, value=value)


def _split(site: Site) -> list[str]:
    return shlex.split(site.program) if " -m " in site.program else [site.program]


def _claude_code(site: Site) -> Iterator[Entry]:
    folder = _home_of(site, ".claude", variable="CLAUDE_CONFIG_DIR")
    events = {
        "SessionStart": "",
        "UserPromptSubmit": "",
        "PostToolUse": "Bash",
        "PostToolUseFailure": "Bash",
        "Stop": "",
        "SessionEnd": "",
    }
    yield from _claude_hooks(site, "claude-code", file=folder / "settings.json", events=events)
    # Its user-wide servers stand in a file of their own beside the directory.
    inside = "CLAUDE_CONFIG_DIR" in site.env
    user_file = folder / ".claude.json" if inside else site.home / ".claude.json"
    file = user_file if site.project is None else site.project / ".mcp.json"
    yield from _server(site, file, path=("mcpServers", "backstory"))


def _codex(site: Site) -> Iterator[Entry]:
    folder = _home_of(site, ".codex", variable="CODEX_HOME")
    # It tells no exit codes, so that there is no hook for tools; transcripts have them.
    events = dict.fromkeys(("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"), "")
    yield from _claude_hooks(site, "codex", file=folder / "hooks.json", events=events)
    if site.project is None and site.has_mcp:
        command, *arguments = _split(site)
        lines = [
            *(_MARK_START, "[mcp_servers.backstory]", f"command = {json.dumps(command)}"),
            *(f"args = {json.dumps([*arguments, 'mcp'])}", _MARK_END),
        ]
        yield Entry(file=folder / "config.toml", block="\n".join(lines) + "\n")


def _gemini(site: Site) -> Iterator[Entry]:
    file = _home_of(site, ".gemini") / "settings.json"
    events = {
        "SessionStart": "",
        "BeforeAgent": "",
        "AfterTool": "run_shell_command",
        "AfterAgent": "",
        "SessionEnd": "",
    }
    yield from _claude_hooks(site, "gemini", file=file, events=events)
    yield from _server(site, file, path=("mcpServers", "backstory"))


def _cursor(site: Site) -> Iterator[Entry]:
    folder = _home_of(site, ".cursor")
    for event in ("sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "stop"):
        yield Entry(
            file=folder / "hooks.json",
            path=("hooks", event),
            value={"command": _command(site, "cursor", event=event), "timeout": _HOOK_SECONDS},
            is_in_list=True,
            skeleton='{\n  "version": 1\n}\n',
        )
    yield from _server(site, folder / "mcp.json", path=("mcpServers", "backstory"))


def _vscode(site: Site) -> Iterator[Entry]:
    folder = _vscode_folder(site) if site.project is None else site.project / ".vscode"
    yield from _server(site, folder / "mcp.json", path=("servers", "backstory"), type="stdio")


def _opencode(site: Site) -> Iterator[Entry]:
    folder = site.project or site.home / ".config" / "opencode"
    plugins = folder / ".opencode" / "plugin" if site.project else folder / "plugin"
    source = files("backstory.adapters.installing").joinpath("data/opencode.js")
    shim = source.read_text(encoding="utf-8").replace("@PROGRAM@", json.dumps(_split(site)))
    yield Entry(file=plugins / "backstory.js", whole=shim)
    if site.has_mcp:
        server = {"type": "local", "command": [*_split(site), "mcp"], "enabled": True}
        yield Entry(file=folder / "opencode.json", path=("mcp", "backstory"), value=server)


def _windsurf(site: Site) -> Iterator[Entry]:
    user_folder = site.home / ".codeium" / "windsurf"
    folder = user_folder if site.project is None else site.project / ".windsurf"
    for event in ("pre_user_prompt", "post_cascade_response"):
        command = {"command": _command(site, "windsurf", event=event), "show_output": False}
        yield Entry(
            file=folder / "hooks.json", path=("hooks", event), value=command, is_in_list=True
        )
    if site.project is None:
        file = folder / "mcp_config.json"
        yield from _server(site, file, path=("mcpServers", "backstory"))


def _cline(site: Site) -> Iterator[Entry]:
    user_folder = site.home / "Documents" / "Cline" / "Hooks"
    folder = user_folder if site.project is None else site.project / ".clinerules" / "hooks"
    for event in ("TaskStart", "TaskResume", "UserPromptSubmit", "TaskComplete"):
        command = _command(site, "cline", event=event)
        yield Entry(file=folder / event, whole=f"#!/bin/sh\n{command}\n", is_program=True)
    if site.project is None:
        settings = _vscode_folder(site) / "globalStorage/saoudrizwan.claude-dev/settings"
        file = settings / "cline_mcp_settings.json"
        yield from _server(site, file, path=("mcpServers", "backstory"))


def _home_of(site: Site, name: str, *, variable: str = "") -> Path:
    """Return the directory of a host's settings, in the user's home or in the project."""
    if site.project is not None:
        return site.project / name
    return Path(site.env.get(variable, "") or site.home / name)


def _vscode_folder(site: Site) -> Path:
    if sys.platform == "darwin":
        return site.home / "Library/Application Support/Code/User"
    if os.name == "nt":
        return Path(site.env.get("APPDATA", str(site.home))) / "Code" / "User"
    return site.home / ".config" / "Code" / "User"


def _places(host: str, site: Site) -> list[Path]:
    user = Site(
        home=site.home, env=site.env, project=None, program=site.program, has_mcp=site.has_mcp
    )
    return {
        "claude-code": [_home_of(user, ".claude", variable="CLAUDE_CONFIG_DIR")],
        "codex": [_home_of(user, ".codex", variable="CODEX_HOME")],
        "gemini": [site.home / ".gemini"],
        "cursor": [site.home / ".cursor"],
        "vscode": [_vscode_folder(site)],
        "opencode": [site.home / ".config" / "opencode"],
        "windsurf": [site.home / ".codeium" / "windsurf"],
        "cline": [site.home / "Documents" / "Cline"],
    }[host]


_HOSTS: Mapping[str, Callable[[Site], Iterator[Entry]]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "gemini": _gemini,
    "cursor": _cursor,
    "vscode": _vscode,
    "opencode": _opencode,
    "windsurf": _windsurf,
    "cline": _cline,
}
