"""What is entered for each host: which files, where in them, and what.

Places, names of events and units of time are those of each program's documentation or of the
program itself; docs/how-to/use-in-your-agents.md tells people what they get.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from backstory.adapters.installing.entries import (
    HASH_MARKS,
    MARKDOWN_MARKS,
    SCRIPT_START,
    Entry,
    Site,
    hook_command,
    hook_words,
    marked,
    program_words,
    server_entries,
)

_HOOK_SECONDS = 5
# Codex gives the end of a session so long at the most, and warns at every start of more.
_CODEX_END_SECONDS = 3
# The command line of Cline 3.0 gives a server three to start, and a busy machine takes longer.
_CLINE_START_SECONDS = 60
_VERSIONED = '{\n  "version": 1\n}\n'
_SERVERS = ("mcpServers", "backstory")
# For hosts that take no text from hooks: what the agent is to do by itself.
_RULES = (
    "This project has a memory, Backstory: what the user decided and preferred, with their words.",
    "At the start of a task, and before a choice that may have been made already, call its",
    "`recall` tool with the question or the files at hand. Memory is no evidence about the code:",
    "read that. What the user says now wins. When the user states something lasting, call",
    "`remember` with exactly their words.",
)


def hosts() -> tuple[str, ...]:
    """Return the hosts that can be installed for, in the order of the help."""
    return tuple(_HOSTS)


def entries_for(host: str, site: Site) -> list[Entry]:
    """Return what installing for a host enters. Empty where it has no place of this scope."""
    return list(_HOSTS[host](site))


def is_present(host: str, site: Site) -> bool:
    """Whether the host seems to be used: what it makes for itself exists."""
    return any(place.exists() for place in _places(host, site))


def home_of(site: Site, name: str, *, variable: str = "") -> Path:
    """Return the directory of a host's settings, in the user's home or in the project."""
    if site.project is not None:
        return site.project / name
    return Path(site.env.get(variable, "") or site.home / name)


def vscode_folder(site: Site) -> Path:
    """Return where VS Code keeps a user's settings."""
    if sys.platform == "darwin":
        return site.home / "Library/Application Support/Code/User"
    if os.name == "nt":
        return Path(site.env.get("APPDATA", str(site.home))) / "Code" / "User"
    return site.home / ".config" / "Code" / "User"


def _claude_hooks(
    site: Site, host: str, *, file: Path, events: Mapping[str, str]
) -> Iterator[Entry]:
    """Yield hooks of the shape that Claude Code, Codex and Gemini CLI share."""
    for event, matcher in events.items():
        hook: dict[str, object] = {
            "type": "command",
            "command": hook_command(site, host, event=event),
        }
        if host == "gemini":
            hook["name"] = f"backstory-{event}"
        hook["timeout"] = _timeout_of(host, event)
        group: dict[str, object] = {"matcher": matcher} if matcher else {}
        group["hooks"] = [hook]
        yield Entry(file=file, path=("hooks", event), value=group, is_in_list=True)


def _timeout_of(host: str, event: str) -> int:
    if host == "gemini":
        return _HOOK_SECONDS * 1000
    return _CODEX_END_SECONDS if (host, event) == ("codex", "SessionEnd") else _HOOK_SECONDS


def _claude_code(site: Site) -> Iterator[Entry]:
    folder = home_of(site, ".claude", variable="CLAUDE_CONFIG_DIR")
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
    inside = bool(site.env.get("CLAUDE_CONFIG_DIR"))
    user_file = folder / ".claude.json" if inside else site.home / ".claude.json"
    file = user_file if site.project is None else site.project / ".mcp.json"
    yield from server_entries(site, file, path=_SERVERS)


def _codex(site: Site) -> Iterator[Entry]:
    folder = home_of(site, ".codex", variable="CODEX_HOME")
    # It tells no exit codes, so that there is no hook for tools; transcripts have them.
    events = dict.fromkeys(("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"), "")
    yield from _claude_hooks(site, "codex", file=folder / "hooks.json", events=events)
    if site.has_mcp:
        command, *arguments = program_words(site)
        lines = [
            "[mcp_servers.backstory]",
            f"command = {json.dumps(command, ensure_ascii=False)}",
            f"args = {json.dumps([*arguments, 'mcp'], ensure_ascii=False)}",
        ]
        yield Entry(file=folder / "config.toml", block=marked(lines, HASH_MARKS))


def _gemini(site: Site) -> Iterator[Entry]:
    file = home_of(site, ".gemini") / "settings.json"
    events = {
        "SessionStart": "",
        "BeforeAgent": "",
        "AfterTool": "run_shell_command",
        "AfterAgent": "",
        "SessionEnd": "",
    }
    yield from _claude_hooks(site, "gemini", file=file, events=events)
    yield from server_entries(site, file, path=_SERVERS)


def _cursor(site: Site) -> Iterator[Entry]:
    folder = home_of(site, ".cursor")
    for event in ("sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "stop"):
        command = hook_command(site, "cursor", event=event)
        yield Entry(
            file=folder / "hooks.json",
            path=("hooks", event),
            value={"command": command, "timeout": _HOOK_SECONDS},
            is_in_list=True,
            skeleton=_VERSIONED,
        )
    yield from server_entries(site, folder / "mcp.json", path=_SERVERS)


def _vscode(site: Site) -> Iterator[Entry]:
    folder = vscode_folder(site) if site.project is None else site.project / ".vscode"
    yield from server_entries(
        site, folder / "mcp.json", path=("servers", "backstory"), type="stdio"
    )
    yield from _copilot_hooks(site)


def _copilot(site: Site) -> Iterator[Entry]:
    if site.project is None:
        folder = home_of(site, ".copilot", variable="COPILOT_HOME")
        yield from server_entries(site, folder / "mcp-config.json", path=_SERVERS, type="local")
    else:
        yield from server_entries(site, site.project / ".mcp.json", path=_SERVERS)
    yield from _copilot_hooks(site)


def _copilot_hooks(site: Site) -> Iterator[Entry]:
    """Yield hooks in the form of Copilot CLI, whose files VS Code reads as well."""
    folder = home_of(site, ".github", variable="COPILOT_HOME")
    if site.project is None:
        folder = home_of(site, ".copilot", variable="COPILOT_HOME")
    for event in ("sessionStart", "userPromptSubmitted", "postToolUse", "agentStop", "sessionEnd"):
        command = hook_command(site, "copilot", event=event)
        yield Entry(
            file=folder / "hooks" / "backstory.json",
            path=("hooks", event),
            value={"type": "command", "bash": command, "timeoutSec": _HOOK_SECONDS},
            is_in_list=True,
            skeleton=_VERSIONED,
        )


def _opencode(site: Site) -> Iterator[Entry]:
    folder = site.project or _opencode_folder(site)
    plugins = folder / ".opencode" / "plugin" if site.project else folder / "plugin"
    source = files("backstory.adapters.installing").joinpath("data/opencode.js")
    words = json.dumps(hook_words(site))
    shim = source.read_text(encoding="utf-8").replace("@PROGRAM@", words)
    yield Entry(file=plugins / "backstory.js", whole=shim)
    if site.has_mcp:
        server = {"type": "local", "command": [*program_words(site), "mcp"], "enabled": True}
        commented = folder / "opencode.jsonc"
        file = commented if commented.exists() else folder / "opencode.json"
        yield Entry(file=file, path=("mcp", "backstory"), value=server)


def _opencode_folder(site: Site) -> Path:
    settings = site.env.get("XDG_CONFIG_HOME", "")
    return (Path(settings) if settings else site.home / ".config") / "opencode"


def _windsurf(site: Site) -> Iterator[Entry]:
    user_folder = site.home / ".codeium" / "windsurf"
    folder = user_folder if site.project is None else site.project / ".windsurf"
    for event in ("pre_user_prompt", "post_cascade_response"):
        command = {"command": hook_command(site, "windsurf", event=event), "show_output": False}
        yield Entry(
            file=folder / "hooks.json", path=("hooks", event), value=command, is_in_list=True
        )
    if site.project is None:
        yield from server_entries(site, folder / "mcp_config.json", path=_SERVERS)
        rules = folder / "memories" / "global_rules.md"
    else:
        rules = folder / "rules" / "backstory.md"
    if site.has_mcp:
        text = marked(list(_RULES), MARKDOWN_MARKS)
        head = "" if site.project is None else "---\ntrigger: always_on\n---\n"
        yield Entry(file=rules, block=text, marks=MARKDOWN_MARKS, skeleton=head)


def _cline(site: Site) -> Iterator[Entry]:
    user_folder = site.home / "Documents" / "Cline" / "Hooks"
    folder = user_folder if site.project is None else site.project / ".clinerules" / "hooks"
    for event in ("TaskStart", "TaskResume", "UserPromptSubmit", "TaskComplete"):
        command = hook_command(site, "cline", event=event)
        yield Entry(file=folder / event, whole=f"{SCRIPT_START}{command}\n", is_program=True)
    if site.project is not None:
        return
    settings = [vscode_folder(site) / "globalStorage/saoudrizwan.claude-dev/settings"]
    if (site.home / ".cline").is_dir():  # its command line has settings of its own
        settings.append(site.home / ".cline" / "data" / "settings")
    for place in settings:
        file = place / "cline_mcp_settings.json"
        yield from server_entries(site, file, path=_SERVERS, timeout=_CLINE_START_SECONDS)


def _places(host: str, site: Site) -> list[Path]:
    user = replace(site, project=None)
    copilot = home_of(user, ".copilot", variable="COPILOT_HOME")
    return {
        "claude-code": [home_of(user, ".claude", variable="CLAUDE_CONFIG_DIR")],
        "codex": [home_of(user, ".codex", variable="CODEX_HOME")],
        "gemini": [site.home / ".gemini"],
        "cursor": [site.home / ".cursor"],
        "vscode": [vscode_folder(site)],
        # Not the directory: the hooks that VS Code shares with it stand there, too.
        "copilot": [copilot / "config.json", copilot / "session-state"],
        "opencode": [_opencode_folder(site)],
        "windsurf": [site.home / ".codeium" / "windsurf"],
        "cline": [site.home / "Documents" / "Cline", site.home / ".cline"],
    }[host]


_HOSTS: Mapping[str, Callable[[Site], Iterator[Entry]]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "gemini": _gemini,
    "cursor": _cursor,
    "vscode": _vscode,
    "copilot": _copilot,
    "opencode": _opencode,
    "windsurf": _windsurf,
    "cline": _cline,
}
