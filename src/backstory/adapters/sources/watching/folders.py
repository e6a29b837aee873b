"""Which folders of a project are worth watching, and which of their files are a person's work."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from backstory.adapters.git.runner import Git
from backstory.adapters.project import PLAIN_STATE_NAME, Project, ProjectKind
from backstory.model.errors import VcsUnavailableError

# Linux watches a folder at a time, of a number that all programs of a user share.
FOLDERS_MAX = 4_000
# What a new folder may bring along at once.
_NEW_FILES_MAX = 50
# Where there is no git to say what is nobody's work.
_SKIPPED = frozenset(
    {"node_modules", "target", "build", "dist", "venv", "env", "vendor", "__pycache__"}
)
# Files that editors make beside the one that is edited, and lose again.
_TEMPORARY = re.compile(
    r"^(?:4913|\.#.*|#.*#|\..*\.sw[a-z]|.*~|.*\.(?:tmp|temp|swp|part|crdownload|lock)"
    r"|___jb_.*|.*___jb_.*|\.goutputstream.*|\.DS_Store|\.git)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """What is watched, and how many folders are not for want of room."""

    paths: tuple[Path, ...]
    left_out: int = 0


class WorkTree:
    """One project's files as `watch` sees them: nothing ignored, nothing outside, no links."""

    def __init__(
        self, project: Project, *, environ: Mapping[str, str], excluded: Iterable[str] = ()
    ) -> None:
        self.root = project.root
        is_git = project.kind is ProjectKind.GIT
        self._git = Git(project.root, environ=environ) if is_git else None
        self._excluded = tuple(excluded)

    def folders(self) -> Folders:
        """Return the folders that hold files of the project, the root first.

        Raises `VcsUnavailableError` where git cannot tell them.
        """
        found = {""}
        left_out: set[str] = set()
        for listed in self._listed():
            folder = listed
            while folder not in found and folder not in left_out:
                (found if len(found) < FOLDERS_MAX else left_out).add(folder)
                folder = folder.rpartition("/")[0]
        paths = (self.root / folder for folder in sorted(found))
        return Folders(
            paths=tuple(path for path in paths if self._is_inside(path)), left_out=len(left_out)
        )

    def saved(self, paths: Iterable[str]) -> list[str]:
        """Return those of the changed files that somebody saved, as paths in the project."""
        names = [self._name(path) for path in dict.fromkeys(paths) if self._is_file(path)]
        kept = [name for name in names if not self._is_left_out(name)]
        ignored = self._ignored(kept)
        return sorted(_text(name) for name in kept if name not in ignored)

    def new_folders(self, paths: Iterable[str]) -> list[str]:
        """Return those of the changed paths that are folders of the project."""
        found = [path for path in paths if self._is_folder(path)]
        ignored = self._ignored([f"{self._name(path)}/" for path in found])
        return [path for path in found if f"{self._name(path)}/" not in ignored]

    def files_in(self, folder: str) -> list[str]:
        """Return the first files of a folder that came while nobody watched it."""
        found: list[str] = []
        for place, folders, files in os.walk(folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            found += [os.path.join(place, name) for name in files]  # noqa: PTH118 - any bytes
            if len(found) > _NEW_FILES_MAX:
                return []
        return found

    def _listed(self) -> Iterator[str]:
        if self._git is None:
            yield from _walked(self.root)
            return
        rest = b""
        words = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        for piece in self._git.stream(*words):
            *paths, rest = (rest + piece).split(b"\0")
            for path in paths:
                yield os.fsdecode(path.rpartition(b"/")[0])

    def _ignored(self, names: list[str]) -> set[str]:
        if self._git is None or not names:
            return set()
        given = b"".join(os.fsencode(name) + b"\0" for name in names)
        try:
            code, printed, _ = self._git.attempt("check-ignore", "-z", "--stdin", given=given)
        except VcsUnavailableError:
            return set(names)  # what may be ignored is not recorded
        return {os.fsdecode(name) for name in printed.split(b"\0")} if code <= 1 else set(names)

    def _is_left_out(self, name: str) -> bool:
        parts = name.split("/")
        if _TEMPORARY.match(parts[-1]) or {PLAIN_STATE_NAME, ".git"} & set(parts):
            return True
        return any(
            fnmatchcase(name, pattern) or fnmatchcase(parts[-1], pattern)
            for pattern in self._excluded
        )

    def _name(self, path: str) -> str:
        return os.path.relpath(path, self.root).replace(os.sep, "/")

    def _is_file(self, path: str) -> bool:
        # lstat: a link is nobody's saved file, and may lead anywhere.
        return S_ISREG(_mode(path)) and self._is_inside(Path(path).parent)

    def _is_folder(self, path: str) -> bool:
        is_hidden = {".git", PLAIN_STATE_NAME} & set(self._name(path).split("/"))
        return S_ISDIR(_mode(path)) and self._is_inside(Path(path)) and not is_hidden

    def _is_inside(self, folder: Path) -> bool:
        """Whether a folder is where it says: in the project, and not behind a link."""
        real = Path(os.path.realpath(folder))
        return real == folder and real.is_relative_to(self.root) and real.is_dir()


def _walked(root: Path) -> Iterator[str]:
    for place, folders, _ in os.walk(root):
        folders[:] = [
            name for name in folders if not name.startswith(".") and name not in _SKIPPED
        ]
        yield "" if place == str(root) else os.path.relpath(place, root).replace(os.sep, "/")


def _mode(path: str) -> int:
    try:
        return os.lstat(path).st_mode
    except OSError:  # it is gone again
        return 0


def _text(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")
