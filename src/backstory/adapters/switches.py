"""Switching memory off for agents: on this machine, in one project, for one session.

A switch is an empty file, so that finding it off opens no database. Off means that hooks and
the MCP server read nothing, write nothing and say nothing; a person can still look.
"""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from backstory.adapters.project import Project
from backstory.adapters.settings import user_file
from backstory.model.ids import digest

VARIABLE = "BACKSTORY_OFF"
_NAME = "off"
# Begin the names of marks: a turn of the session is isolated; its person was told so.
ISOLATED = "isolated"
TOLD = "told"
_YES = frozenset({"1", "true", "yes", "on"})


class Reach(StrEnum):
    """How far a switch reaches."""

    MACHINE = "machine"
    PROJECT = "project"
    SESSION = "session"


def off_for(project: Project | None, session: str, *, env: Mapping[str, str]) -> Reach | None:
    """Return what switches memory off here, or None where it is on."""
    if env.get(VARIABLE, "").strip().lower() in _YES or machine_file().exists():
        return Reach.MACHINE
    if project is None:
        return None
    if project_file(project).exists():
        return Reach.PROJECT
    return Reach.SESSION if session and session_file(project, session).exists() else None


def switch(file: Path, *, off: bool) -> None:
    """Put a switch to off or on; doing it again changes nothing."""
    if off:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
    else:
        file.unlink(missing_ok=True)


def machine_file() -> Path:
    """Return the switch of this user on this machine."""
    return user_file().with_name(_NAME)


def project_file(project: Project) -> Path:
    """Return the switch of a project."""
    return project.state_dir / _NAME


def session_file(project: Project, session: str) -> Path:
    """Return the switch of one session, under a name that any session's id makes."""
    return session_mark(project, session, name=_NAME)


def session_mark(project: Project, session: str, *, name: str) -> Path:
    """Return the file that marks one session as something; hooks make and remove it."""
    return project.state_dir / f"{name}-{digest(session)[:24]}"
