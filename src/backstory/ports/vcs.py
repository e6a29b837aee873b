"""The version control system as the core sees it: commits, and what became of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class ChangeKind(StrEnum):
    """What a commit did to a path."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"
    COPIED = "copied"
    RETYPED = "retyped"  # a file became a link, or the reverse


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    r"""One path that a commit changed. Bytes that are not UTF-8 stand as `\xNN`."""

    path: str
    kind: ChangeKind
    old_path: str | None = None  # set if and only if renamed or copied
    added: int | None = None  # lines; None for binary files and where contents are not here
    deleted: int | None = None
    blob: str | None = None  # what the path holds afterwards; None where it is gone
    is_submodule: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit with what it changed against its first parent; a merge tells no changes."""

    sha: str  # 40 hexadecimal digits, or 64 in a sha256 repository
    tree: str
    parents: tuple[str, ...]
    author_name: str
    author_email: str
    authored_at_ms: int
    committed_at_ms: int
    message: str
    files: tuple[FileChange, ...]
    # False where a partial clone has not got what telling the changes needs.
    is_complete: bool = True

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.strip().partition("\n")[0].strip()

    @property
    def is_merge(self) -> bool:
        """Whether it joins several lines of development."""
        return len(self.parents) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A commit by name, and the reference from which it was reached: a tag, never a partition."""

    sha: str
    ref: str | None  # "refs/heads/main"; None where the clone cannot tell


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """Where a work tree stands. Both may be missing: no commit yet, or no branch checked out."""

    sha: str | None
    branch: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What was kept of a commit, by which it can be found again after history was rewritten."""

    sha: str
    tree: str | None = None
    authored_at_ms: int | None = None
    patch_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """The commit is part of this clone's history."""

    sha: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """The commit left this clone's history; another one carries the same change."""

    sha: str
    into: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotInClone:
    """Commit not found in this clone: neither it nor another with its change. Never a guess."""

    sha: str


Resolution = Here | Rewritten | NotInClone


class Vcs(Protocol):
    """Reads one repository and never writes to it.

    Every method raises `VcsUnavailableError` where the program is missing, refuses the
    repository, or takes too long.
    """

    def head(self) -> Head: ...
    def tips(self) -> Mapping[str, str]:
        """Return the commit of each branch, remote branch and tag, and of a detached HEAD."""

    def unmerged(self, names: Sequence[str] = ()) -> Mapping[str, int]:
        """Return the branches, of these or of all, that hold what the main line has not.

        Each with when it left the main line, or 0 where it never was on it.
        """

    def listed(self, wanted: Sequence[str] = (), *, seen: Sequence[str] = ()) -> Iterator[Listed]:
        """Name commits, earlier ones first, without what the seen tips already reach.

        `wanted` are revisions or ranges ("main", "v1..v2"); empty is every reference. Seen
        tips that this clone lost are passed over: their commits are named again.
        """

    def read(self, shas: Iterable[str]) -> Iterator[Commit]:
        """Read commits in the order asked for; only so much at a time is held in memory."""

    def messages(self, shas: Iterable[str]) -> Iterator[Commit]:
        """Read those of these commits that are here, without what they changed."""

    def patch_ids(self, shas: Iterable[str]) -> Mapping[str, str]:
        """Return the stable patch-id of each commit that changes something and is no merge."""

    def revision(self, name: str) -> str | None:
        """Return the commit that a name means here (HEAD~1, a branch, a tag), or None."""

    def resolve(self, known: Known) -> Resolution:
        """Say what became of a commit."""

    def is_merged(self, sha: str, into: str) -> bool:
        """Whether a commit is part of what a revision reaches."""

    def changed_share(self, before: str, after: str) -> float | None:
        """Return how much of a blob's lines another one changed; None where it cannot be told."""

    def blobs(self, paths: Sequence[str], *, at: str = "HEAD") -> Mapping[str, str]:
        """Return the blob of each of these paths that is a file at a revision."""
