"""Keeping the index equal to the truth: with each change, or all over again."""

from collections.abc import Iterable, Sequence

from backstory.index.documents import episode_document, item_document
from backstory.model.episode import Episode
from backstory.model.ids import ItemId
from backstory.model.item import Item
from backstory.model.words import Status
from backstory.ports.store import Store, Tables

# Of the rules by which a text is taken apart. Whoever changes what terms a text has raises it,
# and every store is indexed anew when its jobs are run the next time.
INDEX_VERSION = 2

# An entry takes some three milliseconds, and nobody is to wait for more than a hundred.
_RENEWED_AT_ONCE = 20

# What may be recalled; everything else is not in the index at all.
FINDABLE = (Status.ACTIVE, Status.STALE)


def index_entries(tables: Tables, entries: Iterable[Item | Episode]) -> None:
    """Index items and episodes, in place of what was there; items that nobody may find leave."""
    for entry in entries:
        if isinstance(entry, Episode):
            tables.postings.put(episode_document(entry))
        elif entry.status in FINDABLE:
            tables.postings.put(item_document(entry))
        else:
            tables.postings.remove(entry.id)


def refresh(tables: Tables, item_ids: Sequence[ItemId]) -> None:
    """Read items again and index them as they are now, in the caller's transaction."""
    found = tables.items.many(item_ids)
    index_entries(tables, found)
    remove(tables, set(item_ids) - {item.id for item in found})


def remove(tables: Tables, entry_ids: Iterable[str]) -> None:
    """Take entries out of the index, whatever they are."""
    for entry_id in sorted(entry_ids):
        tables.postings.remove(entry_id)


def reindex(store: Store) -> int:
    """Build the index of items and episodes anew from truth, and return how many are in it.

    It is one transaction: recall sees the old index or the new one. The index of turns is
    emptied and catches up by itself.
    """
    with store.writing() as tables:
        items = tables.items.listed(statuses=FINDABLE)
        episodes = tables.episodes.listed()
        tables.postings.clear()
        tables.turn_texts.clear()
        index_entries(tables, [*items, *episodes])
        tables.story.reindex()
        tables.meta.set_index_version(INDEX_VERSION)
    return len(items) + len(episodes)


def is_current(store: Store) -> bool:
    """Whether the index follows the rules of this version."""
    with store.reading() as tables:
        return tables.meta.index_version() >= INDEX_VERSION


def renew(store: Store) -> bool:
    """Let the index follow the rules of this version, and return whether it did not yet.

    It is done entry by entry in short transactions, for others write meanwhile; recall finds
    some entries by the old rules and some by the new ones until the end of it.
    """
    if is_current(store):
        return False
    with store.reading() as tables:
        items = [item.id for item in tables.items.listed(statuses=FINDABLE)]
        episodes = [episode.id for episode in tables.episodes.listed()]
    for first in range(0, len(items), _RENEWED_AT_ONCE):
        with store.writing() as tables:
            refresh(tables, items[first : first + _RENEWED_AT_ONCE])
    for first in range(0, len(episodes), _RENEWED_AT_ONCE):
        with store.writing() as tables:
            index_entries(tables, tables.episodes.many(episodes[first : first + _RENEWED_AT_ONCE]))
    with store.writing() as tables:
        tables.turn_texts.clear()
        tables.story.reindex()
        tables.meta.set_index_version(INDEX_VERSION)
    return True
