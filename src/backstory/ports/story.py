"""The project's story as the store keeps it: commits, their links, and what compares them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from backstory.model.episode import Episode
from backstory.model.ids import EpisodeId


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

    def add(self, told: Sequence[Told], *, links: Sequence[Link], now_ms: int) -> None:
        """Store episodes whose numbers follow the last one, with their links."""

    def reindex(self) -> None:
        """Build anew what finds episodes by words, paths and tickets."""

    def mark_merged(self, shas: Sequence[str]) -> None:
        """Note that the main line of development reaches these commits now."""

    def ids(self, numbers: Sequence[int]) -> Mapping[int, EpisodeId]:
        """Return the ids of these episodes; forgotten ones are left out."""

    def commits(self, episode_id: EpisodeId) -> tuple[RecordedCommit, ...]:
        """Return the commits of an episode."""

    def links(self, episode_id: EpisodeId) -> tuple[tuple[EpisodeId, str, bool], ...]:
        """Return the linked episodes: each with the kind, and whether it is the later one."""
