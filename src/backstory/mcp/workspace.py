"""Which projects a client works in, and the memory of each: never one it does not work in."""

import os
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from backstory.adapters.project import Project, find_project, require_project
from backstory.adapters.switches import off_for
from backstory.mcp.shelf import Shelf
from backstory.model.errors import NoProjectError, UsageError

_NAMED_MAX = 10


class Workspace:
    """The shelves of one server. A client names its folders; without any it is the server's own.

    Usable from several threads.
    """

    def __init__(self, folder: Path, *, env: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._env = dict(os.environ if env is None else env)
        self._lock = threading.Lock()
        self._shelves: dict[Path, Shelf] = {}

    @property
    def is_in_project(self) -> bool:
        """Whether the server itself was started in a project."""
        with suppress(NoProjectError):
            return find_project(self._folder, env=self._env) is not None
        return False

    @property
    def is_off(self) -> bool:
        """Whether memory is off where the server was started: then it has nothing to offer."""
        project = None
        with suppress(NoProjectError):
            project = find_project(self._folder, env=self._env)
        return off_for(project, "", env=self._env) is not None

    def shelf(self, uris: Sequence[str] = (), *, project: str = "") -> Shelf:
        """Return the shelf of the one project that is meant.

        `uris` are the folders that the client has open, `project` the name or path of one of
        their projects. Raises `NoProjectError` where no folder is in a project, and `UsageError`
        where it is not clear which is meant, or one is named that the client does not work in.
        """
        projects = self._projects(uris)
        named = [one for one in projects if not project or _is_called(one, project)]
        if len(named) == 1:
            return self._shelf_of(named[0])
        shown = ", ".join(str(one.root) for one in (named or projects)[:_NAMED_MAX])
        if not named:
            raise UsageError(f"no open project is called {project!r}; there are {shown}")
        raise UsageError(f"several projects are open: say which in `project`: {shown}")

    def close(self) -> None:
        """Let go of every project."""
        for shelf in self._shelves.values():
            shelf.close()

    def _projects(self, uris: Sequence[str]) -> list[Project]:
        found: dict[Path, Project] = {}
        for uri in uris:
            folder = _folder_of(uri)
            with suppress(NoProjectError):
                project = None if folder is None else find_project(folder, env=self._env)
                if project is not None:
                    found.setdefault(project.state_dir, project)
        return list(found.values()) or [require_project(self._folder, env=self._env)]

    def _shelf_of(self, project: Project) -> Shelf:
        # By the work tree: two of one repository share a memory, but not the files in them.
        with self._lock:
            if project.root not in self._shelves:
                self._shelves[project.root] = Shelf(project, env=self._env)
            return self._shelves[project.root]


def _is_called(project: Project, name: str) -> bool:
    if name == project.root.name:
        return True
    is_path = "\0" not in name
    return is_path and os.path.realpath(name) == os.path.realpath(project.root)


def _folder_of(uri: str) -> Path | None:
    """Return the directory of a `file:` address on this machine (RFC 8089), or None."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path)
    is_drive = path[2:3] == ":"  # "/C:/work", on Windows
    folder = Path(path[1:] if is_drive else path)
    # A path from nowhere would be one from where the server was started.
    return folder if folder.is_absolute() and "\0" not in path else None
