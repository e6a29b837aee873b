"""Reads the output of `git log --raw --numstat -z`, token by token."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from backstory.ports.vcs import ChangeKind, Commit, FileChange

# A commit begins with a mark and its hash. No path can be taken for one: paths are read
# where a change announces them.
_FIELDS = ("%H", "%T", "%P", "%an", "%ae", "%at", "%ct", "%B")
FORMAT = "--format=%x01" + "%x00".join(_FIELDS) + "%x00"

_KINDS = {
    "A": ChangeKind.ADDED,
    "M": ChangeKind.MODIFIED,
    "D": ChangeKind.DELETED,
    "R": ChangeKind.RENAMED,
    "C": ChangeKind.COPIED,
    "T": ChangeKind.RETYPED,
}
_SUBMODULE = "160000"
_COUNTS = re.compile(rb"(\d+|-)\t(\d+|-)\t(.*)", re.DOTALL)


def text_of(raw: bytes) -> str:
    r"""Return a path or name as text that can be stored: what is not UTF-8 becomes `\xNN`."""
    return raw.decode("utf-8", "backslashreplace")


def bytes_of(path: str) -> bytes:
    """Return the bytes that `text_of` made this path from."""
    return re.sub(
        rb"\\x([89a-f][0-9a-f])", lambda found: bytes([int(found[1], 16)]), path.encode()
    )


def tokens(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Split a stream at its NULs."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\0")
        yield from whole
    if rest.strip():
        yield rest


def commits(pieces: Iterable[bytes]) -> Iterator[Commit]:
    """Yield the commits of a log."""
    stream = tokens(pieces)
    head = next(_heads(stream), b"")
    while head:
        fields = [next(stream, b"") for _ in _FIELDS[1:]]
        changes: dict[str, _Change] = {}
        following = b""
        for token in stream:
            told = token.lstrip(b"\n")
            if told.startswith(b":"):
                change = _change(told, stream)
                changes[change.path] = change
            elif told.startswith(b"\x01"):
                following = told
                break
            elif counted := _COUNTS.fullmatch(told):
                _count(counted, stream, changes=changes)
        yield _commit(head[1:], fields, files=tuple(map(_file, changes.values())))
        head = following


def _heads(stream: Iterator[bytes]) -> Iterator[bytes]:
    return (head for token in stream if (head := token.lstrip(b"\n")).startswith(b"\x01"))


@dataclass(slots=True)
class _Change:
    """A change while its lines are still being counted."""

    path: str
    kind: ChangeKind
    old_path: str | None
    blob: str | None
    is_submodule: bool
    added: int | None = None
    deleted: int | None = None


def _file(change: _Change) -> FileChange:
    return FileChange(
        path=change.path,
        kind=change.kind,
        old_path=change.old_path,
        added=change.added,
        deleted=change.deleted,
        blob=change.blob,
        is_submodule=change.is_submodule,
    )


def _commit(sha: bytes, fields: Sequence[bytes], *, files: tuple[FileChange, ...]) -> Commit:
    tree, parents, name, email, authored, committed, message = fields
    return Commit(
        sha=sha.decode("ascii"),
        tree=tree.decode("ascii"),
        parents=tuple(parents.decode("ascii").split()),
        author_name=name.decode("utf-8", "replace"),
        author_email=email.decode("utf-8", "replace"),
        authored_at_ms=_milliseconds(authored),
        committed_at_ms=_milliseconds(committed),
        message=message.decode("utf-8", "replace"),
        files=files,
    )


def _change(head: bytes, stream: Iterator[bytes]) -> _Change:
    """Read `:oldmode newmode oldblob newblob status`, then one path, or the old and the new."""
    modes = head[1:].decode("ascii").split(" ")
    kind = _KINDS.get(modes[4][:1], ChangeKind.MODIFIED)
    first = text_of(next(stream, b""))
    is_move = kind in {ChangeKind.RENAMED, ChangeKind.COPIED}
    path = text_of(next(stream, b"")) if is_move else first
    return _Change(
        path=path,
        kind=kind,
        old_path=first if is_move else None,
        blob=modes[3] if modes[3].strip("0") else None,
        is_submodule=_SUBMODULE in modes[:2],
    )


def _count(
    counted: re.Match[bytes], stream: Iterator[bytes], *, changes: dict[str, _Change]
) -> None:
    """Add line counts to a change; a rename has an empty path, then the old and the new one."""
    path = counted[3]
    if not path:
        next(stream, b"")
        path = next(stream, b"")
    change = changes.get(text_of(path))
    if change is not None and counted[1] != b"-":
        change.added, change.deleted = int(counted[1]), int(counted[2])


def _milliseconds(seconds: bytes) -> int:
    # A damaged header has no time; the commit still has a message and changes.
    return int(seconds) * 1000 if re.fullmatch(rb"-?\d{1,14}", seconds) else 0
