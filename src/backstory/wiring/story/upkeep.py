"""The job that keeps the story up to date, while nobody waits for it.

It reads the commits that are new, tells the sessions that are over, looks whether cited files
are still what they were, and puts away what waited too long for a person. Doing it again changes
nothing.
"""

from functools import partial

from backstory import consolidate
from backstory.adapters.git import GitRepository
from backstory.adapters.git.catching_up import catch_up
from backstory.jobs import hold, writing_after
from backstory.model.errors import VcsUnavailableError
from backstory.model.job import Lease
from backstory.model.limits import SECOND_MS
from backstory.model.words import JobKind, Source
from backstory.ports.store import Tables
from backstory.wiring.desk import Desk
from backstory.wiring.sources.shell import take_in_shell
from backstory.wiring.story.current.branching import note_unmerged
from backstory.wiring.story.current.freshness import check_freshness
from backstory.wiring.story.learning import Learnt, learn, unlearnt

# Kept where more commits are new than a catch-up reads: how many `backfill` has to.
LEFT_KEPT = "commits_left_for_backfill"

# What turns hold is to be known before their session is told.
_BEFORE = (JobKind.EXTRACT, JobKind.CONSOLIDATE)
_POSTPONED_MS = 30 * SECOND_MS
# Sessions that a model sums up at once: the last ones. Older ones keep what the rules say.
_SUMMARIZED_MAX = 5


def run_project(desk: Desk, lease: Lease, *, is_model_asked: bool = False) -> None:
    """Bring the story up to date, and see to it that it is again when a session is over.

    A repository that cannot be read now costs its part only. With `is_model_asked` a model is
    to sum up the sessions that were told.
    """
    if _is_early(desk):
        _end(desk, lease, again_at_ms=desk.clock() + _POSTPONED_MS)
        return
    take_in_shell(desk)
    _catch_up(desk)
    over = partial(unlearnt, now_ms=desk.clock())
    with writing_after(desk.store, over) as (tables, waiting):
        hold(tables, lease, now_ms=desk.clock())
        learnt = learn(
            tables, waiting, ids=desk.ids, now_ms=desk.clock(), is_reviewed=desk.is_reviewed
        )
        if is_model_asked:
            _ask_for_summaries(tables, learnt, now_ms=desk.clock())
        consolidate.discard_expired(tables, now_ms=desk.clock())
    _look_at_files(desk)
    _end(desk, lease, again_at_ms=learnt.again_at_ms)


def _is_early(desk: Desk) -> bool:
    with desk.store.reading() as tables:
        return tables.jobs.is_due(now_ms=desk.clock(), kinds=_BEFORE)


def _end(desk: Desk, lease: Lease, *, again_at_ms: int | None) -> None:
    with desk.store.writing() as tables:
        now_ms = desk.clock()
        tables.jobs.finish(lease, now_ms=now_ms)
        if again_at_ms is not None:
            tables.jobs.enqueue(JobKind.PROJECT, "", due_at_ms=again_at_ms, now_ms=now_ms)


def _catch_up(desk: Desk) -> None:
    project = desk.project
    if project.common_dir is None or not desk.choices.captures(Source.GIT):
        return
    with desk.store.reading() as tables:
        since_ms, kept = tables.meta.created_at_ms(), tables.meta.setting(LEFT_KEPT)
    try:
        found = catch_up(
            desk.store, project.root, environ=desk.env, clock=desk.clock, since_ms=since_ms
        )
    except VcsUnavailableError:
        return
    left = str(found.left) if found.left else None
    if left != kept:
        with desk.store.writing() as tables:
            tables.meta.set_setting(LEFT_KEPT, left)


def _look_at_files(desk: Desk) -> None:
    project = desk.project
    if project.common_dir is None:
        return
    try:
        vcs = GitRepository(project.root, environ=desk.env)
        check_freshness(desk.store, vcs, ids=desk.ids, now_ms=desk.clock())
        note_unmerged(desk.store, vcs)
    except VcsUnavailableError:
        return


def _ask_for_summaries(tables: Tables, learnt: Learnt, *, now_ms: int) -> None:
    for episode_id in learnt.told[-_SUMMARIZED_MAX:]:
        tables.jobs.enqueue(JobKind.SUMMARIZE, episode_id, due_at_ms=now_ms, now_ms=now_ms)
