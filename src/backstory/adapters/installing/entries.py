"""What may be entered into a host's files, and the one form of every command that is entered."""

import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

HASH_MARKS = ("# >>> backstory >>>", "# <<< backstory <<<")
MARKDOWN_MARKS = ("<!-- >>> backstory >>> -->", "<!-- <<< backstory <<< -->")
SCRIPT_START = "#!/bin/sh\n"
_PLUGIN_START = (
    "// Made by `backstory install opencode`; `backstory uninstall opencode` removes it.\n"
)
_CALL = re.compile(r"(.+) hook --host [a-z-]+ --event \w+")
_AS_MODULE = ["-P", "-m", "backstory.cli.app"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing in one file: a value in JSON, a marked block of lines, or the file as a whole."""

    file: Path
    path: tuple[str, ...] = ()
    value: object = None
    is_in_list: bool = False
    block: str = ""
    marks: tuple[str, str] = HASH_MARKS
    is_on_top: bool = False  # of a script, below its first line
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
    launcher: tuple[str, ...] = ()  # a faster way to the hook than the program, where there is one


def program_path() -> str:
    """Return the program that hosts are to call: by its full path, for they have other PATHs."""
    beside = Path(sys.executable).with_name("backstory")
    python = shlex.quote(sys.executable)
    return str(beside) if beside.exists() else " ".join((python, *_AS_MODULE))


def program_words(site: Site) -> list[str]:
    """Return the program as a list, for those that start it without a shell."""
    return shlex.split(site.program) if " -m " in site.program else [site.program]


def launcher_words() -> tuple[str, ...]:
    """Return the fastest way to start a hook, or nothing where this installation has none."""
    start = Path(str(files("backstory"))) / "hooks" / "start.py"
    is_known = os.name != "nt" and start.is_file()
    return (sys.executable, "-I", "-S", str(start)) if is_known else ()


def hook_words(site: Site) -> list[str]:
    """Return what starts a hook, as a list; `hook` and its options follow."""
    return [*site.launcher] or program_words(site)


def hook_command(site: Site, host: str, *, event: str) -> str:
    """Return the line that a host runs for an event.

    The only place that writes it: Codex trusts a hook by the hash of its line, so that a change
    here makes every user review it again.
    """
    # The launcher lies in a directory with Python's version in its name: where that has changed,
    # the program is what is left. Where that is gone, too, the hook is nothing, and no failure.
    ways = [words for words in (list(site.launcher), program_words(site)) if words]
    calls = [f"{shlex.join(words)} hook --host {host} --event {event}" for words in ways]
    return " || ".join((*calls, "true"))


def server_entries(
    site: Site, file: Path, *, path: tuple[str, ...], **more: object
) -> Iterator[Entry]:
    """Yield the MCP server in the form that most hosts share; nothing where it cannot run."""
    if site.has_mcp:
        command, *arguments = program_words(site)
        value = {**more, "command": command, "args": [*arguments, "mcp"]}
        yield Entry(file=file, path=path, value=value)


def marked(lines: list[str], marks: tuple[str, str]) -> str:
    """Return lines as a block between marks, by which it is found again."""
    start, end = marks
    return "\n".join([start, *lines, end]) + "\n"


def is_ours(value: object) -> bool:
    """Whether an entry in somebody's settings is one of ours, and holds nothing of another's."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("hooks"), list):
        return bool(value["hooks"]) and all(is_ours(hook) for hook in value["hooks"])
    line = value.get("command", value.get("bash"))
    return (isinstance(line, str) and is_our_command(line)) or _is_our_server(value)


def is_our_file(text: str) -> bool:
    """Whether a whole file, a script or a plugin, is one that installing made.

    A person's own script that calls Backstory is none.
    """
    if text.startswith(_PLUGIN_START):
        return "\nconst PROGRAM = [" in text
    first, _, command = text.partition("\n")
    is_script = f"{first}\n" == SCRIPT_START and command.endswith("\n")
    return is_script and is_our_command(command[:-1])


def is_our_command(line: str) -> bool:
    """Whether a line has the form that this version or an older one entered, and no more."""
    *calls, last = line.split(" || ")
    return bool(calls) and last == "true" and all(map(_is_our_call, calls))


def _is_our_call(call: str) -> bool:
    """Whether a call is one of a hook: by its launcher, by the program or by Python."""
    found = _CALL.fullmatch(call)
    if found is None:
        return False
    try:
        words = shlex.split(found.group(1))
    except ValueError:
        return False
    # What a shell would do more than start these words was never written.
    return shlex.join(words) == found.group(1) and _is_our_program(words)


def _is_our_program(words: Sequence[str]) -> bool:
    started, *arguments = words or [""]
    if not arguments:
        return re.split(r"[/\\]", started)[-1] in ("backstory", "backstory.exe")
    *options, last = arguments
    is_launcher = options == ["-I", "-S"] and last.endswith("/backstory/hooks/start.py")
    return is_launcher or arguments == _AS_MODULE


def _is_our_server(value: Mapping[str, object]) -> bool:
    """Whether this starts our server, in whichever way: its name in the settings is ours."""
    command, arguments = value.get("command"), value.get("args", [])
    words = [*(command if isinstance(command, list) else [command])]
    words += arguments if isinstance(arguments, list) else []
    return words[-1:] == ["mcp"] and any("backstory" in str(word) for word in words[:-1])
