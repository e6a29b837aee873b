"""Whether what items and episodes cite is still there: stale where it is gone or much changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backstory import index
from backstory.model.episode import Episode
from backstory.model.item import Item
from backstory.model.words import Action, Status
from backstory.ports.clock import NameSource
from backstory.ports.store import Store, Tables
from backstory.ports.store_rows import Stamp
from backstory.ports.story import CitedFile
from backstory.ports.vcs import Vcs
from backstory.wiring.story.looking import CHANGED_SHARE_MIN

ACTOR = "freshness"


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """How many entries became stale, and how many came back."""

    stale: int = 0
    fresh: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The files as they are now, and as entries cited them."""

    now: Mapping[str, str]
    cited: Mapping[tuple[str, str], CitedFile]


def check_freshness(store: Store, vcs: Vcs, *, ids: NameSource, now_ms: int) -> Freshness:
    """Mark items, and episodes other than commits, by the files that they cite.

    A file is noted as it is when an entry's revision is first seen here. An item is stale
    while one of its files is gone or has lost half of its lines, an episode while all of them
    are gone. Nothing is guessed: a path that never was a file of the project says nothing.
    """
    with store.reading() as tables:
        listed = tables.items.listed(statuses=(Status.ACTIVE, Status.STALE))
        items = [item for item in listed if item.revision.paths]
        episodes = [one for one in tables.episodes.listed() if one.summary.changes]
        cited = {(file.entry_id, file.path): file for file in tables.story.cited()}
    entries: list[Item | Episode] = [*items, *episodes]
    paths = {path for one in entries for path in _paths(one)}
    if not paths:
        return Freshness()
    seen = _Seen(now=vcs.blobs(sorted(paths)), cited=cited)
    reasons = {item.id: _item_reason(item, seen, vcs=vcs) for item in items}
    with store.writing() as tables:
        tables.story.cite(_new(entries, seen))
        changed = [item for item in items if bool(reasons[item.id]) != _is_stale(item)]
        stamp = Stamp(batch=ids("b"), actor=ACTOR, reason="", at_ms=now_ms)
        for item in changed:
            _mark_item(tables, item, reason=reasons[item.id], stamp=stamp)
        index.refresh(tables, [item.id for item in changed])
        turned = [one for one in episodes if _is_gone(one, seen) != one.is_stale]
        for one in turned:
            status = Status.ACTIVE if one.is_stale else Status.STALE
            tables.episodes.set_status(one.id, status)
    were_stale = [*(_is_stale(item) for item in changed), *(one.is_stale for one in turned)]
    return Freshness(stale=were_stale.count(False), fresh=were_stale.count(True))


def _mark_item(tables: Tables, item: Item, *, reason: str, stamp: Stamp) -> None:
    tables.items.set_status(
        item.id,
        Status.STALE if reason else Status.ACTIVE,
        action=Action.STALE if reason else Action.FRESH,
        stamp=Stamp(
            batch=stamp.batch,
            actor=stamp.actor,
            reason=reason or "what it cites is as it was",
            at_ms=stamp.at_ms,
        ),
    )


def _item_reason(item: Item, seen: _Seen, *, vcs: Vcs) -> str:
    """Return why an item is stale, or nothing."""
    for path in item.revision.paths:
        cited = seen.cited.get((item.id, path))
        if cited is None or cited.revision != item.revision.number:
            continue
        blob = seen.now.get(path)
        if blob is None:
            return f"{path} is gone"
        share = None if blob == cited.blob else vcs.changed_share(cited.blob, blob)
        if share is not None and share >= CHANGED_SHARE_MIN:
            return f"{path} has changed much"
    return ""


def _is_gone(episode: Episode, seen: _Seen) -> bool:
    cited = [path for path in episode.summary.changes if (episode.id, path) in seen.cited]
    return bool(cited) and not any(path in seen.now for path in cited)


def _new(entries: Sequence[Item | Episode], seen: _Seen) -> list[CitedFile]:
    """Return the files of revisions that were not seen before, as they are now."""
    found = []
    for entry in entries:
        number = _number(entry)
        for path in _paths(entry):
            known = seen.cited.get((entry.id, path))
            if path in seen.now and (known is None or known.revision != number):
                blob = seen.now[path]
                found.append(CitedFile(entry_id=entry.id, path=path, revision=number, blob=blob))
    return found


def _paths(entry: Item | Episode) -> tuple[str, ...]:
    return entry.revision.paths if isinstance(entry, Item) else entry.summary.changes


def _number(entry: Item | Episode) -> int:
    return entry.revision.number if isinstance(entry, Item) else entry.summary.number


def _is_stale(item: Item) -> bool:
    return item.status is Status.STALE
