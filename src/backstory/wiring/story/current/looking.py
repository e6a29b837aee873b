"""Whether the files that a hit cites are still what they were, at the moment it is shown.

Looks at the work tree, at few files, and writes nothing: the check of all entries, which keeps
what it finds, is `freshness`.
"""

import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from backstory.model.errors import VcsUnavailableError
from backstory.model.item import Item
from backstory.model.recall import Hit

if TYPE_CHECKING:
    from backstory.ports.store import Tables
    from backstory.ports.story import CitedFile
    from backstory.ports.vcs import Vcs

# Where half of the lines that were there are gone, what was said of them may be gone too.
CHANGED_SHARE_MIN = 0.5

# So many files are looked at for one answer, and so many bytes of one read: somebody waits.
FILES_MAX = 12
_BYTES_MAX = 1 << 20
_SHA1_CHARS = 40


class _Now(Enum):
    """What a cited file is now, against what was cited."""

    SAME = auto()
    CHANGED = auto()  # much
    GONE = auto()
    UNKNOWN = auto()


def looked_at(
    tables: "Tables", hits: Sequence[Hit], *, root: Path, vcs: "Vcs | None" = None
) -> tuple[Hit, ...]:
    """Return hits that are stale where what they cite is gone, and fresh where it is back.

    Without a `vcs` no program is run: that a file has changed is then seen, and how much of it
    is not; what was noted before stands.
    """
    cited: dict[tuple[str, int], list[CitedFile]] = defaultdict(list)
    for file in tables.cited.of([hit.entry.id for hit in hits]):
        cited[file.entry_id, file.revision].append(file)
    left = FILES_MAX
    found = []
    for hit in hits:
        files = cited.get((hit.entry.id, _revision(hit)), [])[:left]
        left -= len(files)
        states = [_state(file, root=root, vcs=vcs) for file in files]
        found.append(replace(hit, is_stale=_is_stale(hit, states)) if states else hit)
    return tuple(found)


def _revision(hit: Hit) -> int:
    entry = hit.entry
    return entry.revision.number if isinstance(entry, Item) else entry.summary.number


def _is_stale(hit: Hit, states: Sequence[_Now]) -> bool:
    """Whether a hit is stale: an item by any of its files, an episode by all of them."""
    if isinstance(hit.entry, Item):
        if _Now.GONE in states or _Now.CHANGED in states:
            return True
        return hit.is_stale and _Now.UNKNOWN in states
    return all(state is _Now.GONE for state in states)


def _state(file: "CitedFile", *, root: Path, vcs: "Vcs | None") -> _Now:
    place = root / file.path
    try:
        if not place.is_file():
            return _Now.UNKNOWN if place.is_symlink() else _Now.GONE
        if place.stat().st_size <= _BYTES_MAX and _blob(place, like=file.blob) == file.blob:
            return _Now.SAME
        share = None if vcs is None else vcs.changed_share(file.blob, f".{os.sep}{file.path}")
    except (OSError, VcsUnavailableError):
        return _Now.UNKNOWN
    if share is None:
        return _Now.UNKNOWN
    return _Now.CHANGED if share >= CHANGED_SHARE_MIN else _Now.SAME


def _blob(place: Path, *, like: str) -> str:
    """Return the name that git gives a file's bytes, in a repository of either kind of hash."""
    import hashlib  # noqa: PLC0415 - slow to load, and few hits cite a file

    data = place.read_bytes()
    digest = hashlib.sha1 if len(like) == _SHA1_CHARS else hashlib.sha256
    # https://git-scm.com/book/en/v2/Git-Internals-Git-Objects, "Object Storage"
    return digest(b"blob %d\0" % len(data) + data).hexdigest()
