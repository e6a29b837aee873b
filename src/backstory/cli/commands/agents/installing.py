"""`backstory install`, `uninstall`, `off` and `on`: in agents, and out of their way."""

import importlib.util
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from backstory.adapters.installing import git_hooks
from backstory.adapters.installing.changes import Change, installing, uninstalling
from backstory.adapters.installing.entries import Entry, Site, launcher_words, program_path
from backstory.adapters.installing.git_hooks import LeftOut, hooks_of, hooks_to_remove
from backstory.adapters.installing.hosts import entries_for, hosts, is_present
from backstory.adapters.installing.notes import asked_of_person, switched_off
from backstory.adapters.installing.writing import write_all
from backstory.adapters.project import find_project, require_project
from backstory.adapters.settings import user_file
from backstory.adapters.switches import (
    machine_file,
    project_file,
    session_file,
    switch,
)
from backstory.cli.asking import confirmed
from backstory.cli.commands.agents.offering import tell_of_native
from backstory.cli.place import Command, Invocation
from backstory.cli.render import Screen, joined, print_json
from backstory.model.errors import NoProjectError, UsageError
from backstory.speaking import retold, said

_Hosts = Annotated[
    list[str] | None,
    typer.Argument(metavar="HOST", help=f"{', '.join(hosts())}, git."),
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

    Without names it is the agents in use. The change is shown first. What else stands in their
    files is left as it is, and what they were before is kept for `backstory uninstall`. Doing
    it again changes nothing.
    """
    site = site_of(invocation, scope)
    names = _named(host, site)
    entries = [entry for name in names for entry in _entries(name, site)]
    left_out: tuple[LeftOut, ...] = ()
    if git_hooks.NAME in names:
        hooks = hooks_of(site_of(invocation, "project"))
        entries += hooks.entries
        left_out = hooks.left_out
    changes = installing(entries, copies=copies_folder())
    _carry_out(invocation, changes, dry_run=dry_run, left_out=left_out)
    if not invocation.as_json:
        _tell_next(names, changes, site=site)
        _tell_left_out(left_out)
        with suppress(NoProjectError):
            project = find_project(invocation.folder, env=os.environ)
            if project is not None and "claude-code" in names:
                tell_of_native(Screen(), project)


def uninstall(
    invocation: Invocation, host: _Hosts = None, scope: _Scope = "user", dry_run: _DryRun = False
) -> None:
    """Take Backstory out of the settings of coding agents.

    Without names it is every agent. Nothing of it stays in their files; git's hooks leave a
    project by `backstory uninstall git`. What is remembered stays.
    """
    site = site_of(invocation, scope, has_mcp=True)
    names = host or _all_names(site)
    _refuse_unknown(names)
    entries = [entry for name in names for entry in _entries(name, site)]
    if git_hooks.NAME in names:
        entries += hooks_to_remove(site_of(invocation, "project"))
    changes = uninstalling(entries, copies=copies_folder())
    _carry_out(invocation, changes, dry_run=dry_run, forgotten=[entry.file for entry in entries])


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
            "backstory install git",
        ),
    ),
    "uninstall": Command(
        run=uninstall, examples=("backstory uninstall --dry-run", "backstory uninstall git")
    ),
    "off": Command(run=off, examples=("backstory off", "backstory off --machine")),
    "on": Command(run=on),
}


def site_of(invocation: Invocation, scope: str, *, has_mcp: bool | None = None) -> Site:
    """Return where to install; `has_mcp` is found out where it is not told."""
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
        launcher=launcher_words(),
    )


def _named(given: list[str] | None, site: Site) -> list[str]:
    if given:
        _refuse_unknown(given)
        return given
    return [name for name in hosts() if is_present(name, site)]


def _all_names(site: Site) -> list[str]:
    is_git = site.project is not None and (site.project / ".git").exists()
    return [*hosts(), *([git_hooks.NAME] if is_git else [])]


def _entries(name: str, site: Site) -> list[Entry]:
    return [] if name == git_hooks.NAME else entries_for(name, site)


def _refuse_unknown(names: list[str]) -> None:
    unknown = [name for name in names if name not in (*hosts(), git_hooks.NAME)]
    if unknown:
        raise UsageError(f"{unknown[0]!r} is no agent; there are {joined(hosts())} and git")


def _carry_out(
    invocation: Invocation,
    changes: list[Change],
    *,
    dry_run: bool,
    forgotten: Sequence[Path] = (),
    left_out: Sequence[LeftOut] = (),
) -> None:
    if invocation.as_json:
        told = [{"file": change.file, "diff": change.diff} for change in changes]
        left = [asdict(hook) for hook in left_out]
        print_json({"changes": told, "dry_run": dry_run, "left_out": left})
    else:
        screen = Screen()
        for change in changes:
            screen.line(change.diff)
        if not changes:
            screen.line(said("Nothing to change."))
    if dry_run:
        return
    is_asked = changes and sys.stdin is not None and sys.stdin.isatty()
    if is_asked and not invocation.as_json and not confirmed(said("Make these changes?")):
        raise typer.Abort
    write_all(changes, copies=copies_folder(), forgotten=forgotten)


def _tell_next(names: list[str], changes: list[Change], *, site: Site) -> None:
    screen = Screen()
    if not names:
        screen.line(said(f"No agent was found; name one of {joined(hosts())}."))
        return
    for name in names:
        asked = asked_of_person(name, site) if changes else ""
        for line in (asked, *switched_off(name, site)):
            if line:
                screen.line(retold(line))
    if not site.has_mcp and names != [git_hooks.NAME]:
        screen.line(said("No MCP server was entered: install `backstory[mcp]` for it."))


def _tell_left_out(left_out: Sequence[LeftOut]) -> None:
    screen = Screen()
    for hook in left_out:
        because, to_do = retold(hook.because), retold(hook.to_do)
        screen.line((said(f"Left out: {hook.event}. {because}: {to_do}."), "yellow"))


def _switch(invocation: Invocation, session: str | None, *, machine: bool, is_off: bool) -> None:
    if session is not None and machine:
        raise UsageError("--session and --machine exclude one another")
    if machine:
        file, reach = machine_file(), "every project of yours"
        where = said("every project of yours")
    else:
        project = require_project(invocation.folder, env=os.environ)
        file, reach = project_file(project), str(project.root)
        where = reach
        if session is not None:
            file, reach = session_file(project, session), f"the session {session}"
            where = said(f"the session {session}")
    switch(file, off=is_off)
    if invocation.as_json:
        print_json({"off": is_off, "reach": reach})
    else:
        off = said(f"Memory is off for agents in {where}.")
        Screen().line(off if is_off else said(f"Memory is on for agents in {where}."))


def copies_folder() -> Path:
    """Return where it is kept what files were before."""
    return user_file().parent / "installed"
