"""The commands of ours that stand in a host's files now, as the host would run them."""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from backstory.adapters.installing.changes import read
from backstory.adapters.installing.entries import Entry, Site, is_our_file, is_ours
from backstory.adapters.installing.hosts import entries_for
from backstory.adapters.installing.json_edits import found
from backstory.model.errors import UnreadableInputError

_PROGRAM = re.compile(r"^const PROGRAM = (\[.*\]);$", re.MULTILINE)
_EVENT = re.compile(r" --event (\S+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What is entered for a host: its hooks by event, each as words, and files that are broken."""

    hooks: Mapping[str, tuple[str, ...]]
    broken: tuple[str, ...] = ()

    @property
    def missing(self) -> str:
        """The first program that a hook starts and that is not there, or ""."""
        for words in self.hooks.values():
            line = shlex.split(words[-1]) if words[0] == "/bin/sh" else [*words]
            started = line[: line.index("hook")] if "hook" in line else line[:1]
            for place in started:
                if place.startswith("/") and not Path(place).exists():
                    return place
        return ""


def installed_for(host: str, site: Site) -> Installed:
    """Return what a host's files hold of ours. Nothing is run."""
    hooks: dict[str, tuple[str, ...]] = {}
    broken: list[str] = []
    for entry in entries_for(host, site):
        try:
            text = read(entry.file)
            hooks |= {} if not text else _hooks(text, entry)
        except UnreadableInputError as error:
            broken.append(f"{entry.file}: {error}")
    return Installed(hooks=hooks, broken=tuple(dict.fromkeys(broken)))


def _hooks(text: str, entry: Entry) -> dict[str, tuple[str, ...]]:
    if entry.whole:
        return _in_file(text) if is_our_file(text) else {}
    values = found(text, entry.path) if entry.is_in_list else None
    commands = [_command(one) for one in values] if isinstance(values, list) else []
    command = next((one for one in commands if one), "")
    return {entry.path[-1]: ("/bin/sh", "-c", command)} if command else {}


def _command(value: object) -> str:
    """Return the line of an entry of ours, in whichever form a host has it; "" of others."""
    if not isinstance(value, dict):
        return ""
    inner = value.get("hooks")
    if isinstance(inner, list):
        return next((command for one in inner if (command := _command(one))), "")
    line = value.get("command") or value.get("bash")
    return line if isinstance(line, str) and is_ours(value) else ""


def _in_file(text: str) -> dict[str, tuple[str, ...]]:
    program = _PROGRAM.search(text)
    if program is None:
        event = _EVENT.search(text)
        line = text.splitlines()[-1]
        return {event.group(1): ("/bin/sh", "-c", line)} if event else {}
    words = (*json.loads(program.group(1)), "hook", "--host", "opencode", "--event")
    return {event: (*words, event) for event in ("SessionStart", "UserPromptSubmit", "Stop")}
