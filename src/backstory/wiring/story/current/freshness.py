"""Whether what items and episodes cite is still there: stale where it is gone or much changed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from backstory import index
from backstory.jobs import pages
from backstory.model.episode import Episode
from backstory.model.ids import ItemId
from backstory.model.item import Item
from backstory.model.words import Action, Status
from backstory.ports.clock import NameSource
from backstory.ports.store import Store, Tables
from backstory.ports.store_rows import Stamp
from backstory.ports.story import CitedFile
from backstory.ports.vcs import Vcs
from backstory.wiring.story.current.looking import CHANGED_SHARE_MIN

ACTOR = "freshness"
# Written in one go: an item that turns is indexed anew, which takes some three milliseconds.
_TURNED_AT_ONCE = 20
_CITED_AT_ONCE = 100


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
    stamp = Stamp(batch=ids("b"), actor=ACTOR, reason="", at_ms=now_ms)
    looked = _Looked(store, seen=seen, stamp=stamp)
    reasons = {item.id: _item_reason(item, seen, vcs=vcs) for item in items}
    turning = [one for one in items if bool(reasons[one.id]) != _is_stale(one)]
    others = [one for one in items if _new(one, seen) and bool(reasons[one.id]) == _is_stale(one)]
    for page in (*pages(turning, _TURNED_AT_ONCE), *pages(others, _CITED_AT_ONCE)):
        looked.note_items(page, reasons=reasons)
    due = [one for one in episodes if _new(one, seen) or _is_gone(one, seen) != one.is_stale]
    for told in pages(due, _CITED_AT_ONCE):
        looked.note_episodes(told)
    return Freshness(stale=looked.turned[True], fresh=looked.turned[False])


class _Looked:
    """Writes down what was seen of files, a few entries at a time: others may have to write."""

    def __init__(self, store: Store, *, seen: _Seen, stamp: Stamp) -> None:
        self._store = store
        self._seen = seen
        self._stamp = stamp
        self.turned: Counter[bool] = Counter()  # entries by whether they are stale now

    def note_items(self, items: Sequence[Item], *, reasons: Mapping[ItemId, str]) -> None:
        """Note what the files of items are like, and mark the items that turn by them.

        An item that was changed since it was read is looked at the next time.
        """
        turned = []
        with self._store.writing() as tables:
            now = set(tables.items.many([item.id for item in items]))
            unchanged = [item for item in items if item in now]
            tables.story.cite([file for item in unchanged for file in _new(item, self._seen)])
            for item in unchanged:
                if bool(reasons[item.id]) != _is_stale(item):
                    _mark_item(tables, item, reason=reasons[item.id], stamp=self._stamp)
                    turned.append(item)
            index.refresh(tables, [item.id for item in turned])
        self.turned.update(not _is_stale(item) for item in turned)

    def note_episodes(self, episodes: Sequence[Episode]) -> None:
        """Do the same with episodes."""
        turned = []
        with self._store.writing() as tables:
            now = set(tables.episodes.many([episode.id for episode in episodes]))
            unchanged = [episode for episode in episodes if episode in now]
            tables.story.cite([file for one in unchanged for file in _new(one, self._seen)])
            for one in unchanged:
                if _is_gone(one, self._seen) != one.is_stale:
                    status = Status.ACTIVE if one.is_stale else Status.STALE
                    tables.episodes.set_status(one.id, status)
                    turned.append(one)
        self.turned.update(not one.is_stale for one in turned)


def _mark_item(tables: Tables, item: Item, *, reason: str, stamp: Stamp) -> None:
    tables.items.set_status(
        item.id,
        Status.STALE if reason else Status.ACTIVE,
        action=Action.STALE if reason else Action.FRESH,
        stamp=replace(stamp, reason=reason or "what it cites is as it was"),
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


def _new(entry: Item | Episode, seen: _Seen) -> list[CitedFile]:
    """Return the files of a revision that was not seen before, as they are now."""
    found = []
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
