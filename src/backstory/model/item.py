"""Items: what is remembered, in revisions that never change in place."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from backstory.model.ids import CandidateId, ItemId, ThreadId
from backstory.model.words import Action, Author, Kind, Scope, Status

if TYPE_CHECKING:
    from backstory.model.candidate import Quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One state of an item: what it says, who wrote it and why."""

    number: int  # from 1
    title: str
    statement: str
    synopsis: str
    detail: str
    aliases: tuple[str, ...]
    keywords: tuple[str, ...]
    paths: tuple[str, ...]
    tags: tuple[str, ...]
    author: Author
    author_name: str  # the rule, the model or the person's name
    reason: str
    created_at_ms: int
    candidate_id: CandidateId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A quote that proves an item, and the revision that it came in with."""

    revision: int
    quote: "Quote"
    said_at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing remembered, at its current revision."""

    id: ItemId
    seq: int
    kind: Kind
    scope: Scope
    status: Status
    thread_id: ThreadId | None  # set if and only if the scope is the thread
    claim_key: str | None
    claim_value: str | None
    is_negative: bool
    is_pinned: bool
    priority: int  # 0 (least) to 100; orders what passed, never decides
    confidence: float  # 0 to 1; likewise
    revision: Revision
    created_at_ms: int
    updated_at_ms: int
    superseded_by: ItemId | None = None

    @property
    def is_human_owned(self) -> bool:
        """Whether a human wrote, edited or pinned it: no job may change it."""
        return self.is_pinned or self.revision.author is Author.HUMAN


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemStory:
    """An item with everything that proves and explains it."""

    item: Item
    revisions: tuple[Revision, ...]
    evidence: tuple[Evidence, ...]
    supersedes: tuple[ItemId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry of the change log: what was done to an item, by whom, and if it was undone."""

    seq: int
    batch: str  # changes of one batch are undone together
    at_ms: int
    action: Action
    item_id: ItemId
    actor: str
    reason: str
    is_undone: bool
