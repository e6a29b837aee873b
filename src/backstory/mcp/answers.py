"""What the tools answer with: small, typed, and the same for every client."""

from pydantic import BaseModel, ConfigDict
from pydantic.config import JsonDict

from backstory.model.answers import Remembered, StatusReport
from backstory.model.candidate import REASON_MARK
from backstory.model.episode import Episode
from backstory.model.item import Item
from backstory.model.limits import DAY_MS
from backstory.model.recall import Hit, Reading, Recalled


def _brief(schema: JsonDict) -> None:
    """Leave out of a schema what only repeats names: a client may pay for each word."""
    schema.pop("title", None)
    schema.pop("description", None)
    fields = schema.get("properties")
    for field in fields.values() if isinstance(fields, dict) else ():
        if isinstance(field, dict):
            field.pop("title", None)


class Answer(BaseModel):
    """What a tool answers with, described as briefly as it can be."""

    model_config = ConfigDict(json_schema_extra=_brief)


class Entry(Answer):
    """One remembered item or episode."""

    id: str
    kind: str
    text: str
    age_days: int
    stale: bool = False
    fact: bool = True
    not_merged: str = ""


class Found(Answer):
    """What recall found, best first; or nothing, and why."""

    entries: list[Entry]
    nothing_because: str = ""


class Read(Answer):
    """One item in full, with the words that prove it."""

    id: str
    kind: str
    content: str
    said: list[str]
    fact: bool
    not_merged: str = ""


class Kept(Answer):
    """What became of a statement: ids of what is remembered or waits for the user, and why."""

    remembered: list[str] = []
    waiting: list[str] = []
    because: list[str] = []


class Gone(Answer):
    """What is hidden now; `backstory undo` takes it back."""

    forgotten: str


class Told(Answer):
    """One stretch of development."""

    id: str
    about: str
    decided: list[str]
    left_open: list[str]


class Story(Answer):
    """Stretches of development, oldest first."""

    episodes: list[Told]
    nothing_because: str = ""


class Todos(Answer):
    """What was left open, newest first."""

    open: list[str]
    nothing_because: str = ""


class State(Answer):
    """Whether memory is well, and what it holds."""

    health: str
    purpose: str = ""
    items: int = 0
    turns: int = 0
    in_review: int = 0
    waiting_jobs: int = 0
    problem: str = ""


def found(recalled: Recalled) -> Found:
    """Return what recall answered."""
    return Found(
        entries=[_entry(hit) for hit in recalled.hits],
        nothing_because=recalled.abstained_because or "",
    )


def read(reading: Reading) -> Read:
    """Return an item in full."""
    return Read(
        id=reading.item.id,
        kind=reading.item.kind.value,
        content=reading.content,
        said=[source.text for source in reading.sources],
        fact=reading.is_factual,
        not_merged=reading.unmerged or "",
    )


def kept(remembered: Remembered) -> Kept:
    """Return what became of an agent's word."""
    unsettled = (*remembered.waiting, *remembered.refused)
    return Kept(
        remembered=[item.id for item in remembered.items],
        waiting=[stored.id for stored in remembered.waiting],
        because=[reason.message for stored in unsettled for reason in stored.reasons],
    )


def state(report: StatusReport) -> State:
    """Return the health of memory as an agent reads it."""
    return State(
        health=report.health,
        purpose=report.purpose,
        items=sum(sum(counts.values()) for counts in report.items.values()),
        turns=sum(report.turns.values()),
        in_review=report.candidates.get("waiting", 0),
        waiting_jobs=len(report.jobs),
        problem=report.problem or "",
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
        text=_words_of(entry) if isinstance(entry, Item) else entry.summary.objective,
        age_days=hit.age_ms // DAY_MS,
        stale=hit.is_stale,
        fact=hit.is_factual or not is_item,
        not_merged=hit.unmerged or "",
    )


def _words_of(item: Item) -> str:
    revision = item.revision
    return (
        f"{revision.statement}{REASON_MARK}{revision.detail}"
        if revision.detail
        else revision.statement
    )
