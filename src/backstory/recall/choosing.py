"""Reading the entries that passed, and choosing what answers from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backstory.model.episode import Episode
from backstory.model.ids import EpisodeId, ItemId
from backstory.model.item import Item
from backstory.model.recall import Question
from backstory.model.words import Lane
from backstory.recall.asking.question import Asked
from backstory.recall.hits import hidden_because
from backstory.recall.ranking import cue_order, in_order, refine
from backstory.recall.weighing.judging import Candidate, Judged
from backstory.recall.weighing.lookup import Lookup

if TYPE_CHECKING:
    from backstory.ports.store import Tables

# Read whole before the last filters: more than are answered, since some may be hidden.
_READ_MAX = 16


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer, best first, and who was removed at the last with the reason."""

    kept: tuple[Candidate, ...]
    hidden: tuple[tuple[Candidate, str], ...] = ()


def by_words(tables: "Tables", question: Question, *, judged: Judged, now_ms: int) -> Chosen:
    """Return the best of those that passed, once their whole texts have been compared."""
    best = sorted(judged.passed, key=lambda c: (-c.score, c.found.entry_id))
    items = [c for c in best if c.found.is_item][:_READ_MAX]
    episodes = [c for c in best if not c.found.is_item][:_READ_MAX]
    seen: list[Candidate] = []
    hidden: list[tuple[Candidate, str]] = []
    for candidate in _read(tables, [*items, *episodes]):
        reason = _removed_because(candidate, question, now_ms=now_ms)
        if reason is None:
            seen.append(candidate)
        else:
            hidden.append((candidate, reason))
    if any(c.asked.wants_todos and c.group == 0 for c in seen):
        hidden += [(c, "it left nothing open") for c in seen if c.group > 0]
        seen = [c for c in seen if c.group == 0]
    kept = in_order(seen, items_max=question.items_max, episodes_max=question.episodes_max)
    return Chosen(tuple(kept), tuple(hidden))


def by_cues(tables: "Tables", question: Question, *, asked: Asked, lookup: Lookup) -> Chosen:
    """Return what is tied to where the work is: episodes first, then items of the same file."""
    places = set(asked.cues.all())
    found = [entry for entry in lookup.found.values() if places & entry.terms.keys()]
    ordered: list[tuple[tuple[int, int, int], str, Candidate]] = []
    for candidate in _read(tables, [Candidate(entry, Lane.ANCHOR, 1.0, asked) for entry in found]):
        entry = candidate.entry
        assert entry is not None
        order = cue_order(entry, asked.cues)
        if order is not None and hidden_because(entry, question.thread_id) is None:
            candidate.reasons.append("it belongs to where the work is")
            ordered.append((order, entry.id, candidate))
    ordered.sort(key=lambda row: row[:2])
    ranked = [candidate for _, _, candidate in ordered]
    episodes = [c for c in ranked if not c.found.is_item][: question.episodes_max]
    items = [c for c in ranked if c.found.is_item][: question.items_max]
    return Chosen((*episodes, *items))


def _removed_because(candidate: Candidate, question: Question, *, now_ms: int) -> str | None:
    assert candidate.entry is not None
    reason = hidden_because(candidate.entry, question.thread_id)
    if reason is not None:
        return reason
    refine(candidate, now_ms=now_ms)
    return candidate.doubt if candidate.lane is Lane.TERMS else None


def _read(tables: "Tables", candidates: Sequence[Candidate]) -> list[Candidate]:
    """Fill in the entries of candidates, all items at once and all episodes at once."""
    item_ids = [ItemId(c.found.entry_id) for c in candidates if c.found.is_item]
    episode_ids = [EpisodeId(c.found.entry_id) for c in candidates if not c.found.is_item]
    entries: dict[str, Item | Episode] = {}
    if item_ids:
        entries |= {item.id: item for item in tables.items.many(item_ids)}
    if episode_ids:
        entries |= {episode.id: episode for episode in tables.episodes.many(episode_ids)}
    for candidate in candidates:
        candidate.entry = entries.get(candidate.found.entry_id)
    return [candidate for candidate in candidates if candidate.entry is not None]
