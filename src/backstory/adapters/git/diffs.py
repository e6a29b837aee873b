"""What commits changed, as text and only as much as anybody reads."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from backstory.adapters.git.runner import Git

# The last commits of a stretch, and so many bytes of each: what is shown of them is far less.
_COMMITS_MAX = 8
_BYTES_MAX = 200_000


def diff_of(root: Path, shas: Sequence[str], *, environ: Mapping[str, str]) -> str:
    """Return the changes of these commits, a merge's against its first parent.

    Raises `VcsUnavailableError`.
    """
    git = Git(root, environ=environ)
    return "\n".join(_changes(git, sha) for sha in shas[-_COMMITS_MAX:])


def _changes(git: Git, sha: str) -> str:
    pieces = git.stream(
        *("log", "--no-walk", "--format=", "--first-parent", "-m", "-p", "--unified=0"),
        *("--no-ext-diff", "--no-textconv", "--no-color", "--end-of-options", sha, "--"),
    )
    return b"".join(_bounded(pieces)).decode("utf-8", "replace")


def _bounded(pieces: Iterator[bytes]) -> Iterator[bytes]:
    left = _BYTES_MAX
    for piece in pieces:
        yield piece[:left]
        left -= len(piece)
        if left <= 0:
            return
