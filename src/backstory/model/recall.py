"""Questions, cues and answers of recall."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from backstory.model.episode import Episode
from backstory.model.ids import ThreadId, TurnId
from backstory.model.item import Item
from backstory.model.words import Lane, Role

if TYPE_CHECKING:
    from backstory.model.candidate import Quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What recall may look at besides the words."""

    files: tuple[str, ...] = ()
    branch: str | None = None
    ticket: str | None = None
    commands: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look at."""
        return not (self.files or self.branch or self.ticket or self.commands)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: words, cues, and the thread whose discussions are visible."""

    text: str = ""
    cues: Cues = Cues()
    thread_id: ThreadId | None = None
    items_max: int = 5
    episodes_max: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One entry that earned its place: an item or an episode, never both."""

    entry: Item | Episode
    lane: Lane
    score: float  # comparable within one answer only
    reasons: tuple[str, ...]
    age_ms: int
    origin: str  # who said it: "user", "event", "import", …
    is_factual: bool
    is_stale: bool
    unmerged: str | None = None  # the branch that an item was said on, while it is not merged


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What `--explain` shows: one candidate entry, what each lane said, what removed it."""

    entry_id: str
    title: str
    lanes: tuple[str, ...]
    removed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The answer of recall: hits best first, or none and the reason for saying nothing."""

    hits: tuple[Hit, ...]
    abstained_because: str | None
    trace: tuple[Trace, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One item in full for an agent: bounded content and a few bounded sources."""

    item: Item
    content: str
    sources: "tuple[Quote, ...]"
    is_factual: bool
    unmerged: str | None = None  # the branch that it was said on, while it is not merged


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnHit:
    """One raw turn found by `search`, with its place."""

    turn_id: TurnId
    thread_id: ThreadId
    position: int
    said_at_ms: int
    role: Role  # the side of the turn that matched best
    excerpt: str
    score: float
