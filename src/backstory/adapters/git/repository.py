"""One git repository behind the `Vcs` port."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from backstory.adapters.git.branching import main_tips, unmerged
from backstory.adapters.git.log import FORMAT, bytes_of, commits, text_of, tokens
from backstory.adapters.git.resolving import patch_ids, resolve
from backstory.adapters.git.runner import BULK_SECONDS, Git
from backstory.model.errors import VcsUnavailableError
from backstory.ports.vcs import Commit, Head, Known, Listed, Resolution

# Commits read by one run of git: few enough that nothing piles up, many enough that
# starting the program costs nothing beside them.
_BATCH_COMMITS = 1000
_BATCH_PATHS = 500

_QUIET = ("-z", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes", "--encoding=UTF-8")
# How much of the changes is told, most first. A clone without blobs cannot count lines or
# compare contents, one without trees cannot name paths.
_DEPTHS = (
    ("--raw", "--numstat", "--no-abbrev", "-M"),
    ("--raw", "--no-abbrev", "--no-renames"),
    ("--no-patch",),
)
_EVERYWHERE = ("--glob=refs/heads", "--glob=refs/remotes", "--glob=refs/tags")


class GitRepository:
    """Reads one repository through the git program."""

    def __init__(self, root: Path, *, environ: Mapping[str, str], program: str = "git") -> None:
        self._git = Git(root, program=program, environ=environ)
        self._boundary: frozenset[str] | None = None

    def head(self) -> Head:
        """Return where the work tree stands, also before the first commit and off any branch."""
        code, name, _ = self._git.attempt("symbolic-ref", "--quiet", "--short", "HEAD")
        branch = text_of(name.strip()) if code == 0 else None
        code, sha, complaint = self._git.attempt("rev-parse", "--verify", "--quiet", "HEAD")
        if code and complaint:
            raise VcsUnavailableError(f"git cannot tell where HEAD is: {complaint}")
        return Head(sha=sha.decode("ascii").strip() or None if code == 0 else None, branch=branch)

    def revision(self, name: str) -> str | None:
        """Return the commit that a name means (gitrevisions(7)), or None where it is none here."""
        if not name or name.startswith("-") or "\0" in name:
            return None
        code, sha, _ = self._git.attempt("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        return None if code else sha.decode("ascii").strip()

    def tips(self) -> Mapping[str, str]:
        """Return the commit of each branch, remote branch, tag and work tree."""
        fields = ("%(objecttype)", "%(objectname)", "%(*objecttype)", "%(*objectname)")
        printed = self._git.ask(
            "for-each-ref",
            "--format=" + "%00".join((*fields, "%(refname)")) + "%00",
            *("refs/heads", "refs/remotes", "refs/tags"),
        )
        parts = printed.split(b"\0")[:-1]
        found: dict[str, str] = {}
        for kind, sha, peeled_kind, peeled, name in zip(*[iter(parts)] * 5, strict=True):
            target = peeled if peeled_kind == b"commit" else sha
            if b"commit" in {kind.strip(), peeled_kind}:
                found[text_of(name)] = target.decode("ascii")
        return found | {f"HEAD {sha}": sha for sha in self._loose_heads()}

    def unmerged(self, names: Sequence[str] = ()) -> Mapping[str, int]:
        """Return the local branches, of these or of all, that hold what no main line has."""
        main = main_tips(self.tips(), head=self.head().sha)
        return unmerged(self._git, names, main=main)

    def listed(self, wanted: Sequence[str] = (), *, seen: Sequence[str] = ()) -> Iterator[Listed]:
        """Name commits, parents before children and otherwise by date."""
        start: list[str] = []
        if not wanted:
            start = self._present(self._loose_heads())
        given = [*start, *(f"^{sha}" for sha in self._present(seen))]
        if not wanted and not start and not self.tips():
            return
        pieces = self._git.stream(
            *("log", "-z", "--no-color", "--source", "--date-order", "--reverse"),
            *("--format=%H %S", "--stdin", *(() if wanted else _EVERYWHERE)),
            *("--end-of-options", *wanted, "--"),
            given="".join(f"{line}\n" for line in given).encode(),
        )
        for token in tokens(pieces):
            sha, _, ref = text_of(token.strip()).partition(" ")
            yield Listed(sha=sha, ref=ref if ref.startswith("refs/") else None)

    def read(self, shas: Iterable[str]) -> Iterator[Commit]:
        """Read commits in the order asked for, a batch at a time."""
        waiting = iter(shas)
        while batch := list(islice(waiting, _BATCH_COMMITS)):
            yield from self._read_batch(batch)

    def messages(self, shas: Iterable[str]) -> Iterator[Commit]:
        """Read those of these commits that are here, without what they changed."""
        waiting = iter(shas)
        while batch := list(islice(waiting, _BATCH_COMMITS)):
            here = self._present(batch)
            if here:
                yield from self._logged(here, _DEPTHS[-1])

    def patch_ids(self, shas: Iterable[str]) -> Mapping[str, str]:
        """Return the stable patch-id of each commit that changes something and is no merge."""
        return patch_ids(self._git, shas)

    def resolve(self, known: Known) -> Resolution:
        """Say what became of a commit."""
        return resolve(self._git, known)

    def is_merged(self, sha: str, into: str) -> bool:
        """Whether a commit is part of what a revision reaches; False where either is unknown."""
        code, _, _ = self._git.attempt(
            "merge-base", "--is-ancestor", "--end-of-options", sha, into
        )
        return code == 0

    def changed_share(self, before: str, after: str) -> float | None:
        """Return how much of a blob's lines another one changed; None where it cannot be told."""
        code, held, _ = self._git.attempt("cat-file", "blob", before)
        if code:
            return None
        code, printed, _ = self._git.attempt(
            *("diff", "--numstat", "--no-ext-diff", "--no-textconv", "--no-color"), before, after
        )
        counts = printed.split(b"\t")
        if code or len(counts) < 2 or not counts[1].isdigit():
            return None
        return min(1.0, int(counts[1]) / max(1, held.count(b"\n")))

    def blobs(self, paths: Sequence[str], *, at: str = "HEAD") -> Mapping[str, str]:
        """Return the blob of each of these paths that is a file at a revision."""
        found: dict[str, str] = {}
        # A name is a line of the question: one with a line end in it cannot be asked for.
        names = [name for path in paths if b"\n" not in (name := bytes_of(path))]
        for start in range(0, len(names), _BATCH_PATHS):
            batch = names[start : start + _BATCH_PATHS]
            given = b"".join(at.encode() + b":" + name + b"\n" for name in batch)
            asked = ("cat-file", "--batch-check=%(objecttype) %(objectname)")
            printed = self._git.ask(*asked, given=given)
            for name, line in zip(batch, printed.splitlines(), strict=True):
                kind, _, blob = line.partition(b" ")
                if kind == b"blob":
                    found[text_of(name)] = blob.decode("ascii")
        return found

    def tracked(self, *patterns: str) -> tuple[str, ...]:
        """Return the tracked files that match these patterns (gitglossary(7), pathspec)."""
        printed = self._git.ask("ls-files", "-z", "--full-name", "--", *patterns)
        return tuple(text_of(name) for name in printed.split(b"\0") if name)

    def _read_batch(self, shas: Sequence[str]) -> Iterator[Commit]:
        told = 0
        for depth in _DEPTHS:
            try:
                for commit in self._logged(shas[told:], depth):
                    told += 1
                    yield commit
            except VcsUnavailableError:
                # What a partial clone lacks is not fetched: the rest is told with less.
                if depth is _DEPTHS[-1] or not self._is_partial():
                    raise
            else:
                return

    def _logged(self, shas: Sequence[str], depth: Sequence[str]) -> Iterator[Commit]:
        pieces = self._git.stream(
            *("log", "--no-walk=unsorted", "--stdin", FORMAT, *_QUIET, *depth),
            given="".join(f"{sha}\n" for sha in shas).encode(),
        )
        for commit in commits(pieces):
            if commit.sha in self._cut_off():
                # Without its parents here every file would look new.
                yield replace(commit, files=(), is_complete=False)
            else:
                yield commit if depth is _DEPTHS[0] else replace(commit, is_complete=False)

    def _cut_off(self) -> frozenset[str]:
        """Return the commits at which a shallow clone ends."""
        if self._boundary is None:
            place = self._git.ask("rev-parse", "--path-format=absolute", "--git-path", "shallow")
            path = Path(text_of(place.removesuffix(b"\n")))
            self._boundary = frozenset(path.read_text("ascii").split() if path.exists() else ())
        return self._boundary

    def _is_partial(self) -> bool:
        code, _, _ = self._git.attempt("config", "--get-regexp", r"^remote\..*\.promisor$")
        return code == 0

    def _loose_heads(self) -> list[str]:
        """Return where work trees stand that have no branch checked out."""
        printed = self._git.ask("worktree", "list", "--porcelain")
        heads = [
            line.removeprefix(b"HEAD ").decode("ascii")
            for block in printed.split(b"\n\n")
            if b"detached" in (lines := block.splitlines())
            for line in lines
            if line.startswith(b"HEAD ")
        ]
        return [*dict.fromkeys(heads)]

    def _present(self, shas: Sequence[str]) -> list[str]:
        if not shas:
            return []
        given = "".join(f"{sha}^{{commit}}\n" for sha in shas).encode()
        printed = self._git.ask(
            "cat-file", "--batch-check=%(objecttype)", given=given, seconds=BULK_SECONDS
        )
        lines = printed.splitlines()
        return [sha for sha, line in zip(shas, lines, strict=True) if line == b"commit"]
