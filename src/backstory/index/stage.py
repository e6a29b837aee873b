"""Keeping the index equal to the truth, with each change."""

from collections.abc import Iterable, Sequence

from backstory.index.documents import episode_document, item_document
from backstory.model.episode import Episode
from backstory.model.ids import ItemId
from backstory.model.item import Item
from backstory.model.words import Status
from backstory.ports.store import Store, Tables
from backstory.ports.store_rows import NewDocument

# Of the rules by which a text is taken apart. Whoever changes what terms a text has raises it,
# and every store is indexed anew when its jobs are run the next time.
INDEX_VERSION = 3

# What may be recalled; everything else is not in the index at all.
FINDABLE = (Status.ACTIVE, Status.STALE)


def index_entries(tables: Tables, entries: Iterable[Item | Episode]) -> None:
    """Index items and episodes, in place of what was there; items that nobody may find leave."""
    for entry in entries:
        document = document_of(entry)
        if document is None:
            tables.postings.remove(entry.id)
        else:
            tables.postings.put(document)


def document_of(entry: Item | Episode) -> NewDocument | None:
    """Return what the index holds of an entry, or None where nobody may find it. Pure."""
    if isinstance(entry, Episode):
        return episode_document(entry)
    return item_document(entry) if entry.status in FINDABLE else None


def refresh(tables: Tables, item_ids: Sequence[ItemId]) -> None:
    """Read items again and index them as they are now, in the caller's transaction."""
    found = tables.items.many(item_ids)
    index_entries(tables, found)
    remove(tables, set(item_ids) - {item.id for item in found})


def remove(tables: Tables, entry_ids: Iterable[str]) -> None:
    """Take entries out of the index, whatever they are."""
    for entry_id in sorted(entry_ids):
        tables.postings.remove(entry_id)


def is_current(store: Store) -> bool:
    """Whether the index follows the rules of this version."""
    with store.reading() as tables:
        return tables.meta.index_version() >= INDEX_VERSION
