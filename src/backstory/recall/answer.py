"""Recall: one function for everybody who asks."""

from collections.abc import Sequence

from backstory.model.episode import Episode
from backstory.model.ids import EpisodeId, ItemId
from backstory.model.item import Item
from backstory.model.recall import Question, Recalled, Trace
from backstory.model.words import Lane
from backstory.ports.store import Tables
from backstory.recall.hits import hidden_because, hit_of
from backstory.recall.judging import Candidate, Judged, judge
from backstory.recall.lookup import Lookup, look_up
from backstory.recall.question import Asked, understand
from backstory.recall.ranking import cue_order, in_order, refine

# Read whole before the last filters: more than are answered, since some may be hidden.
_LOADED_MAX = 32


def recall(tables: Tables, question: Question, *, now_ms: int, explain: bool = False) -> Recalled:
    """Return the entries that answer a question, best first, or none and why.

    Items and episodes come in one list. Nothing is written, and the number of statements
    does not depend on how much is stored.
    """
    asked = understand(question.text, question.cues, now_ms=now_ms)
    if not asked.name and question.cues.is_empty:
        return Recalled(hits=(), abstained_because="nothing was asked")
    lookup = look_up(tables, asked, question)
    judged = judge(asked, lookup.needles, lookup.found.values(), lookup.in_time)
    chosen, hidden = _by_words(tables, question, asked, judged, now_ms)
    if not chosen and not any(not n.is_generic for n in lookup.needles.needles):
        chosen = _by_cues(tables, question, asked, lookup)
    return Recalled(
        hits=tuple(hit_of(candidate, now_ms=now_ms) for candidate in chosen),
        abstained_because=None if chosen else _why_nothing(asked, lookup, judged),
        trace=_trace(chosen, judged, hidden) if explain else (),
    )


def _by_words(
    tables: Tables, question: Question, asked: Asked, judged: Judged, now_ms: int
) -> tuple[list[Candidate], list[tuple[Candidate, str]]]:
    best = sorted(judged.passed, key=lambda c: (-c.score, c.found.entry_id))
    items = [c for c in best if c.found.is_item][:_LOADED_MAX]
    episodes = [c for c in best if not c.found.is_item][:_LOADED_MAX]
    read = _read(tables, [*items, *episodes])
    seen: list[Candidate] = []
    hidden: list[tuple[Candidate, str]] = []
    for candidate in read:
        assert candidate.entry is not None
        reason = hidden_because(candidate.entry, question.thread_id)
        if reason:
            hidden.append((candidate, reason))
        else:
            refine(candidate, asked, now_ms=now_ms)
            if candidate.doubt is None or candidate.lane is not Lane.TERMS:
                seen.append(candidate)
            else:
                hidden.append((candidate, candidate.doubt))
    if asked.wants_todos and any(c.group == 0 for c in seen):
        seen = [c for c in seen if c.group == 0]
    chosen = in_order(seen, items_max=question.items_max, episodes_max=question.episodes_max)
    return chosen, hidden


def _by_cues(tables: Tables, question: Question, asked: Asked, lookup: Lookup) -> list[Candidate]:
    """Return what is tied to where the work is: episodes first, then items of the same file."""
    places = set(asked.cues.all())
    found = [entry for entry in lookup.found.values() if places & entry.terms.keys()]
    read = _read(tables, [Candidate(entry, Lane.ANCHOR, 1.0) for entry in found])
    ordered = []
    for candidate in read:
        entry = candidate.entry
        assert entry is not None
        order = cue_order(entry, asked.cues)
        if order is not None and hidden_because(entry, question.thread_id) is None:
            candidate.reasons.append("it belongs to where the work is")
            candidate.group = order[0]
            ordered.append((order, entry.id, candidate))
    ordered.sort(key=lambda row: row[:2])
    return in_order_of_place(
        [candidate for _, _, candidate in ordered], question.items_max, question.episodes_max
    )


def in_order_of_place(
    candidates: Sequence[Candidate], items_max: int, episodes_max: int
) -> list[Candidate]:
    """Return so many of each sort, in the order given."""
    episodes = [c for c in candidates if not c.found.is_item][:episodes_max]
    return [*episodes, *[c for c in candidates if c.found.is_item][:items_max]]


def _read(tables: Tables, candidates: Sequence[Candidate]) -> list[Candidate]:
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


def _why_nothing(asked: Asked, lookup: Lookup, judged: Judged) -> str:
    if not asked.name:
        return "nothing is tied to this place"
    if all(needle.is_generic for needle in lookup.needles.needles):
        return "the question has no informative word"
    if not judged.removed:
        return "nothing shares an informative word"
    if asked.span is not None and not lookup.in_time:
        return "nothing was going on at the time asked for"
    return "nothing shares enough of the question"


def _trace(
    chosen: Sequence[Candidate], judged: Judged, hidden: Sequence[tuple[Candidate, str]]
) -> tuple[Trace, ...]:
    rows = [
        Trace(entry_id=c.found.entry_id, title=_title(c), lanes=(c.lane.value,), removed_by=None)
        for c in chosen
    ]
    kept = {c.found.entry_id for c in chosen}
    gone = {c.found.entry_id: reason for c, reason in hidden}
    for c in judged.passed:
        if c.found.entry_id not in kept:
            reason = gone.get(c.found.entry_id, "better ones fill the answer")
            rows.append(
                Trace(
                    entry_id=c.found.entry_id,
                    title=_title(c),
                    lanes=(c.lane.value,),
                    removed_by=reason,
                )
            )
    rows += [
        Trace(entry_id=found.entry_id, title="", lanes=(Lane.TERMS.value,), removed_by=reason)
        for found, reason in judged.removed[:50]
    ]
    return tuple(rows)


def _title(candidate: Candidate) -> str:
    entry = candidate.entry
    if isinstance(entry, Item):
        return entry.revision.title
    return entry.summary.objective if entry is not None else ""
