"""The part of the library that knows the project's story: history, episodes, what is left open."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from backstory import index
from backstory.adapters.git import GitRepository
from backstory.adapters.git.backfill import BackfillChoices, BackfillReport, backfill
from backstory.api.upkeep import Upkeep
from backstory.capture.redact import redact
from backstory.jobs import writing_after
from backstory.model.episode import Episode
from backstory.model.errors import NotFoundError, UsageError, VcsUnavailableError
from backstory.model.ids import EPISODE_LETTER, EpisodeId
from backstory.model.words import JobKind, Source, Status
from backstory.ports.story import LeftOpen
from backstory.wiring import telling
from backstory.wiring.story.current.branching import note_unmerged
from backstory.wiring.story.current.freshness import check_freshness
from backstory.wiring.story.learning import Learnt, learn, unlearnt
from backstory.wiring.story.merging import brought_by, episodes_brought, summarize_merge
from backstory.wiring.telling import EpisodeStory

STORY_EPISODES_MAX = 50
TODOS_MAX = 200
_HASH_CHARS = 12


class Telling(Upkeep):
    """Backfill, story, episodes and todos."""

    def backfill(
        self, wanted: Sequence[str] = (), *, choices: BackfillChoices | None = None
    ) -> BackfillReport:
        """Keep the repository's history as episodes; doing it again adds nothing.

        What cites files that are gone or much changed is then marked stale, until they return.
        `wanted` are revisions or ranges; without any it is all that branches and tags reach.
        Raises `VcsUnavailableError` where the project is no git repository or git does not run,
        and `UsageError` where commits are not to be recorded.
        """
        desk = self._desk
        if not self.captures(Source.GIT):
            raise UsageError("commits are not recorded here: capture.git is off")
        vcs = self._vcs()
        chosen = choices or BackfillChoices(wanted=tuple(wanted))
        report = backfill(desk.store, vcs, clock=desk.clock, choices=chosen)
        if not chosen.is_dry_run and not chosen.wanted:
            check_freshness(desk.store, vcs, ids=desk.ids, now_ms=desk.clock())
            note_unmerged(desk.store, vcs)
        return report

    def learn(self) -> Learnt:
        """Make episodes and lessons of the sessions that are over.

        Jobs that are due run first, so that an episode knows what its turns hold. A command
        that failed, and one like it that worked soon after, is a lesson: the two events are its
        evidence. What belongs to a session that goes on is left for later.
        """
        desk = self._desk
        self.work()
        now_ms = desk.clock()
        with writing_after(desk.store, partial(unlearnt, now_ms=now_ms)) as (tables, waiting):
            return learn(
                tables, waiting, ids=desk.ids, now_ms=now_ms, is_reviewed=desk.is_reviewed
            )

    def story(self, place: str = "", *, limit: int = STORY_EPISODES_MAX) -> tuple[Episode, ...]:
        """Return the newest episodes of a path, directory, branch or ticket, oldest first."""
        with self._desk.store.reading() as tables:
            return telling.timeline(tables, place, limit=limit)

    def ticket_titles(self, tickets: Sequence[str]) -> Mapping[str, str]:
        """Return what these tickets are called, of those that were imported or pulled.

        Anybody may have written that, with secrets replaced; it proves nothing.
        """
        with self._desk.store.reading() as tables:
            return tables.ticket_titles.of(tickets)

    def episode(self, name: str) -> EpisodeStory:
        """Return an episode by its id or its commit, with its commits and links.

        A commit may be named as git names it: HEAD~1, a branch, a tag, the beginning of a hash.
        So it may be wherever an episode is named. Of each commit it says whether it is still
        here, was rewritten, or is not in this clone.
        """
        name = self._named(name)
        with self._desk.store.reading() as tables:
            found = telling.episode_story(tables, name)
        if not found.commits:
            return found
        try:
            found = telling.with_fate(found, self._vcs())
            shas = brought_by(self._vcs(), found.episode)
        except VcsUnavailableError:
            return found  # what is stored is told without git, too
        with self._desk.store.reading() as tables:
            return replace(found, brought=episodes_brought(tables, shas))

    def begin_episode(
        self, objective: str, *, branch: str | None = None, tickets: Sequence[str] = ()
    ) -> Episode:
        """Begin an episode that ends when `end_episode` is called."""
        desk = self._desk
        with desk.store.writing() as tables:
            return telling.begin_by_hand(
                tables,
                objective,
                ids=desk.ids,
                now_ms=desk.clock(),
                branch=branch,
                tickets=tickets,
            )

    def end_episode(self) -> Episode:
        """End the episode that was begun, and sum it up. Raises `NotFoundError` without one.

        Where a model is named, a job that asks it to add to the summary waits then.
        """
        desk = self._desk
        with desk.store.writing() as tables:
            now_ms = desk.clock()
            ended = telling.end_by_hand(tables, now_ms=now_ms)
            if desk.choices.asks_model:
                tables.jobs.enqueue(JobKind.SUMMARIZE, ended.id, due_at_ms=now_ms, now_ms=now_ms)
            return ended

    def summarize_episode(self, name: str) -> Episode:
        """Sum up by rule what was committed in a begun episode's time, or what a merge brought.

        Others have that summary already. `api.working.summarize` lets a model add to it.
        """
        found = self.episode(name)
        with self._desk.store.writing() as tables:
            now_ms = self._desk.clock()
            if found.brought:
                summarize_merge(tables, found.episode, brought=found.brought, now_ms=now_ms)
            return telling.summarize_by_hand(tables, found.episode.id, now_ms=now_ms)

    def edit_episode(self, name: str, objective: str) -> Episode:
        """Correct what an episode was for, in a person's words."""
        name = self._named(name)
        with self._desk.store.writing() as tables:
            return telling.edit_objective(
                tables, name, objective=objective, now_ms=self._desk.clock()
            )

    def forget_episode(self, name: str) -> EpisodeId:
        """Hide an episode everywhere."""
        name = self._named(name)
        with self._desk.store.writing() as tables:
            named = telling.named_episode(tables, name)
            tables.episodes.set_status(named, Status.FORGOTTEN)
            index.remove(tables, [named])
            return named

    def todos(self, *, with_done: bool = False) -> tuple[LeftOpen, ...]:
        """Return what episodes left open, newest first."""
        with self._desk.store.reading() as tables:
            return tables.episodes.todos(limit=TODOS_MAX, with_done=with_done)

    def add_todo(self, text: str, *, episode: str | None = None) -> LeftOpen:
        """Note something to be done, for an episode: by default the one that is open.

        Where none is open, one that holds nothing but the todo is made, which no story tells.
        """
        if not text.strip():
            raise UsageError("there is nothing to do: the text is empty")
        desk = self._desk
        episode = None if episode is None else self._named(episode)
        words = redact(text.strip()).text
        with desk.store.writing() as tables:
            now_ms = desk.clock()
            current = tables.episodes.open_by_hand()
            if episode is not None:
                owner = telling.named_episode(tables, episode)
            elif current is not None:
                owner = current.id
            else:
                owner = telling.note_todo(tables, words, ids=desk.ids, now_ms=now_ms).id
            number = tables.episodes.add_todo(owner, words)
            return telling.left_open(tables, owner, number=number)

    def close_todo(self, episode: str, number: int, *, by: str | None = None) -> LeftOpen:
        """Close a todo, and say which episode did it if one did.

        Raises `NotFoundError` where it does not exist or is closed.
        """
        episode, by = self._named(episode), self._named(by) if by else None
        with self._desk.store.writing() as tables:
            owner = telling.named_episode(tables, episode)
            closer = telling.named_episode(tables, by) if by else None
            if not tables.episodes.close_todo(owner, number, closed_by=closer):
                raise NotFoundError(f"episode {owner} has no open todo {number}")
            return telling.left_open(tables, owner, number=number)

    def reopen_todo(self, episode: str, number: int) -> LeftOpen:
        """Open a todo again; from then on only a person closes it.

        Raises `NotFoundError` where it does not exist or is open.
        """
        episode = self._named(episode)
        with self._desk.store.writing() as tables:
            return telling.reopen(tables, episode, number=number)

    def _named(self, name: str) -> str:
        """Return an episode's name with what only git can tell resolved: the commit's hash.

        Git goes first for what is no id: a branch may be called like the beginning of a hash.
        Raises `NotFoundError` for a commit that is here and was not recorded.
        """
        name = name.strip()
        repository = None if name.startswith(f"{EPISODE_LETTER}_") else self._repository()
        if repository is None:
            return name
        try:
            sha = repository.revision(name)
        except VcsUnavailableError:
            return name  # what is recorded is found without git, too
        if sha is None:
            return name
        with self._desk.store.reading() as tables:
            if tables.story.known([sha]):
                return sha
        raise NotFoundError(
            f"{name} is the commit {sha[:_HASH_CHARS]}, which is not recorded yet: "
            "`backstory backfill` does that"
        )

    def _vcs(self) -> GitRepository:
        repository = self._repository()
        if repository is None:
            raise VcsUnavailableError(f"{self._desk.project.root} is not a git repository")
        return repository
