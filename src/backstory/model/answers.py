"""What the library answers with, beside the things that it remembers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from backstory.model.candidate import StoredCandidate
from backstory.model.ids import ItemId
from backstory.model.item import Change, Item, ItemStory
from backstory.model.job import Job
from backstory.model.recall import TurnHit
from backstory.model.words import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What an explicit "remember" led to: items, what waits for approval, or why not."""

    items: tuple[Item, ...]
    waiting: tuple[StoredCandidate, ...] = ()
    refused: tuple[StoredCandidate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Text for an agent. Each part is empty where there is nothing to say."""

    index: str  # for the system prompt; byte-stable while memory is unchanged
    relevant: str  # beside the user's message; fenced

    @property
    def text(self) -> str:
        """Both parts, the stable one first."""
        return "\n\n".join(part for part in (self.index, self.relevant) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why something is remembered, and why something like it was not."""

    remembered: tuple[ItemStory, ...]
    refused: tuple[StoredCandidate, ...]
    waiting: tuple[StoredCandidate, ...] = ()
    said_only: tuple[TurnHit, ...] = ()  # turns that hold the words but proposed nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """The items that the last change had touched, as they are again, and what was taken back."""

    items: tuple[Item, ...]
    item_ids: tuple[ItemId, ...]  # also of items that are gone again
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """What a run of the waiting jobs did."""

    done: int
    failed: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReport:
    """The language model that is asked: what it cost today, and what waits for it."""

    name: str  # "provider:model"
    calls_today: int
    tokens_today: int
    nano_usd_today: int  # billionths of a US dollar, of the calls whose price is known
    waiting_turns: int
    capped: str | None = None  # the cap that is reached, as a sentence for a person
    silent_until_ms: int | None = None  # it does not answer: when it is asked again


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """What became of what happened today; days are UTC."""

    turns: int = 0
    events: int = 0
    turns_read: int = 0  # of these turns, those that the rules have looked through
    items_new: int = 0
    refused: int = 0  # claims that the gate did not let in
    entries_shown: int = 0  # with prompts
    session_starts: int = 0  # at which the index was shown, where there was one
    passed_over: Mapping[str, int] = field(default_factory=dict)  # reason → moments


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReport:
    """One source of what is recorded: whether it is on, and what has come from it."""

    source: Source
    is_on: bool
    recorded: int = 0  # turns, commits or events
    last_at_ms: int | None = None  # of events: when the last of them happened
    waiting: int = 0  # written down by shells, and not stored yet


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusReport:
    """Health and counts of one project's memory."""

    health: str  # "ok", "empty", "degraded", "isolated", "off"
    problem: str | None  # what is wrong and what to do, where health is "degraded"
    project: str
    store: str
    purpose: str
    generation: int
    thread: str | None
    turns: Mapping[str, int] = field(default_factory=dict)
    events: int = 0
    items: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    candidates: Mapping[str, int] = field(default_factory=dict)
    waiting_turns: int = 0
    jobs: tuple[Job, ...] = ()
    injections: int = 0
    last_success_ms: int | None = None
    last_error: str | None = None
    review: bool = False
    bytes_on_disk: int = 0
    spooled: int = 0  # what hooks could not store at once and the next one will
    spooled_bad: int = 0  # what can never be stored, and was put aside
    today: Today | None = None
    off_for: str | None = None  # machine or project, where memory is off for agents
    model: ModelReport | None = None
    commits: int = 0  # that the story tells
    commits_since_ms: int | None = None  # only those since then, until `backfill` reads the rest
    commits_left: int = 0  # new ones that are too many to be read but by `backfill`
    turns_for_model: int = 0  # turns that wait for a model while none is asked
    sources: tuple[SourceReport, ...] = ()
    known_before: str | None = None  # while it is empty: where this project's memory may be


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What `erase` removed, and which files still hold the words."""

    item_id: ItemId
    spans: int  # of raw turns whose words were blanked
    also_blanked: tuple[ItemId, ...]  # other items that are proved by some of the same words
    copies: tuple[str, ...]  # exports and backups that a person has to remove
    is_scrubbed: bool  # False where another process was reading: erase again when it is done


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """What became of statements that another program remembers: none of them is memory yet."""

    waiting: tuple[str, ...] = ()  # statements that wait for a person now
    known: int = 0  # offered before, or remembered
    refused: int = 0  # forgotten or taken back
    left: int = 0  # too many at once
