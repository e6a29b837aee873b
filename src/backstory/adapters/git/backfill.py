"""History becomes episodes: streamed, a batch a transaction, going on where it ended."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from backstory import index
from backstory.adapters.git.branching import main_tips
from backstory.adapters.git.ordering import is_unfinished, put_in_order
from backstory.episodes.stage import draft, keep, open_todos
from backstory.model.errors import VcsUnavailableError
from backstory.ports.clock import Clock
from backstory.ports.store import Store
from backstory.ports.vcs import Listed, Vcs

TIPS_KEPT = "backfilled_tips"

# Commits kept in one transaction, for which nobody is to wait longer than a moment.
_BATCH_COMMITS = 100
# So many leave what finds them in many small runs, which are made one again.
_MANY_COMMITS = 2_000
_LISTED_MAX = 4_000
_PATCHED_COMMITS = 500


@dataclass(slots=True, kw_only=True)
class BackfillReport:
    """What a backfill found and kept."""

    is_dry_run: bool = False
    commits_new: int = 0
    commits_known: int = 0
    commits_incomplete: int = 0  # a shallow or partial clone cannot tell what they changed
    branches: set[str] = field(default_factory=set)  # that hold commits not merged yet


@dataclass(frozen=True, slots=True, kw_only=True)
class BackfillChoices:
    """What to read, and how to tell of it."""

    wanted: Sequence[str] = ()  # revisions or ranges; all of history if none is named
    is_dry_run: bool = False
    on_progress: Callable[[int], None] = lambda _: None  # commits passed so far
    kept_as: str = TIPS_KEPT  # the setting that says how far history is kept
    left_out: Sequence[str] = ()  # where nothing is kept yet: these and what they reach


def backfill(
    store: Store, vcs: Vcs, *, clock: Clock, choices: BackfillChoices | None = None
) -> BackfillReport:
    """Keep every commit that is not kept yet as an episode. Doing it again adds nothing.

    The main line comes first and has no branch; what only other branches reach is tagged with
    the branch, and as not merged until the main line reaches it. Killed at any moment it goes
    on from the last batch.
    """
    run = _Run(store, vcs, clock=clock, choices=choices or BackfillChoices())
    if run.choices.wanted:
        run.keep_all(vcs.listed(run.choices.wanted), is_main=True)
        if run.report.commits_new or is_unfinished(store):
            run.put_in_order(_tips(vcs))
        run.join_runs()
        return run.report
    seen, now = _seen(store, run.choices), _tips(vcs)
    if now.all and now != seen:
        if now.main:
            run.keep_all(vcs.listed(now.main, seen=seen.main), is_main=True)
        run.keep_all(vcs.listed(seen=[*seen.all, *now.main]), is_main=False)
        if not seen.all or is_unfinished(store):
            run.put_in_order(now)
        run.join_runs()
        run.finish(now)
    return run.report


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tips:
    """How far history is kept: where the main line and every reference stood."""

    main: tuple[str, ...] = ()
    all: tuple[str, ...] = ()


class _Run:
    """One backfill under way."""

    def __init__(self, store: Store, vcs: Vcs, *, clock: Clock, choices: BackfillChoices) -> None:
        self._store = store
        self._vcs = vcs
        self._clock = clock
        self._passed = 0
        self.choices = choices
        self.report = BackfillReport(is_dry_run=choices.is_dry_run)

    def keep_all(self, listed: Iterator[Listed], *, is_main: bool) -> None:
        """Keep what is listed, a batch at a time."""
        while page := list(islice(listed, _LISTED_MAX)):
            with self._store.reading() as tables:
                known = tables.story.known([one.sha for one in page])
            new = [one for one in page if one.sha not in known]
            self.report.commits_known += len(page) - len(new)
            self._passed += len(page) - len(new)
            if is_main and known and not self.choices.is_dry_run:
                with self._store.writing() as tables:
                    tables.story.mark_merged([*known])
            self._keep_new(new, is_main=is_main)

    def _keep_new(self, new: Sequence[Listed], *, is_main: bool) -> None:
        branches = {one.sha: None if is_main else branch_of(one.ref) for one in new}
        self.report.branches |= {branch for branch in branches.values() if branch}
        if self.choices.is_dry_run:
            self.report.commits_new += len(new)
            return
        commits = self._vcs.read(branches)
        with self._store.reading() as tables:
            todos = open_todos(tables)
        while batch := list(islice(commits, _BATCH_COMMITS)):
            drafts = [draft(commit, branch=branches.get(commit.sha)) for commit in batch]
            with self._store.writing() as tables:
                self.report.commits_new += keep(tables, drafts, now_ms=self._clock(), todos=todos)
            self.report.commits_incomplete += sum(not commit.is_complete for commit in batch)
            self._passed += len(batch)
            self.choices.on_progress(self._passed)

    def put_in_order(self, tips: _Tips) -> None:
        """Let what was kept before older history was read follow it, and be linked with it."""
        if not self.choices.is_dry_run:
            mainly = self._vcs.listed(tips.main) if tips.main else iter(())
            order = chain(mainly, self._vcs.listed(seen=tips.main))
            put_in_order(self._store, self._vcs, history=(one.sha for one in order))

    def join_runs(self) -> None:
        """Let what finds episodes be in few pieces again, after many were kept."""
        if not self.choices.is_dry_run and self.report.commits_new >= _MANY_COMMITS:
            index.freshen_story(self._store)

    def finish(self, tips: _Tips) -> None:
        """Note how far history is kept, and work out what finds its end after a rewrite.

        It is the newest commits that are rebased and amended; older ones have been shared.
        """
        if not self.choices.is_dry_run:
            self._keep_patch_ids()
            kept = json.dumps({"main": tips.main, "all": tips.all})
            with self._store.writing() as tables:
                tables.meta.set_setting(self.choices.kept_as, kept)

    def _keep_patch_ids(self) -> None:
        with self._store.reading() as tables:
            shas = tables.story.without_patch_id(limit=_PATCHED_COMMITS)
        try:
            found = self._vcs.patch_ids(shas)
        except VcsUnavailableError:
            return  # a partial clone lacks what the changes were
        with self._store.writing() as tables:
            tables.story.set_patch_ids({sha: found.get(sha, "") for sha in shas})


def branch_of(ref: str | None) -> str | None:
    """Return the branch that a reference names: "side", or "origin/side" of another clone."""
    for folder in ("refs/heads/", "refs/remotes/"):
        if ref is not None and ref.startswith(folder):
            return ref.removeprefix(folder)
    return ref if ref is None else ref.removeprefix("refs/")


def _tips(vcs: Vcs) -> _Tips:
    tips = vcs.tips()
    return _Tips(main=main_tips(tips, head=vcs.head().sha), all=tuple(sorted(set(tips.values()))))


def _seen(store: Store, choices: BackfillChoices) -> _Tips:
    with store.reading() as tables:
        kept = tables.meta.setting(choices.kept_as)
    if kept is None:
        return _Tips(main=tuple(choices.left_out), all=tuple(choices.left_out))
    found = json.loads(kept)
    return _Tips(main=tuple(found["main"]), all=tuple(found["all"]))


def tips_in(kept: str) -> tuple[str, ...]:
    """Return the commits up to which history is kept, from what the setting says."""
    return tuple(json.loads(kept)["all"])
