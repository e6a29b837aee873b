"""Candidates as hits: who may see them, their age, their origin and their marks. Pure."""

from backstory.model.episode import Episode
from backstory.model.ids import ThreadId
from backstory.model.item import Item
from backstory.model.recall import Hit
from backstory.model.words import Author, Scope, Status
from backstory.recall.weighing.judging import Candidate

_ORIGINS = {
    Author.RULE: "user",
    Author.MODEL: "user",
    Author.HUMAN: "human",
    Author.IMPORT: "import",
}


def hidden_because(entry: Item | Episode, thread_id: ThreadId | None) -> str | None:
    """Return why an entry may not be seen here, or None: the last filter of all."""
    if isinstance(entry, Episode):
        return None
    if entry.status not in {Status.ACTIVE, Status.STALE}:
        return f"it is {entry.status}"
    if entry.scope is Scope.THREAD and entry.thread_id != thread_id:
        return "it belongs to another thread"
    return None


def hit_of(candidate: Candidate, *, now_ms: int) -> Hit:
    """Return the hit that shows a candidate."""
    entry = candidate.entry
    assert entry is not None
    if isinstance(entry, Item):
        said_ms, origin = entry.revision.created_at_ms, _ORIGINS[entry.revision.author]
        is_factual, is_stale = entry.kind.is_factual, entry.status is Status.STALE
    else:
        said_ms, origin = entry.ended_at_ms or entry.started_at_ms, "episode"
        is_factual, is_stale = True, entry.is_stale
    return Hit(
        entry=entry,
        lane=candidate.lane,
        score=round(candidate.score, 4),
        reasons=tuple(candidate.reasons),
        age_ms=max(0, now_ms - said_ms),
        origin=origin,
        is_factual=is_factual,
        is_stale=is_stale,
    )
