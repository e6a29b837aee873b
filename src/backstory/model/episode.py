"""Episodes: stretches of development and their structured summaries."""

from dataclasses import dataclass

from backstory.model.ids import EpisodeId
from backstory.model.words import Author


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonedDecision:
    """A decision and why it was taken."""

    decision: str
    reason: str = ""


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
