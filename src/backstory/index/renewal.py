"""The index made anew from truth, in short writes: others write meanwhile, and recall goes on.

An entry is found by its old terms or by its new ones at any time, unless the index is torn.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from backstory.index.stage import (
    FINDABLE,
    INDEX_VERSION,
    document_of,
    is_current,
    refresh,
    remove,
)
from backstory.jobs import pages
from backstory.model.episode import Episode
from backstory.model.ids import EpisodeId, ItemId
from backstory.model.item import Item
from backstory.ports.store import Store, Tables

# An entry takes a millisecond or two, and nobody is to wait for more than a hundred.
_RENEWED_AT_ONCE = 20
_CORRECTED_AT_ONCE = 1_000

_Id = TypeVar("_Id", ItemId, EpisodeId)


def reindex(store: Store) -> int:
    """Build the index of items and episodes anew from truth, and return how many are in it.

    The index of turns is emptied and catches up by itself. So is one whose parts do not fit each
    other, as no program leaves it: recall finds less then until the end of this.
    """
    with store.reading() as tables:
        is_torn = tables.postings.is_torn()
    if is_torn:
        with store.writing() as tables:
            tables.postings.clear()
    return _renew_all(store)


def renew(store: Store) -> bool:
    """Let the index follow the rules of this version, and return whether it did not yet."""
    if is_current(store):
        return False
    _renew_all(store)
    return True


def freshen_story(store: Store) -> None:
    """Make anew what finds commits' episodes by words, paths and tickets, a page at a time."""
    while not _freshened(store):
        pass


def _renew_all(store: Store) -> int:
    with store.reading() as tables:
        items = [item.id for item in tables.items.listed(statuses=FINDABLE)]
        episodes = [episode.id for episode in tables.episodes.listed()]
        strays = sorted(tables.postings.entry_ids() - {*items, *episodes})
    for item_ids in pages(items, _RENEWED_AT_ONCE):
        _renew(store, item_ids, read=lambda tables, ids: tables.items.many(ids))
    for episode_ids in pages(episodes, _RENEWED_AT_ONCE):
        _renew(store, episode_ids, read=lambda tables, ids: tables.episodes.many(ids))
    for names in pages(strays, _RENEWED_AT_ONCE):
        with store.writing() as tables:
            refresh(tables, [ItemId(name) for name in names])
    _correct_counts(store)
    freshen_story(store)
    with store.writing() as tables:
        tables.turn_texts.clear()
        tables.meta.set_index_version(INDEX_VERSION)
    return len(items) + len(episodes)


def _renew(
    store: Store,
    ids: Sequence[_Id],
    *,
    read: Callable[[Tables, Sequence[_Id]], Sequence[Item | Episode]],
) -> None:
    """Take entries apart while others may write, and write of each what is not so yet."""
    with store.reading() as tables:
        before = read(tables, ids)
    made = {entry.id: (entry, document_of(entry)) for entry in before}
    with store.writing() as tables:
        now = read(tables, ids)
        for entry in now:
            known, document = made.get(entry.id, (None, None))
            if entry != known:
                document = document_of(entry)
            if document is None:
                tables.postings.remove(entry.id)
            else:
                tables.postings.renew(document)
        remove(tables, {*ids} - {entry.id for entry in now})


def _correct_counts(store: Store) -> None:
    """Let terms and words be counted as they are held; a sound index needs nothing of it."""
    with store.reading() as tables:
        found = tables.postings.miscounts()
    for page in pages(found, _CORRECTED_AT_ONCE):
        with store.writing() as tables:
            tables.postings.correct(page)


def _freshened(store: Store) -> bool:
    """Put fresh runs in the place of those there are; False where they were out of date."""
    with store.reading() as tables:
        fresh = tables.story_order.fresh_runs()
    for page in fresh.pages:
        with store.writing() as tables:
            if not tables.story_order.replace_runs(page, fresh=fresh):
                return False
    return True
