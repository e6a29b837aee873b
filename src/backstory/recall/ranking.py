"""The order of what passed: lanes, what the question wants, and only then how alike. Pure."""

from collections.abc import Sequence

from backstory.model.episode import Episode
from backstory.model.item import Item
from backstory.model.limits import DAY_MS
from backstory.model.words import Kind, Lane
from backstory.recall.asking.question import Asked, CueTerms
from backstory.recall.weighing.judging import Candidate
from backstory.segment.places import branch_term, path_term, ticket_term
from backstory.segment.terms import NAME_CHARS_MAX, name_key
from backstory.segment.tokens import flat

# How much a surer lane counts beside shared words. Tuned on labelled questions.
_LANE_FACTORS = {Lane.ANCHOR: 2.0, Lane.EXACT: 2.0, Lane.PREFIX: 1.6, Lane.SUBSTRING: 1.3}
_REASON_FACTOR = 1.25
_CHOICE_FACTOR = 1.25
_CUE_FACTOR = 1.4
# What is far behind the best answer is not an answer.
_BEHIND_MAX = 0.2
_SLIPPED_CHARS_MIN = 4
_PHRASE_CHARS_MIN = 8


def refine(candidate: Candidate, *, now_ms: int) -> None:
    """Settle lane, group and score of a candidate whose entry has been read."""
    entry, asked = candidate.entry, candidate.asked
    assert entry is not None
    candidate.lane = _settled_lane(candidate, asked)
    factor = _LANE_FACTORS.get(candidate.lane, 1.0)
    if asked.wants_reason and _has_reason(entry):
        factor *= _REASON_FACTOR
    if asked.wants_choice and isinstance(entry, Item) and entry.kind is Kind.PROJECT_DECISION:
        factor *= _CHOICE_FACTOR
    if touches(entry, asked.cues):
        factor *= _CUE_FACTOR
        candidate.reasons.append("it belongs to where the work is")
    candidate.score = (candidate.score + 0.01) * factor + _tie_break(entry, now_ms)
    if asked.wants_todos:
        candidate.group = 0 if has_open_todo(entry) else 1
    elif asked.span is not None:
        candidate.group = int(isinstance(entry, Item))


def in_order(
    candidates: Sequence[Candidate], *, items_max: int, episodes_max: int
) -> list[Candidate]:
    """Return the best candidates first, so many of each sort, without those far behind."""
    ordered = sorted(candidates, key=lambda c: (c.group, -c.score, c.found.entry_id))
    best: dict[int, float] = {}
    for candidate in ordered:
        best.setdefault(candidate.group, candidate.score)
    room = {True: items_max, False: episodes_max}
    kept: list[Candidate] = []
    for candidate in ordered:
        is_item = candidate.found.is_item
        if candidate.score >= best[candidate.group] * _BEHIND_MAX and room[is_item] > 0:
            room[is_item] -= 1
            kept.append(candidate)
    return kept


def cue_order(entry: Item | Episode, cues: CueTerms) -> tuple[int, int, int] | None:
    """Return where an entry stands among those tied to where the work is, or None.

    Episodes come first, then what shares more, then the newest.
    """
    shared = _shared_places(entry, cues)
    if isinstance(entry, Episode):
        return (0, -shared, -entry.started_at_ms) if shared else None
    if shared:
        return (1, -shared, -entry.priority)
    return (2, 0, -entry.priority) if _is_in_folder(entry, cues) else None


def touches(entry: Item | Episode, cues: CueTerms) -> bool:
    """Whether an entry is tied to an open file, the branch or the ticket."""
    return _shared_places(entry, cues) > 0


def has_open_todo(entry: Item | Episode) -> bool:
    """Whether an episode left something open."""
    return isinstance(entry, Episode) and any(todo.is_open for todo in entry.summary.todos)


def _shared_places(entry: Item | Episode, cues: CueTerms) -> int:
    paths = entry.revision.paths if isinstance(entry, Item) else entry.summary.changes
    mine = {path_term(path) for path in paths}
    shared = len(mine & {*cues.files, *cues.ends})
    if isinstance(entry, Episode):
        shared += bool(entry.branch) and branch_term(entry.branch or "") == cues.branch
        shared += any(ticket_term(ticket) == cues.ticket for ticket in entry.tickets)
    return shared


def _is_in_folder(item: Item, cues: CueTerms) -> bool:
    return any(path_term(path) in cues.folders for path in item.revision.paths)


def _settled_lane(candidate: Candidate, asked: Asked) -> Lane:
    """Compare whole names: the index knows only how they begin, and nothing of their middle."""
    lane = candidate.lane
    if lane is Lane.ANCHOR or not asked.name:
        return lane
    names = [name_key(name) for name in _names(candidate.entry)]
    if asked.name in names or (lane is Lane.EXACT and len(asked.name) < NAME_CHARS_MAX):
        return Lane.EXACT
    if lane is Lane.PREFIX and any(name.startswith(asked.name) for name in names):
        return Lane.PREFIX
    if any(asked.name in name or _stands_with_slip(asked, name) for name in names):
        return Lane.SUBSTRING
    if candidate.doubt and _is_phrase(asked.name) and _stands_in_text(asked.name, candidate.entry):
        return Lane.SUBSTRING
    return Lane.TERMS


def _is_phrase(name: str) -> bool:
    """Whether a text is long enough that finding it word for word is no accident."""
    return len(name) >= (_PHRASE_CHARS_MIN if name.isascii() else _SLIPPED_CHARS_MIN)


def _stands_in_text(name: str, entry: Item | Episode | None) -> bool:
    if isinstance(entry, Item):
        texts: tuple[str, ...] = (entry.revision.statement, entry.revision.detail)
    else:
        assert entry is not None
        reasons = tuple(f"{d.decision} {d.reason}" for d in entry.summary.decisions)
        texts = (*entry.summary.problems, *reasons)
    return any(name in flat(text) for text in texts)


def _stands_with_slip(asked: Asked, name: str) -> bool:
    """Whether a name in an unspaced script holds the question but for one character."""
    length = len(asked.name)
    if not asked.is_one_run or length < _SLIPPED_CHARS_MIN:
        return False
    return any(
        sum(a != b for a, b in zip(asked.name, name[start : start + length], strict=False)) == 1
        for start in range(len(name) - length + 1)
    )


def _names(entry: Item | Episode | None) -> tuple[str, ...]:
    if isinstance(entry, Item):
        revision = entry.revision
        return (revision.title, *revision.aliases, *revision.keywords)
    assert entry is not None
    return (entry.summary.objective, *entry.summary.keywords)


def _has_reason(entry: Item | Episode) -> bool:
    if isinstance(entry, Item):
        return entry.kind is Kind.PROJECT_DECISION
    return any(decision.reason for decision in entry.summary.decisions)


def _tie_break(entry: Item | Episode, now_ms: int) -> float:
    """Return a little for what is pinned, weighty or new: it only orders equals."""
    if isinstance(entry, Item):
        weight = entry.priority / 100 + entry.confidence + entry.is_pinned
        age_ms = now_ms - entry.updated_at_ms
    else:
        weight, age_ms = 1.5, now_ms - entry.started_at_ms
    newness = 1 / (1 + max(0, age_ms) / (90 * DAY_MS))
    return 0.02 * (weight + newness)
