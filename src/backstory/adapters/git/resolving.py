"""Finds out what became of a commit after history was rewritten. It never guesses."""

from collections.abc import Iterable, Mapping
from itertools import islice

from backstory.adapters.git.log import tokens
from backstory.adapters.git.runner import BULK_SECONDS, Git
from backstory.ports.vcs import Here, Known, NotInClone, Resolution, Rewritten

_BATCH_COMMITS = 100
# A rewritten commit is looked for among this many of the newest, where its author time changed.
_COMPARED_MAX = 500
# Clocks of two machines differ; a commit may be dated a little before it was written.
_CLOCK_SKEW_SECONDS = 86_400
_EVERYWHERE = ("--glob=refs/heads", "--glob=refs/remotes", "--glob=refs/tags")


def resolve(git: Git, known: Known) -> Resolution:
    """Say whether a commit is here, was rewritten into another, or is not in this clone.

    A rewritten one has the same patch-id, or the same tree and author time.
    """
    kept = _kept(git, known)
    if kept is not None and _is_reached(git, known.sha):
        return Here(sha=known.sha)
    known = kept or known
    others = [other for other in _later(git, known) if other.sha != known.sha]
    twins = [o for o in others if o.authored_at_ms == known.authored_at_ms]
    for other in twins:
        if known.tree is not None and other.tree == known.tree:
            return Rewritten(sha=known.sha, into=other.sha)
    patch_id = known.patch_id or (patch_ids(git, [known.sha]).get(known.sha) if kept else None)
    if patch_id is None:
        return NotInClone(sha=known.sha)
    compared = [other.sha for other in (*twins, *others[:_COMPARED_MAX])]
    carriers = [sha for sha, other in patch_ids(git, compared).items() if other == patch_id]
    if not carriers:
        return NotInClone(sha=known.sha)
    return Rewritten(sha=known.sha, into=carriers[0])


def patch_ids(git: Git, shas: Iterable[str]) -> Mapping[str, str]:
    """Return the stable patch-id of each commit that changes something and is no merge."""
    found: dict[str, str] = {}
    waiting = iter(dict.fromkeys(shas))
    while batch := list(islice(waiting, _BATCH_COMMITS)):
        given = "".join(f"{sha}\n" for sha in batch).encode()
        diffs = git.ask(
            *("diff-tree", "--stdin", "--root", "-r", "-p", "--full-index", "--no-ext-diff"),
            *("--no-textconv", "--no-renames"),
            given=given,
            seconds=BULK_SECONDS,
        )
        printed = git.ask("patch-id", "--stable", given=diffs, seconds=BULK_SECONDS)
        for line in printed.decode("ascii").splitlines():
            patch_id, sha = line.split()
            found[sha] = patch_id
    return found


def _kept(git: Git, known: Known) -> Known | None:
    """Return what the repository itself still holds of a commit, reachable or not."""
    code, printed, _ = git.attempt(
        *("log", "--no-walk", "--no-patch", "-z", "--format=%H%x00%T%x00%at"),
        *("--end-of-options", f"{known.sha}^{{commit}}", "--"),
    )
    if code:
        return None
    sha, tree, seconds = printed.decode("ascii").rstrip("\0\n").split("\0")
    return Known(sha=sha, tree=tree, authored_at_ms=int(seconds) * 1000, patch_id=known.patch_id)


def _is_reached(git: Git, sha: str) -> bool:
    """Whether any branch, tag or work tree still leads to a commit."""
    printed = git.ask(
        *("for-each-ref", "--count=1", "--contains", sha, "--format=%(refname)"),
        *("refs/heads", "refs/remotes", "refs/tags"),
        seconds=BULK_SECONDS,
    )
    if printed.strip():
        return True
    code, _, _ = git.attempt("merge-base", "--is-ancestor", sha, "HEAD", seconds=BULK_SECONDS)
    return code == 0


def _later(git: Git, known: Known) -> list[Known]:
    """Return the commits that could be a rewritten form, newest first."""
    since = []
    if known.authored_at_ms is not None:
        since = [f"--since={known.authored_at_ms // 1000 - _CLOCK_SKEW_SECONDS}"]
    code, head, _ = git.attempt("rev-parse", "--verify", "--quiet", "HEAD")
    pieces = git.stream(
        *("log", "-z", "--no-color", "--no-merges", "--format=%H %T %at", "--stdin", *since),
        *_EVERYWHERE,
        given=head if code == 0 else b"",
    )
    found = []
    for token in tokens(pieces):
        sha, tree, seconds = token.decode("ascii").split()
        found.append(Known(sha=sha, tree=tree, authored_at_ms=int(seconds) * 1000))
    return found
