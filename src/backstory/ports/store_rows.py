"""What the store's families take and give besides the domain types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from backstory.model.ids import ItemId, ThreadId, TurnId
from backstory.model.item import Evidence, Item
from backstory.model.words import Role

if TYPE_CHECKING:
    from backstory.model.job import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """Who changes an item, in which batch, why and when: what the change log keeps."""

    batch: str  # changes of one batch are undone together
    actor: str  # "human", or the rule or model that did it
    reason: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesSeen:
    """How far the log of changes to items went when it was looked at."""

    last: int
    count: int
    undone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewItem:
    """An item about to be stored, with its first revision."""

    item: Item
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """A forgotten claim: only words said after it may bring it back."""

    item_id: ItemId
    claim_key: str | None
    fingerprint: str
    turn_seq: int
    at_ms: int


class Posting(NamedTuple):
    """One term of one entry: how much the entry is about it, and the fields as bits."""

    term: str
    weight: float  # 0 to 1: saturated by field weights and length, so that it is final when stored
    fields: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Miscount:
    """By how much the count of a term, or of a word as it is written, is too low."""

    text: str
    by: int
    is_word: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDocument:
    """What the index holds of one entry. `thread_id` limits who may find it."""

    entry_id: str
    is_item: bool
    thread_id: ThreadId | None
    started_at_ms: int
    postings: Sequence[Posting]
    spellings: Sequence[str]  # its words as written: what a typing error is compared with


class Match(NamedTuple):
    """One term found in one entry."""

    entry_id: str
    is_item: int  # 0 or 1
    term: str
    weight: float
    fields: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to look up, and which terms may bring in an entry by themselves.

    Entries hold one of the `seeds` (term to weight), or a name that begins with one of the
    `name_beginnings`, or are among the `entry_ids`; so many of each sort are kept, best first.
    What these hold of `terms` is told as well.
    """

    terms: Sequence[str]
    seeds: Mapping[str, float]
    name_beginnings: Sequence[str] = ()
    entry_ids: Sequence[str] = ()
    thread_id: ThreadId | None = None
    postings_max: int = 4_000
    items_max: int = 64
    episodes_max: int = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """How far a transcript has been read."""

    path: str
    host: str
    fingerprint: str
    byte_offset: int
    line: int
    bad_lines: int
    carry: str  # JSON: the reader's state between lines


class Grouping(StrEnum):
    """By what calls to models are summed up."""

    DAY = "day"
    PURPOSE = "purpose"
    MODEL = "model"
    SESSION = "session"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expense:
    """What some calls to models cost together.

    `name` is what they have in common; a day's is its number since 1970. `nano_usd` is the sum
    of the known prices in billionths of a US dollar, `unpriced` counts the calls without one.
    """

    name: str
    calls: int
    failed: int
    usage: "Usage"
    nano_usd: int
    unpriced: int
    estimated: int  # calls whose tokens are a guess
    duration_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """A span of a turn that proved an item which was forgotten since."""

    turn_id: TurnId
    role: Role
    start: int
    end: int
