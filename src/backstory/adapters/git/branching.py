"""Which branches the main line of development does not reach yet, and where each left it."""

from collections.abc import Mapping, Sequence

from backstory.adapters.git.log import bytes_of, text_of
from backstory.adapters.git.runner import BULK_SECONDS, Git
from backstory.model.limits import SECOND_MS

# Where the main line of development is by custom, and where a clone was told that it is.
_MAIN_LINES = (
    "refs/remotes/origin/HEAD",
    "refs/heads/main",
    "refs/heads/master",
    "refs/heads/trunk",
)
_HEADS = "refs/heads/"
# Of more branches than these, those that were worked on last are looked at.
_BRANCHES_MAX = 50


def main_tips(tips: Mapping[str, str], *, head: str | None) -> tuple[str, ...]:
    """Return where the main line stands; without a branch that is it by name, HEAD leads."""
    main = {tips[name] for name in _MAIN_LINES if name in tips}
    if not main and head is not None:
        main = {head}
    return tuple(sorted(main))


def unmerged(git: Git, names: Sequence[str], *, main: Sequence[str]) -> Mapping[str, int]:
    """Return the local branches, of these or of all, that hold what no main line has.

    Each with the time of the commit at which it left the main line, or 0 where it never was
    on it. One whose every change is on the main line under other names was merged, too.
    """
    if not main:
        return {}
    patterns = [_HEADS + name for name in names] or [_HEADS]
    # Older versions of git take only one of these at a time.
    unreached = [_not_reached_from(git, sha, patterns=patterns) for sha in main]
    refs = [ref for ref in unreached[0] if all(ref in others for others in unreached[1:])]
    return {
        ref.removeprefix(_HEADS): _left_at_ms(git, ref, main=main)
        for ref in refs[:_BRANCHES_MAX]
        if not any(_is_picked(git, ref, into=sha) for sha in main)
    }


def _not_reached_from(git: Git, sha: str, *, patterns: Sequence[str]) -> list[str]:
    """Return the references that a commit does not reach, the newest first."""
    printed = git.ask(
        *("for-each-ref", "--sort=-committerdate", "--format=%(refname)", f"--no-merged={sha}"),
        *patterns,
    )
    return [text_of(line) for line in printed.splitlines()]


def _is_picked(git: Git, ref: str, *, into: str) -> bool:
    """Whether each change of a branch was rebased or picked: the same patch is in the other."""
    printed = git.ask(
        *("rev-list", "--max-count=1", "--cherry-pick", "--right-only", "--no-merges", "--stdin"),
        given=into.encode() + b"..." + bytes_of(ref) + b"\n",
        seconds=BULK_SECONDS,
    )
    return not printed.strip()


def _left_at_ms(git: Git, ref: str, *, main: Sequence[str]) -> int:
    """Return when the commit was made on which the branch's own first one stands."""
    form = "--format=%m %H %ct %P"
    printed = git.ask(
        *("log", "--first-parent", "--boundary", "--no-patch", form, "--stdin"),
        given=bytes_of(ref) + b"\n" + b"".join(b"^%s\n" % sha.encode() for sha in main),
        seconds=BULK_SECONDS,
    )
    lines = [line.split() for line in printed.splitlines()]
    own = [parents for mark, _, _, *parents in lines if mark == b">"]
    left = own[-1][:1] if own else []
    # Beyond the edge lies what was taken in meanwhile, too: the main line, or another branch.
    edge = {sha: int(at) for mark, sha, at, *_ in lines if mark == b"-"}
    return next((edge[sha] * SECOND_MS for sha in left if sha in edge), 0)
