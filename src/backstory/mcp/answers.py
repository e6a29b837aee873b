"""What the tools answer with: small, typed, and the same for every client."""

from pydantic import BaseModel

from backstory.model.answers import Remembered
from backstory.model.episode import Episode
from backstory.model.item import Item
from backstory.model.limits import DAY_MS
from backstory.model.recall import Hit, Reading, Recalled


class Entry(BaseModel):
    """One remembered item or episode."""

    id: str
    kind: str
    text: str
    age_days: int
    stale: bool = False
    fact: bool = True


class Found(BaseModel):
    """What recall found, best first; or nothing, and why."""

    entries: list[Entry]
    nothing_because: str | None = None


class Read(BaseModel):
    """One item in full, with the words that prove it."""

    id: str
    kind: str
    content: str
    said: list[str]
    fact: bool


class Kept(BaseModel):
    """What became of something to be remembered."""

    remembered: list[str]
    waiting: int = 0
    refused_because: list[str] = []


class Told(BaseModel):
    """One stretch of development."""

    id: str
    about: str
    decided: list[str]
    left_open: list[str]


class Story(BaseModel):
    """Stretches of development, oldest first."""

    episodes: list[Told]


class Todos(BaseModel):
    """What was left open, newest first."""

    open: list[str]


class State(BaseModel):
    """Whether memory is well, and what it holds."""

    health: str
    purpose: str
    items: int
    turns: int
    waiting_jobs: int
    problem: str | None = None


def found(recalled: Recalled) -> Found:
    """Return what recall answered."""
    return Found(
        entries=[_entry(hit) for hit in recalled.hits],
        nothing_because=recalled.abstained_because,
    )


def read(reading: Reading) -> Read:
    """Return an item in full."""
    return Read(
        id=reading.item.id,
        kind=reading.item.kind.value,
        content=reading.content,
        said=[source.text for source in reading.sources],
        fact=reading.is_factual,
    )


def kept(remembered: Remembered) -> Kept:
    """Return what became of the user's words."""
    return Kept(
        remembered=[item.id for item in remembered.items],
        waiting=len(remembered.waiting),
        refused_because=[reason.message for one in remembered.refused for reason in one.reasons],
    )


def told(episode: Episode) -> Told:
    """Return an episode as an agent reads it."""
    summary = episode.summary
    return Told(
        id=episode.id,
        about=summary.objective,
        decided=[made.decision for made in summary.decisions],
        left_open=[todo.text for todo in summary.todos if todo.is_open],
    )


def _entry(hit: Hit) -> Entry:
    entry = hit.entry
    is_item = isinstance(entry, Item)
    return Entry(
        id=entry.id,
        kind=entry.kind.value if isinstance(entry, Item) else "episode",
        text=entry.revision.statement if isinstance(entry, Item) else entry.summary.objective,
        age_days=hit.age_ms // DAY_MS,
        stale=hit.is_stale,
        fact=hit.is_factual or not is_item,
    )
