"""Finding the project of a directory without running git; light enough for the hook path.

A project is known by its git common directory, so that all its work trees share one memory
and a checkout that moves takes its memory along. Outside git it is a directory that holds
`.backstory/`. The layout read here is that of gitrepository-layout(5); no GIT_* variable is
looked at, because git exports them to hooks and they then leak into other repositories.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from backstory.model.errors import NoProjectError

PLAIN_STATE_NAME = ".backstory"
GIT_STATE_NAME = "backstory"
_POINTER_BYTES_MAX = 64 * 1024  # a `.git` file or `commondir` holds one path


class ProjectKind(StrEnum):
    """What makes a directory a project."""

    GIT = "git"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One repository on one machine, as seen from one directory in it.

    `state_dir` is its identity: two directories with one `state_dir` are one project.
    It may not exist yet.
    """

    kind: ProjectKind
    root: Path  # the caller's work tree; the repository itself where it is bare
    state_dir: Path
    work_tree: Path | None  # None where the caller stands in a bare repository
    git_dir: Path | None = None  # of the caller's work tree
    common_dir: Path | None = None


def find_project(start: Path, *, env: Mapping[str, str]) -> Project | None:
    """Return the project that `start` lies in, or None.

    The innermost repository wins, and any repository wins over a `.backstory/` inside it, so
    that a clone cannot bring a memory of its own. The home directory, the root and temporary
    directories count only for somebody who stands exactly there and ran `init` there.
    Raises `NoProjectError` where a `.git` file points at nothing: taking the next repository
    above would mix two projects.
    """
    here = _resolved(start)
    special = special_places(env)
    return _git_project(here, special) or _plain_project(here, special)


def require_project(start: Path, *, env: Mapping[str, str]) -> Project:
    """Return the project that `start` lies in, or raise `NoProjectError` saying what to do."""
    project = find_project(start, env=env)
    if project is None:
        raise NoProjectError(
            f"{start} is in no project: it is in no git repository, and no directory above it "
            f"holds {PLAIN_STATE_NAME}/. Run `backstory init` in the directory that is to have "
            "a memory."
        )
    return project


def init_project(start: Path, *, env: Mapping[str, str]) -> Project:
    """Make the state directory of the project at `start`, and return the project.

    Outside git this is what turns `start` into a project. Doing it again changes nothing.
    """
    project = find_project(start, env=env)
    if project is None:
        here = _resolved(start)
        located = _located_git(here)
        project = _plain(here) if located is None else _from_git(*located)
    project.state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    ignore = project.state_dir / ".gitignore"
    if project.kind is ProjectKind.PLAIN and not ignore.exists():
        # A later `git init` here must not track the database.
        ignore.write_text("*\n", encoding="utf-8")
    return project


def special_places(env: Mapping[str, str]) -> frozenset[Path]:
    """Return the directories that never become projects by themselves."""
    names = [env.get("HOME"), env.get("USERPROFILE"), "~"]
    names += [env.get("TMPDIR"), env.get("TEMP"), env.get("TMP")]
    # Those that `tempfile` would try, which takes as long to load as the rest of this.
    names += ["/tmp", "/var/tmp", "/usr/tmp", "/private/tmp"]  # noqa: S108 -- told apart, not used
    if os.name == "nt":
        import tempfile  # noqa: PLC0415 - its places are not written down here

        names.append(tempfile.gettempdir())
    places = {_resolved(Path(os.path.expanduser(name))) for name in names if name}  # noqa: PTH111
    return frozenset(places | {Path(place.anchor) for place in places})


def work_trees(project: Project) -> tuple[Path, ...]:
    """Return every work tree of a project that exists now, the caller's own first."""
    found = [] if project.work_tree is None else [project.work_tree]
    if project.common_dir is not None:
        found += [tree for tree in (_own_tree(project.common_dir),) if tree is not None]
        found += _linked_trees(project.common_dir)
    return tuple(dict.fromkeys(tree for tree in found if _is_dir(tree)))


def current_branch(project: Project) -> str | None:
    """Return the branch that is checked out, or None where the head is detached."""
    if project.git_dir is None:
        return None
    head = _line_of(project.git_dir / "HEAD")
    prefix = "ref: refs/heads/"
    return head[len(prefix) :] if head is not None and head.startswith(prefix) else None


def _resolved(path: Path) -> Path:
    real = Path(os.path.realpath(path))
    return real.parent if _is_file(real) else real


def _git_project(here: Path, special: frozenset[Path]) -> Project | None:
    located = _located_git(here)
    if located is None:
        return None
    project = _from_git(*located)
    if project.root in special and not (here == project.root and _is_dir(project.state_dir)):
        return None
    return project


def _plain_project(here: Path, special: frozenset[Path]) -> Project | None:
    for place in (here, *here.parents):
        is_ordinary = place not in special or place == here
        if is_ordinary and _is_dir(place / PLAIN_STATE_NAME):
            return _plain(place)
    return None


def _plain(root: Path) -> Project:
    return Project(
        kind=ProjectKind.PLAIN, root=root, state_dir=root / PLAIN_STATE_NAME, work_tree=root
    )


def _located_git(here: Path) -> tuple[Path, Path] | None:
    """Return the innermost (place, git directory) at or above a directory."""
    for place in (here, *here.parents):
        pointer = place / ".git"
        if _is_git_dir(pointer):
            return place, pointer
        if _is_file(pointer):
            return place, _pointed_at(pointer)
        if _is_git_dir(place):
            return place, place
    return None


def _pointed_at(pointer: Path) -> Path:
    """Return the git directory that a `.git` file names."""
    line = _line_of(pointer) or ""
    git_dir = pointer.parent / line.removeprefix("gitdir: ")
    if not line.startswith("gitdir: ") or not _is_git_dir(git_dir):
        raise NoProjectError(
            f"{pointer} points at a repository that is not there ({line or 'it is empty'}). "
            "Where the repository was moved, run `git worktree repair` in it."
        )
    return git_dir


def _from_git(place: Path, git_dir: Path) -> Project:
    git_dir = Path(os.path.realpath(git_dir))
    common_dir = _common_dir(git_dir)
    work_tree = place if place != git_dir else _tree_of_git_dir(git_dir)
    if work_tree == place and git_dir == common_dir and _is_bare(common_dir):
        work_tree = None
    return Project(
        kind=ProjectKind.GIT,
        root=work_tree or common_dir,
        state_dir=common_dir / GIT_STATE_NAME,
        work_tree=work_tree,
        git_dir=git_dir,
        common_dir=common_dir,
    )


def _common_dir(git_dir: Path) -> Path:
    line = _line_of(git_dir / "commondir")
    return git_dir if line is None else Path(os.path.realpath(git_dir / line))


def _tree_of_git_dir(git_dir: Path) -> Path | None:
    """Return the work tree of a git directory that the caller stands in."""
    back = _line_of(git_dir / "gitdir")  # only the private directory of a linked tree has one
    tree = _own_tree(git_dir) if back is None else (git_dir / back).parent
    return tree if tree is None or _is_dir(tree) else None


def _own_tree(common_dir: Path) -> Path | None:
    """Return the main work tree of a repository: beside `.git`, or where a submodule's is set."""
    configured = git_setting(common_dir, "core", name="worktree")
    if configured is not None:
        return Path(os.path.realpath(common_dir / configured))
    is_beside = common_dir.name == ".git" and not _is_bare(common_dir)
    return common_dir.parent if is_beside else None


def _linked_trees(common_dir: Path) -> Iterator[Path]:
    try:
        entries = sorted((common_dir / "worktrees").iterdir())
    except OSError:
        return
    for entry in entries:
        pointer = _line_of(entry / "gitdir")
        if pointer is not None:
            yield Path(os.path.realpath(entry / pointer)).parent


def _is_bare(common_dir: Path) -> bool:
    is_bare = git_setting(common_dir, "core", name="bare") or ""
    return is_bare.lower() in {"true", "yes", "on", "1"}


def git_setting(common_dir: Path, section: str, *, name: str) -> str | None:
    """Return a setting of the repository's own configuration file, or None.

    `section` is as it stands between the brackets, in small letters: `core`, `remote "origin"`.
    """
    try:
        lines = os.fsdecode((common_dir / "config").read_bytes()).splitlines()
    except OSError:
        return None
    here = ""
    for line in (raw.strip() for raw in lines):
        if line.startswith("["):
            here = line.strip("[]").lower()
        key, equals, value = line.partition("=")
        if here == section and equals and key.strip().lower() == name:
            return value.strip().strip('"')
    return None


def _is_git_dir(path: Path) -> bool:
    if not os.path.lexists(path / "HEAD"):  # it may be a dangling link
        return False
    common_dir = _common_dir(path)
    return _is_dir(common_dir / "objects") and _is_dir(common_dir / "refs")


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # no right to look
        return False


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _line_of(path: Path) -> str | None:
    """Return the first line of a small file as a path or name, whatever its bytes."""
    try:
        with path.open("rb") as file:
            line = file.read(_POINTER_BYTES_MAX).split(b"\n", 1)[0].rstrip(b"\r")
    except OSError:
        return None
    return os.fsdecode(line)
