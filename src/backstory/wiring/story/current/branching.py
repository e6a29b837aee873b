"""Whether the branch on which an item was said is merged by now: as last noted, or as git says."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from backstory.model.errors import VcsUnavailableError
from backstory.model.ids import ItemId
from backstory.model.item import Item
from backstory.model.recall import Hit

if TYPE_CHECKING:
    from backstory.ports.store import Store, Tables
    from backstory.ports.vcs import Vcs


def note_unmerged(store: "Store", vcs: "Vcs") -> None:
    """Keep which branches are not merged, for those who show items and cannot wait for git.

    Raises `VcsUnavailableError`. Where it is as it was, nothing is written.
    """
    found = vcs.unmerged()
    with store.reading() as tables:
        if tables.branches.noted() == found:
            return
    with store.writing() as tables:
        tables.branches.note(found)


def unmerged(
    tables: "Tables", item_ids: Sequence[ItemId], *, vcs: "Vcs | None" = None
) -> Mapping[ItemId, str]:
    """Return the branch of each item that was said on one that is not merged.

    With `vcs` what was noted holds no longer than it is so: a branch that was merged or deleted
    since is not named, and none is where git cannot tell.
    """
    found = tables.branches.of_items(item_ids)
    if not found or vcs is None:
        return found
    try:
        still = vcs.unmerged(sorted(set(found.values())))
    except VcsUnavailableError:
        return {}
    return {item_id: branch for item_id, branch in found.items() if branch in still}


def marked(tables: "Tables", hits: Sequence[Hit], *, vcs: "Vcs | None") -> tuple[Hit, ...]:
    """Return hits whose items name the branch that they were said on, while it is not merged."""
    item_ids = [hit.entry.id for hit in hits if isinstance(hit.entry, Item)]
    found = unmerged(tables, item_ids, vcs=vcs) if item_ids else {}
    return tuple(_named(hit, found) for hit in hits)


def _named(hit: Hit, found: Mapping[ItemId, str]) -> Hit:
    branch = found.get(hit.entry.id) if isinstance(hit.entry, Item) else None
    return hit if branch is None else replace(hit, unmerged=branch)
