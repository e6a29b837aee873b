"""Why something is remembered, and why something like it was not."""

from backstory.model.answers import Explanation
from backstory.model.candidate import StoredCandidate
from backstory.model.ids import ItemId
from backstory.model.item import ItemStory
from backstory.model.recall import Question, TurnHit
from backstory.model.words import CandidateState, Status
from backstory.ports.store import Tables
from backstory.recall import recall, search
from backstory.segment.terms import search_terms

# Refusals that are looked through, newest first; older ones are in the export.
_REFUSALS_SEARCHED = 2_000
_SHOWN_MAX = 5
_SHARE_MIN = 0.5  # of the question's terms: fewer is another subject


def explain(tables: Tables, text: str, *, now_ms: int) -> Explanation:
    """Return the items, the refusals and the bare turns that a text, or an item's id, is about."""
    story = tables.items.story(ItemId(text.strip()))
    if story is not None:
        return Explanation(remembered=(story,), refused=())
    refused = _alike(tables, text, state=CandidateState.REFUSED)
    waiting = _alike(tables, text, state=CandidateState.WAITING)
    remembered = _stories(tables, text, now_ms=now_ms)
    proposed = bool(refused or waiting or remembered)
    return Explanation(
        remembered=remembered,
        refused=refused,
        waiting=waiting,
        said_only=() if proposed else _said(tables, text),
    )


def _stories(tables: Tables, text: str, *, now_ms: int) -> tuple[ItemStory, ...]:
    """Return the stories of what the words find, and of what these took the place of."""
    hits = recall(tables, Question(text=text), now_ms=now_ms).hits
    found = {hit.entry.id: tables.items.story(ItemId(hit.entry.id)) for hit in hits}
    stories = {key: story for key, story in found.items() if story is not None}
    for story in (*stories.values(), *_gone(tables, text)):
        stories.setdefault(story.item.id, story)
    return tuple(stories.values())[:_SHOWN_MAX]


def _gone(tables: Tables, text: str) -> list[ItemStory]:
    """Return items that are not recalled any more and hold most of the words."""
    wanted = set(search_terms(text))
    items = tables.items.listed(statuses=(Status.SUPERSEDED, Status.RETRACTED))
    near = [item for item in items if _share(wanted, item.revision.statement) >= _SHARE_MIN]
    stories = [tables.items.story(item.id) for item in near[-_SHOWN_MAX:]]
    return [story for story in stories if story is not None]


def _alike(tables: Tables, text: str, *, state: CandidateState) -> tuple[StoredCandidate, ...]:
    wanted = set(search_terms(text))
    rows = tables.candidates.recent(limit=_REFUSALS_SEARCHED, states=(state,))
    scored = [(_share(wanted, row.statement), row) for row in rows]
    near = [(share, row) for share, row in scored if share >= _SHARE_MIN]
    near.sort(key=lambda pair: -pair[0])  # stable: newer ones first among equals
    return tuple(row for _, row in near[:_SHOWN_MAX])


def _share(wanted: set[str], statement: str) -> float:
    return len(wanted & set(search_terms(statement))) / len(wanted) if wanted else 0.0


def _said(tables: Tables, text: str) -> tuple[TurnHit, ...]:
    return search(tables, text, limit=_SHOWN_MAX)
