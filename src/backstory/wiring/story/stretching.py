"""The stretch of work that an episode covers, read again from what was recorded."""

from collections.abc import Sequence

from backstory.episodes.sessions import Session, is_commit
from backstory.episodes.stage import COMMIT_ORIGIN
from backstory.episodes.stretches import DECISIONS, LESSONS, Stretch
from backstory.model.episode import Episode
from backstory.model.event import Event
from backstory.model.ids import EpisodeId, ItemId
from backstory.model.item import Item
from backstory.model.limits import MINUTE_MS
from backstory.model.turn import Turn
from backstory.model.words import EventKind, Status
from backstory.ports.store import Tables

SESSION_ORIGIN = "session"
MANUAL_ORIGIN = "manual"
TODO_ORIGIN = "todo"

_EVENTS_MAX = 2_000
_TURNS_MAX = 1_000
_EPISODES_MAX = 2_000
# A commit is dated within a moment of the command that makes it, where no hook names it.
_MADE_WITHIN_MS = MINUTE_MS
_COMMITS_MAX = 8


def stretch_of(tables: Tables, session: Session) -> Stretch:
    """Return a part of a session with the items that its turns prove and the commits made."""
    return Stretch(
        session=session,
        items=_items(tables, session.turns),
        commits=_commits(tables, session.events),
    )


def stretch_again(tables: Tables, episode: Episode, *, now_ms: int) -> Stretch:
    """Return what an episode covers: its time on its branch, or itself where it is a commit."""
    if episode.origin == COMMIT_ORIGIN:
        return Stretch(session=Session(), commits=(episode,))
    end_ms = now_ms if episode.ended_at_ms is None else episode.ended_at_ms
    start_ms = episode.started_at_ms
    events = tables.periods.events(start_ms, end_ms, limit=_EVENTS_MAX)
    turns = tables.periods.turns(start_ms, end_ms, limit=_TURNS_MAX)
    session = Session(
        events=tuple(one for one in events if _is_on(one.branch, episode)),
        turns=tuple(one for one in turns if _is_on(one.branch, episode)),
    )
    stretch = stretch_of(tables, session)
    if episode.origin != MANUAL_ORIGIN:
        return stretch
    made = _made_within(tables, episode, end_ms=end_ms)
    return Stretch(session=session, items=stretch.items, commits=made)


def _is_on(branch: str | None, episode: Episode) -> bool:
    return None in (branch, episode.branch) or branch == episode.branch


def _made_within(tables: Tables, episode: Episode, *, end_ms: int) -> tuple[Episode, ...]:
    """Return the commits made in the time that a person bounded, of its branch and tickets.

    Where any of them names one of its tickets, only those that do belong to it.
    """
    ids = tables.episodes.within(episode.started_at_ms, end_ms + 1, limit=_EPISODES_MAX)
    made = [one for one in tables.episodes.many(ids) if one.origin == COMMIT_ORIGIN]
    made = [one for one in made if _is_on(one.branch, episode)]
    named = [one for one in made if set(one.tickets) & set(episode.tickets)]
    return tuple(sorted(named or made, key=lambda one: (one.started_at_ms, one.seq)))


def _items(tables: Tables, turns: Sequence[Turn]) -> tuple[Item, ...]:
    named: dict[ItemId, None] = {}
    for turn in turns:
        named |= dict.fromkeys(tables.items.of_turn(turn.id))
    seen = (Status.ACTIVE, Status.STALE)
    held = DECISIONS | LESSONS
    return tuple(
        item
        for item in tables.items.many(list(named))
        if item.status in seen and item.kind in held
    )


def _commits(tables: Tables, events: Sequence[Event]) -> tuple[Episode, ...]:
    """Return the episodes of the commits that events name, or that were made at their time."""
    named: dict[EpisodeId, None] = {}
    for event in filter(is_commit, events):
        if event.kind is EventKind.COMMIT:
            numbers = tables.story.numbers([str(event.payload["sha"])]).values()
            named |= dict.fromkeys(tables.story.ids([*numbers]).values())
        else:
            start_ms, end_ms = event.at_ms - _MADE_WITHIN_MS, event.at_ms + _MADE_WITHIN_MS
            near = tables.episodes.within(start_ms, end_ms, limit=_COMMITS_MAX)
            named |= dict.fromkeys(near)
    found = tables.episodes.many(list(named))
    return tuple(episode for episode in found if episode.origin == COMMIT_ORIGIN)
