"""The SQLite store: the only package that imports apsw."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from backstory.store.db import SqliteStore, bring_up_to_date, open_store

if TYPE_CHECKING:
    from backstory.store.file.salvage import DegradedStore
    from backstory.store.upkeep.checkup import Finding, check_store
    from backstory.store.upkeep.clear import Cleared, clear_store, start_over
    from backstory.store.upkeep.erase import Erasure, erase_item
    from backstory.store.upkeep.moving import move_store
    from backstory.store.upkeep.restore import is_export, restore_export
    from backstory.store.upkeep.scrub import scrub
    from backstory.store.upkeep.snapshot import write_export, write_export_to

__all__ = [
    "Cleared",
    "DegradedStore",
    "Erasure",
    "Finding",
    "SqliteStore",
    "bring_up_to_date",
    "check_store",
    "clear_store",
    "erase_item",
    "is_export",
    "move_store",
    "open_store",
    "restore_export",
    "scrub",
    "start_over",
    "write_export",
    "write_export_to",
]

# Where the rest is. It is loaded when it is asked for: every prompt opens a store, and seldom
# does anybody look after one.
_PLACES = {
    "file.salvage": ("DegradedStore",),
    "upkeep.checkup": ("Finding", "check_store"),
    "upkeep.clear": ("Cleared", "clear_store", "start_over"),
    "upkeep.erase": ("Erasure", "erase_item"),
    "upkeep.moving": ("move_store",),
    "upkeep.restore": ("is_export", "restore_export"),
    "upkeep.scrub": ("scrub",),
    "upkeep.snapshot": ("write_export", "write_export_to"),
}


def __getattr__(name: str) -> Any:
    for place, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{place}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
