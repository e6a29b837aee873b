"""The paths of a project that a path as somebody gives it may mean. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from backstory.episodes.finding.asking import Asked
from backstory.ports.story import Entry, Story

# Episodes that are looked at for one path that history does not know as it stands.
_NEWEST_MAX = 40
# The files that one path may mean: of more than these nobody would know which is meant.
_FILES_MAX = 8
_PATHS_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What is asked, by paths that history knows, and the episodes of directories."""

    asked: Asked
    within: frozenset[int]


def placed(asked: Asked, story: Story) -> Placed:
    """Return the paths that are meant: as they stand, by their end, and by earlier names.

    An end is whole segments: "auth/login.py" and "login" mean "src/auth/login.py", "gin.py" does
    not. Where a path names a directory, what was done in it belongs to the place.
    """
    known = story.path_counts(asked.paths[:_PATHS_MAX])
    paths: list[str] = []
    within: set[int] = set()
    for path in asked.paths:
        if path in known or len(paths) >= _PATHS_MAX:
            paths.append(path)
            continue
        entries = _named(path, story)
        meant = [*dict.fromkeys(_meant(path, entries))]
        within |= {entry.number for entry in entries if _is_in(path, entry)}
        paths += meant[:_FILES_MAX]
    earlier = [name for path in paths for name in story.earlier_names(path)]
    paths = [*dict.fromkeys([*paths, *earlier])]
    return Placed(asked=replace(asked, paths=tuple(paths)), within=frozenset(within))


def _named(path: str, story: Story) -> Sequence[Entry]:
    """Return the newest episodes of files or directories of that name, newest first."""
    numbers = story.with_name(path, _NEWEST_MAX)
    return sorted(story.entries(numbers), key=lambda entry: -entry.number) if numbers else ()


def _meant(path: str, entries: Sequence[Entry]) -> Iterator[str]:
    end = _tidy(path)
    is_absolute = path.startswith("/") or path[1:2] == ":"
    for entry in entries:
        for whole in entry.paths:
            name = f"/{whole.lower()}"
            is_end = name.endswith(end) or _bare(name).endswith(end)
            # In another work tree of the project the file stands below another directory.
            if is_end or (is_absolute and "/" in whole and end.endswith(name)):
                yield whole


def _is_in(path: str, entry: Entry) -> bool:
    """Whether an episode touched anything in the directory that a path names."""
    folder = f"{_tidy(path)}/"
    return any(folder in f"/{whole.lower()}" for whole in entry.paths)


def _tidy(path: str) -> str:
    """Return a path in lower case between whole segments: a slash before it and none behind."""
    return "/" + path.replace("\\", "/").removeprefix("./").strip("/").lower()


def _bare(path: str) -> str:
    """Return a path without the suffix of its file."""
    folders, slash, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    return f"{folders}{slash}{stem}" if dot and stem else path
