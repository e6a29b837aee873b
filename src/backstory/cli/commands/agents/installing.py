"""`backstory install`, `uninstall`, `off` and `on`: in agents, and out of their way."""

import importlib.util
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from backstory.adapters.installing.changes import Change, forget, installing, uninstalling, write
from backstory.adapters.installing.entries import (
    Entry,
    Site,
    entries_for,
    hosts,
    is_present,
    program_path,
)
from backstory.adapters.project import require_project
from backstory.adapters.settings import user_file
from backstory.adapters.switches import (
    machine_file,
    project_file,
    session_file,
    switch,
)
from backstory.cli.place import Command, Invocation
from backstory.cli.render import Screen, print_json
from backstory.model.errors import UsageError

_Hosts = Annotated[
    list[str] | None,
    typer.Argument(metavar="HOST", help=f"{', '.join(hosts())}. Default: those in use."),
]
_Scope = Annotated[str, typer.Option("--scope", help="user or project.")]
_DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the change, and make none.")]
_Session = Annotated[
    str | None, typer.Option("--session", metavar="ID", help="Only one session of an agent.")
]
_Machine = Annotated[bool, typer.Option("--machine", help="Every project of yours.")]


def install(
    invocation: Invocation, host: _Hosts = None, scope: _Scope = "user", dry_run: _DryRun = False
) -> None:
    """Enter Backstory into the settings of coding agents.

    The change is shown first. What else stands in their files is left as it is, and what they
    were before is kept for `backstory uninstall`. Doing it again changes nothing.
    """
    site = _site(invocation, scope)
    names = _named(host, site)
    entries = [entry for name in names for entry in entries_for(name, site)]
    changes = installing(entries)
    _carry_out(invocation, changes, dry_run=dry_run)
    if not invocation.as_json:
        _tell_next(names, changes, site=site)


def uninstall(
    invocation: Invocation, host: _Hosts = None, scope: _Scope = "user", dry_run: _DryRun = False
) -> None:
    """Take Backstory out of the settings of coding agents.

    Nothing of it stays in their files. What is remembered stays.
    """
    site = _site(invocation, scope, has_mcp=True)
    entries = [entry for name in (host or hosts()) for entry in _entries(name, site)]
    _carry_out(invocation, uninstalling(entries, copies=_copies()), dry_run=dry_run)
    if not dry_run:
        for entry in entries:
            forget(entry.file, copies=_copies())


def off(invocation: Invocation, session: _Session = None, machine: _Machine = False) -> None:
    """Switch memory off for agents: nothing is read, written or shown.

    By default for this project, until `backstory on`. You can still look at what is there.
    """
    _switch(invocation, session, machine=machine, is_off=True)


def on(invocation: Invocation, session: _Session = None, machine: _Machine = False) -> None:
    """Switch memory on again for agents."""
    _switch(invocation, session, machine=machine, is_off=False)


COMMANDS = {
    "install": Command(
        run=install,
        examples=(
            "backstory install --dry-run",
            "backstory install claude-code codex",
            "backstory install cursor --scope project",
        ),
    ),
    "uninstall": Command(run=uninstall),
    "off": Command(run=off, examples=("backstory off", "backstory off --machine")),
    "on": Command(run=on),
}


def _site(invocation: Invocation, scope: str, *, has_mcp: bool | None = None) -> Site:
    if scope not in ("user", "project"):
        raise UsageError(f"--scope is {scope!r}; it must be user or project")
    if has_mcp is None:
        has_mcp = importlib.util.find_spec("mcp") is not None
    project = None
    if scope == "project":
        project = require_project(invocation.folder, env=os.environ).root
    return Site(
        home=Path.home(),
        env=os.environ,
        project=project,
        program=program_path(),
        has_mcp=has_mcp,
    )


def _named(given: list[str] | None, site: Site) -> list[str]:
    if given:
        _refuse_unknown(given)
        return given
    return [name for name in hosts() if is_present(name, site)]


def _entries(name: str, site: Site) -> list[Entry]:
    _refuse_unknown([name])
    return entries_for(name, site)


def _refuse_unknown(names: list[str]) -> None:
    unknown = [name for name in names if name not in hosts()]
    if unknown:
        raise UsageError(f"{unknown[0]!r} is no agent; there are {', '.join(hosts())}")


def _carry_out(invocation: Invocation, changes: list[Change], *, dry_run: bool) -> None:
    if invocation.as_json:
        told = [{"file": change.file, "diff": change.diff} for change in changes]
        print_json({"changes": told, "dry_run": dry_run})
    else:
        screen = Screen()
        for change in changes:
            screen.line(change.diff)
        if not changes:
            screen.line("Nothing to change.")
    if dry_run or not changes:
        return
    if sys.stdin is not None and sys.stdin.isatty() and not invocation.as_json:
        typer.confirm("Make these changes?", abort=True)
    for change in changes:
        write(change, copies=_copies())


def _tell_next(names: list[str], changes: list[Change], *, site: Site) -> None:
    screen = Screen()
    if not names:
        screen.line(f"No agent was found; name one of {', '.join(hosts())}.")
        return
    if changes and "codex" in names:
        screen.line("Codex runs a new hook only once you have reviewed it: type /hooks there.")
    if not site.has_mcp:
        screen.line("No MCP server was entered: install `backstory[mcp]` for it.")


def _switch(invocation: Invocation, session: str | None, *, machine: bool, is_off: bool) -> None:
    if session is not None and machine:
        raise UsageError("--session and --machine exclude one another")
    if machine:
        file, reach = machine_file(), "every project of yours"
    else:
        project = require_project(invocation.folder, env=os.environ)
        file, reach = project_file(project), str(project.root)
        if session is not None:
            file, reach = session_file(project, session), f"the session {session}"
    switch(file, off=is_off)
    if invocation.as_json:
        print_json({"off": is_off, "reach": reach})
    else:
        Screen().line(f"Memory is {'off' if is_off else 'on'} for agents in {reach}.")


def _copies() -> Path:
    return user_file().parent / "installed"
