"""Episodes: stretches of development and their structured summaries."""

from dataclasses import dataclass

from backstory.model.ids import EpisodeId, ItemId
from backstory.model.words import Author


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonedDecision:
    """A decision and why it was taken.

    One that an item holds names it: only the item is stored, so that its words are told as long
    as it may be seen, and no longer.
    """

    decision: str
    reason: str = ""
    item_id: ItemId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldLesson:
    """A lesson that came of an episode, in the words of the item that holds it."""

    text: str
    item_id: ItemId


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """Something an episode left open; another episode can close it."""

    text: str
    is_open: bool = True
    closed_by: EpisodeId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What an episode was about. It has revisions; no job overwrites a human's."""

    objective: str
    decisions: tuple[ReasonedDecision, ...] = ()
    changes: tuple[str, ...] = ()  # paths
    problems: tuple[str, ...] = ()
    lessons: tuple[HeldLesson, ...] = ()
    todos: tuple[Todo, ...] = ()
    keywords: tuple[str, ...] = ()
    author: Author = Author.RULE
    number: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One stretch of development: a commit, a branch, a ticket or a session."""

    id: EpisodeId
    seq: int
    summary: Summary
    branch: str | None
    tickets: tuple[str, ...]
    started_at_ms: int
    ended_at_ms: int | None
    origin: str = "api"  # "commit" for one that history tells
    commits: tuple[str, ...] = ()  # hashes, as this clone had them when they were recorded
    is_merged: bool = True  # False while its branch is not part of the main line
    is_stale: bool = False  # what it cites has changed much or is gone

    @property
    def change(self) -> tuple[str, int]:
        """What rebased and picked forms of one commit have in common: subject and author time."""
        return self.summary.objective, self.started_at_ms
