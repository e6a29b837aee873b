"""The project's story as the store keeps it: commits, their links, and what compares them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from backstory.model.episode import Episode, Summary, Todo
from backstory.model.event import Event
from backstory.model.ids import EpisodeId, ItemId
from backstory.model.turn import Turn
from backstory.model.words import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An episode as recall compares it. Later episodes have higher numbers."""

    number: int
    words: Mapping[str, float]
    paths: tuple[str, ...]
    title: str  # the terms of the subject, joined by blanks
    names: tuple[int, ...] = ()  # earlier episodes that this one refers to
    named_by: tuple[int, ...] = ()  # later episodes that refer to this one


class Shelf(Protocol):
    """Keeps episodes by the words and paths that they hold."""

    def size(self) -> int:
        """Return how many episodes there are."""

    def now(self) -> int:
        """Return the number that the next episode would get."""

    def word_counts(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return how many episodes hold each of these terms; unknown ones are left out."""

    def path_counts(self, paths: Sequence[str]) -> Mapping[str, int]:
        """Return how many episodes touched each of these paths, under any earlier name too."""

    def with_word(self, term: str, limit: int) -> Sequence[int]:
        """Return the newest episodes that hold a term, at most so many."""

    def with_path(self, path: str, limit: int) -> Sequence[int]:
        """Return the newest episodes that touched a path, under any earlier name too."""

    def entries(self, numbers: Sequence[int]) -> Sequence[Entry]:
        """Return these episodes, in any order."""

    def distances(self) -> Sequence[int]:
        """Return how often earlier episodes were referred to over 2**n to 2**(n+1) - 1 others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCommit:
    """What is kept of a commit to know it again."""

    sha: str
    tree: str
    branch: str | None
    is_merged: bool
    author: str
    authored_at_ms: int
    committed_at_ms: int
    patch_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What an episode says of an earlier one, by their numbers."""

    episode: int
    other: int
    kind: str
    doublings: int  # the whole part of the binary logarithm of how far back it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An episode of a commit about to be stored, with all that finds it again."""

    episode: Episode
    commit: RecordedCommit
    title: str
    words: Mapping[str, float]
    paths: tuple[str, ...]
    renames: tuple[tuple[str, str], ...]  # the path now, and what it was


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOpen:
    """A todo where it stands: the episode that left it, and its number there."""

    episode_id: EpisodeId
    number: int
    todo: Todo


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTodo:
    """An open todo, with the paths that it may be about: none where nobody knows."""

    episode_id: EpisodeId
    number: int
    text: str
    paths: tuple[str, ...]
    at_ms: int  # when the episode was over that left it: what was done before did not close it


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedFile:
    """A file that an entry cites, as it was when that revision of the entry was first seen."""

    entry_id: str
    path: str
    revision: int
    blob: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPage:
    """The runs of all keys after one and up to another, as rows: key, lowest episode, episodes."""

    after: str
    upto: str
    rows: tuple[tuple[str, int, bytes], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshRuns:
    """What finds episodes, made anew of what they are compared by, in pages of few keys."""

    numbering: str  # of the episodes when they were read
    last: int  # the highest of them: runs that begin later are of episodes that came since
    pages: tuple[RunPage, ...]


class StoryOrder(Protocol):
    """The numbers of commits' episodes, which follow the order of history, and their runs.

    Each write is short, and between two of them every episode is found. What is moved is in the
    runs by both numbers until they are fresh; one of them names nothing.
    """

    def behind(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """Return these episodes and all that name them, each behind what it names itself."""

    def begin(self, count: int) -> int:
        """Keep so many numbers free for episodes that are to be moved, and return the first.

        From then on a move is under way; one that somebody began before ends without effect.
        """

    def runs_of(self, moved: Mapping[int, int]) -> tuple[RunPage, ...]:
        """Return the runs of episodes under other numbers. Nothing is written."""

    def add_runs(self, page: RunPage, *, first: int) -> bool:
        """Let episodes be found by the numbers that they will have; False as for `move`."""

    def move(self, moved: Mapping[int, int], *, first: int) -> bool:
        """Give episodes other numbers, or return False where the move was overtaken.

        The last ones of a move go first, as nothing may precede what it names.
        """

    def is_under_way(self) -> bool:
        """Whether a move was begun and not ended."""

    def end(self) -> None:
        """Note that what was begun is done."""

    def fresh_runs(self) -> FreshRuns:
        """Return what finds episodes by words, paths and tickets, made anew; write nothing."""

    def replace_runs(self, page: RunPage, *, fresh: FreshRuns) -> bool:
        """Put a page in the place of what is there, or return False where it is out of date."""


class CitedFiles(Protocol):
    """The files that entries cite, for who is about to show them."""

    def of(self, entry_ids: Sequence[str]) -> tuple[CitedFile, ...]:
        """Return the files that these entries cite, in one statement."""


Form = tuple[str, str, int]
"""Patch-id, author and author time: a commit keeps them when it is amended or rebased."""


class Branches(Protocol):
    """The branches that are not merged, and the items that were said on nothing but them."""

    def note(self, unmerged: Mapping[str, int]) -> None:
        """Keep the branches that are not merged, each with when it left the main line."""

    def noted(self) -> Mapping[str, int]:
        """Return what was kept last."""

    def of_items(self, item_ids: Sequence[ItemId]) -> Mapping[ItemId, str]:
        """Return the branch of each item that was said on branches alone that are not merged."""


class TicketTitles(Protocol):
    """What trackers call the closed tickets that they told of."""

    def of(self, tickets: Sequence[str]) -> Mapping[str, str]:
        """Return the titles of these tickets, as far as they were told; the last word counts."""

    def like(self, parts: Sequence[str], *, least: int, limit: int) -> Mapping[str, str]:
        """Return the titles that hold so many of these parts, of the tickets closed last.

        Parts are in lower case. Reads the titles of 5,000 tickets at the most.
        """


class Periods(Protocol):
    """What was said and what happened in a period of time, both ends in it, oldest first."""

    def events(self, start_ms: int, end_ms: int, *, limit: int) -> tuple[Event, ...]: ...
    def turns(self, start_ms: int, end_ms: int, *, limit: int) -> tuple[Turn, ...]:
        """Return the turns that were begun then. Reads every turn's time."""


class Episodes(Protocol):
    """Stretches of development."""

    def add(self, episode: Episode, *, now_ms: int) -> None: ...
    def get(self, episode_id: EpisodeId) -> Episode | None: ...
    def many(self, episode_ids: Sequence[EpisodeId]) -> tuple[Episode, ...]: ...
    def listed(self) -> tuple[Episode, ...]: ...
    def within(self, start_ms: int, end_ms: int, *, limit: int) -> tuple[EpisodeId, ...]:
        """Return the episodes that were going on in a time, newest first."""

    def newest(self, *, limit: int) -> tuple[EpisodeId, ...]:
        """Return the episodes that began last, newest first."""

    def find(self, prefix: str) -> tuple[EpisodeId, ...]:
        """Return the ids that begin so, eight at the most."""

    def open_by_hand(self) -> Episode | None:
        """Return the episode that a person began and has not ended."""

    def add_summary(self, episode_id: EpisodeId, summary: Summary, *, now_ms: int) -> None:
        """Put a new revision of the summary in front; todos stay as they are."""

    def end(self, episode_id: EpisodeId, *, at_ms: int) -> None: ...
    def set_status(self, episode_id: EpisodeId, status: Status) -> None:
        """Mark an episode active, stale or forgotten."""

    def todos(self, *, limit: int, with_done: bool = False) -> tuple[LeftOpen, ...]:
        """Return what is left open, newest first."""

    def by_people(self) -> tuple[EpisodeId, ...]:
        """Return the episodes whose summary is a person's now. Reads every summary."""

    def add_todo(self, episode_id: EpisodeId, text: str) -> int:
        """Note one more thing left open, and return its number."""

    def withdraw_model(self, episode_id: EpisodeId, *, todos: Sequence[int]) -> bool:
        """Delete what a model said of an episode, and these todos; tell if there was anything.

        The last summary of another author is the current one again. A person's, written on top
        of a model's, keeps their objective; the rest of it is what the rules had found.
        """

    def close_todo(
        self, episode_id: EpisodeId, number: int, *, closed_by: EpisodeId | None = None
    ) -> bool:
        """Close a todo, and return whether it was open."""

    def reopen_todo(self, episode_id: EpisodeId, number: int) -> bool:
        """Open a todo again, and return whether it was closed. One that was withdrawn stays so."""


class Story(Shelf, Protocol):
    """Commits as episodes."""

    def known(self, shas: Sequence[str]) -> frozenset[str]:
        """Return those of these commits that are recorded."""

    def numbers(self, prefixes: Sequence[str]) -> Mapping[str, int]:
        """Return the episode of each commit whose hash begins so, where exactly one does."""

    def with_ticket(self, ticket: str, limit: int) -> Sequence[int]:
        """Return the newest episodes of a ticket."""

    def of_branch(self, branch: str, limit: int) -> Sequence[int]:
        """Return the newest episodes reached from a branch and not merged yet."""

    def with_name(self, path: str, limit: int) -> Sequence[int]:
        """Return the newest episodes of files or directories that are named as a path ends.

        Letter case and the suffix of a file make no difference.
        """

    def earlier_names(self, path: str) -> Sequence[str]:
        """Return the names that a path had before, newest first."""

    def with_folder(self, folder: str, limit: int) -> Sequence[int]:
        """Return the newest episodes that touched anything in a directory."""

    def with_branch(self, branch: str, limit: int) -> Sequence[int]:
        """Return the newest episodes of a branch, merged or not."""

    def add(self, told: Sequence[Told], *, links: Sequence[Link], now_ms: int) -> None:
        """Store episodes whose numbers follow the last one, with their links."""

    def link(self, links: Sequence[Link]) -> None:
        """Note what stored episodes say of earlier ones; what is noted already stays."""

    def after(self, number: int, *, limit: int) -> Mapping[int, str]:
        """Return a commit of each of the next episodes that are found by words."""

    def reword(self, found: Mapping[int, tuple[str, Mapping[str, float]]]) -> None:
        """Put titles and words in the place of those that episodes were found by.

        They count from when the runs are fresh (`StoryOrder`).
        """

    def mark_merged(self, shas: Sequence[str]) -> None:
        """Note that the main line of development reaches these commits now."""

    def forms(self, numbers: Sequence[int]) -> Mapping[int, Form]:
        """Return what the rewritten forms of one commit have in common, where it is worked out."""

    def without_patch_id(self, *, limit: int) -> tuple[str, ...]:
        """Return those of the newest so many commits whose patch-id was not worked out."""

    def set_patch_ids(self, patch_ids: Mapping[str, str]) -> None:
        """Keep patch-ids; "" for a commit that has none."""

    def ids(self, numbers: Sequence[int]) -> Mapping[int, EpisodeId]:
        """Return the ids of these episodes; forgotten ones are left out."""

    def open_todos(self, *, limit: int) -> tuple[OpenTodo, ...]:
        """Return the newest open todos, oldest of them first."""

    def cited(self) -> tuple[CitedFile, ...]:
        """Return every file that was seen to be cited."""

    def cite(self, files: Sequence[CitedFile]) -> None:
        """Note what cited files are like, in place of what was noted before."""

    def commits(self, episode_id: EpisodeId) -> tuple[RecordedCommit, ...]:
        """Return the commits of an episode."""

    def links(self, episode_id: EpisodeId) -> tuple[tuple[EpisodeId, str, bool], ...]:
        """Return the linked episodes: each with the kind, and whether it is the later one."""
