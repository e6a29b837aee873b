"""An episode summed up with a model, in the background: asked on bounded, redacted material.

Whatever the model or its server does, the summary that the rules made stands. What a person
wrote is never overwritten.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from backstory import consolidate, index
from backstory.adapters.git import GitRepository
from backstory.adapters.git.diffs import diff_of
from backstory.episodes.model.asking import Summed, sum_up, with_model
from backstory.episodes.model.material import Material, material_of
from backstory.episodes.model.prompt import PROMPT_VERSION
from backstory.episodes.model.shrinking import paths_in
from backstory.episodes.sessions import Session
from backstory.episodes.stretches import Stretch
from backstory.jobs import JobFailedError, hold, writing_after
from backstory.model.episode import Episode
from backstory.model.errors import VcsUnavailableError
from backstory.model.ids import EpisodeId
from backstory.model.job import FailureCause, Lease
from backstory.model.words import Author
from backstory.ports.model_client import Failure, ModelClient
from backstory.ports.store import Tables
from backstory.ports.store_rows import Forgotten
from backstory.wiring.desk import Desk
from backstory.wiring.masking import masked
from backstory.wiring.story.lessons import failure_lessons
from backstory.wiring.story.stretching import MANUAL_ORIGIN, stretch_again
from backstory.wiring.story.summed import SUMMED_KEPT, index_again, withdraw

# Another try would be paid for and say the same.
_HOPELESS = frozenset({FailureCause.INVALID, FailureCause.REFUSED, FailureCause.TOO_LONG})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """An episode as it was when the model was asked, and what it may be told of it."""

    episode: Episode
    stretch: Stretch
    forgotten: tuple[Forgotten, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Again:
    """The same once the model has answered, and the items that a lesson may touch."""

    read: _Read | None
    shelf: consolidate.Shelf


class _Rereading:
    """Reads all of it once more, before it is written what the model said."""

    def __init__(self, desk: Desk, read: _Read, *, is_again: bool) -> None:
        self._desk = desk
        self._episode_id = read.episode.id
        self._is_again = is_again

    def __call__(self, tables: Tables) -> _Again:
        """Read it with the items."""
        return _Again(read=self._now(tables), shelf=consolidate.Shelf(tables))

    def caught_up(self, before: _Again, tables: Tables) -> _Again | None:
        """Read it with those items alone that were changed."""
        shelf = before.shelf.caught_up(tables)
        return None if shelf is None else _Again(read=self._now(tables), shelf=shelf)

    def _now(self, tables: Tables) -> _Read | None:
        now_ms = self._desk.clock()
        return _read(tables, self._episode_id, now_ms=now_ms, is_again=self._is_again)


def run_summarize(desk: Desk, lease: Lease, *, client: ModelClient) -> None:
    """Let a model sum up the one episode that a job names, and keep what checks.

    Nothing is done where it is gone or a person has written its summary. No transaction is open
    while the model is asked. Raises `JobFailedError` where it cannot be asked now.
    """
    asked = _asked(desk, EpisodeId(lease.subject), client=client, is_again=False)
    if asked is None:
        with desk.store.writing() as tables:
            tables.jobs.finish(lease, now_ms=desk.clock())
        return
    read, outcome = asked
    if isinstance(outcome, Failure) and outcome.cause not in _HOPELESS:
        raise JobFailedError(
            outcome.summary,
            cause=outcome.cause,
            retry_after_ms=outcome.retry_after_ms,
            diagnosis=outcome.diagnosis.text,
        )
    reread = _Rereading(desk, read, is_again=False)
    with writing_after(desk.store, reread, again=reread.caught_up) as (tables, again):
        hold(tables, lease, now_ms=desk.clock())
        if again.read != read:
            raise JobFailedError(
                "what the model was shown has changed meanwhile: it is asked again",
                cause=FailureCause.TRANSIENT,
            )
        if isinstance(outcome, Summed):
            _keep(tables, read, summed=outcome, desk=desk, shelf=again.shelf)
        tables.jobs.finish(lease, now_ms=desk.clock())


def summarize_now(desk: Desk, episode_id: EpisodeId, *, client: ModelClient) -> str | None:
    """Let a model sum up an episode at once, and return why it did not, or None where it did.

    What a model said of it before is replaced. A summary that a person wrote stays.
    """
    asked = _asked(desk, episode_id, client=client, is_again=True)
    if asked is None:
        return "a person wrote its summary, or nothing is recorded that a model could add to"
    read, outcome = asked
    if isinstance(outcome, Failure):
        return outcome.summary
    reread = _Rereading(desk, read, is_again=True)
    with writing_after(desk.store, reread, again=reread.caught_up) as (tables, again):
        if again.read != read:
            return "it has changed meanwhile: ask once more"
        withdraw(tables, episode_id)
        by_rule = tables.episodes.get(episode_id)
        assert by_rule is not None
        now = replace(read, episode=by_rule)
        _keep(tables, now, summed=outcome, desk=desk, shelf=again.shelf)
    return None


def _asked(
    desk: Desk, episode_id: EpisodeId, *, client: ModelClient, is_again: bool
) -> tuple[_Read, Summed | Failure] | None:
    """Ask for an episode's summary, or return None where there is nothing to ask about."""
    with desk.store.reading() as tables:
        read = _read(tables, episode_id, now_ms=desk.clock(), is_again=is_again)
    material = None if read is None else _material(desk, read)
    if read is None or material is None or material.is_empty:
        return None
    return read, sum_up(material, client, exists=_commit_test(desk))


def _read(tables: Tables, episode_id: EpisodeId, *, now_ms: int, is_again: bool) -> _Read | None:
    """Return an episode with its stretch, or None where there is nothing to sum up."""
    episode = tables.episodes.get(episode_id)
    done = (Author.HUMAN,) if is_again else (Author.HUMAN, Author.MODEL)
    if episode is None or episode.summary.author in done:
        return None
    stretch = stretch_again(tables, episode, now_ms=now_ms)
    turns = stretch.session.turns
    forgotten = tables.turns.forgotten_in([turn.id for turn in turns])
    shown = Session(
        events=stretch.session.events, turns=tuple(masked(turn, forgotten) for turn in turns)
    )
    return _Read(
        episode=episode, stretch=replace(stretch, session=shown), forgotten=tuple(forgotten)
    )


def _material(desk: Desk, read: _Read) -> Material:
    shas = [sha for commit in read.stretch.commits for sha in commit.commits]
    messages, diff = _told_by_git(desk, shas)
    if not messages:
        messages = [commit.summary.objective for commit in read.stretch.commits]
    return material_of(
        read.stretch.session,
        messages=messages,
        diff=diff,
        paths=[*read.episode.summary.changes, *paths_in(diff)],
    )


def _told_by_git(desk: Desk, shas: Sequence[str]) -> tuple[list[str], str]:
    """Return the messages and changes of commits, or nothing where git cannot tell."""
    project = desk.project
    if project.common_dir is None or not shas:
        return [], ""
    try:
        vcs = GitRepository(project.root, environ=desk.env)
        messages = [commit.message for commit in vcs.read(shas)]
        return messages, diff_of(project.root, shas, environ=desk.env)
    except VcsUnavailableError:
        return [], ""


def _commit_test(desk: Desk) -> Callable[[str], bool]:
    """Return what tells whether a hash names a commit here."""
    project = desk.project

    def exists(sha: str) -> bool:
        if project.common_dir is None:
            return False
        try:
            return GitRepository(project.root, environ=desk.env).is_merged(sha, into=sha)
        except VcsUnavailableError:
            return False

    return exists


def _keep(
    tables: Tables, read: _Read, *, summed: Summed, desk: Desk, shelf: consolidate.Shelf
) -> None:
    episode, found, now_ms = read.episode, summed.checked, desk.clock()
    keeps_objective = episode.origin == MANUAL_ORIGIN
    summary = with_model(episode.summary, found, keeps_objective=keeps_objective)
    tables.episodes.add_summary(episode.id, summary, now_ms=now_ms)
    known = {todo.text for todo in episode.summary.todos}
    todos = [
        tables.episodes.add_todo(episode.id, text) for text in found.todos if text not in known
    ]
    noted = {
        "model": summed.model,
        "prompt": PROMPT_VERSION,
        "dropped": dict(found.dropped),
        "todos": todos,
    }
    tables.meta.set_setting(f"{SUMMED_KEPT}{episode.id}", json.dumps(noted))
    index_again(tables, episode.id)
    verdicts = failure_lessons(tables, found.problems, model=summed.model, episode=episode)
    for verdict in verdicts:
        tables.candidates.add(verdict, thread_id=None, now_ms=now_ms)
    if verdicts:
        touched = consolidate.consolidate_pending(
            tables, ids=desk.ids, now_ms=now_ms, is_reviewed=desk.is_reviewed, shelf=shelf
        )
        index.refresh(tables, touched)
