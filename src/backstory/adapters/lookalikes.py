"""Telling that a project without a memory looks like one that has one, from files alone.

Memory moves with its directory, so it seems lost only where the directory was made anew: cloned
again, or turned into a repository. The directory itself is looked at, the repository that it was
cloned from, and what lies beside it; nothing is kept about where a person's projects are.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from backstory.adapters.project import (
    PLAIN_STATE_NAME,
    Project,
    ProjectKind,
    find_project,
    git_setting,
)
from backstory.model.errors import NoProjectError

_STORE_NAME = "memory.db"
# Somebody waits for this once in the life of a project.
_NEIGHBOURS_MAX = 300
_INDEX_VERSION_MAX = 3
# "git@host:path" and "ssh://user@host:22/path" are one address (git-fetch(1), GIT URLS).
_SCP = re.compile(r"(?:[^/@]+@)?([^/:]+):(?!//)(.+)")
_URL = re.compile(r"[a-z+]+://(?:[^/@]*@)?([^/:]*)(?::\d+)?/+(.*)", re.IGNORECASE)


def known_before(project: Project, *, env: Mapping[str, str]) -> Path | None:
    """Return the directory whose memory is likely this project's own, or None.

    It is asked where a project has no memory yet; a memory in use is never doubted.
    """
    if project.kind is not ProjectKind.GIT:
        return None
    if _has_file(project.root / PLAIN_STATE_NAME / _STORE_NAME) and not _is_published(project):
        return project.root  # it was a plain directory before it became a repository
    origin = _origin(project)
    if not origin:
        return None
    for place in _places(project, origin):
        other = _project_at(place, env)
        if other is not None and other.state_dir != project.state_dir:
            is_same = place == Path(origin) or address(_origin(other)) == address(origin)
            if is_same and _has_file(other.state_dir / _STORE_NAME):
                return other.root
    return None


def advice(place: Path | str) -> str:
    """Return the sentence with which a person is told of a memory that is likely theirs."""
    command = f"backstory relink {shlex.quote(str(place))}"
    return f"this looks like {place}, which has a memory: `{command}` brings it here."


def address(remote: str) -> str:
    """Return a remote's address in one form, however it was written: "host/path"."""
    found = _URL.fullmatch(remote) or _SCP.fullmatch(remote)
    plain = f"{found[1].lower()}/{found[2]}" if found else remote
    return plain.rstrip("/").removesuffix(".git").rstrip("/")


def _places(project: Project, origin: str) -> Iterator[Path]:
    if Path(origin).is_absolute():
        yield Path(origin)
    try:
        neighbours = sorted(islice(project.root.parent.iterdir(), _NEIGHBOURS_MAX))
    except OSError:
        return
    yield from (place for place in neighbours if place != project.root)


def _project_at(place: Path, env: Mapping[str, str]) -> Project | None:
    """Return the repository that a directory is the root of, or None."""
    try:
        found = find_project(place, env=env)
    except (NoProjectError, OSError):
        return None
    if found is None or found.root != place:
        return None
    return found if found.kind is ProjectKind.GIT else None


def _is_published(project: Project) -> bool:
    """Whether the memory in the work tree is, or may be, a file that git keeps.

    Then it came with a clone and holds what somebody else wrote. Git's index has paths as they
    are, but in its fourth version, which leaves out how they begin (gitformat-index(5)).
    """
    try:
        index = (project.git_dir or project.root).joinpath("index").read_bytes()
    except FileNotFoundError:
        return False
    except OSError:
        return True
    version = int.from_bytes(index[4:8], "big")
    return version > _INDEX_VERSION_MAX or f"{PLAIN_STATE_NAME}/{_STORE_NAME}".encode() in index


def _origin(project: Project) -> str:
    if project.common_dir is None:
        return ""
    return git_setting(project.common_dir, 'remote "origin"', name="url") or ""


def _has_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
