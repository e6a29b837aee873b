"""The SQLite store: the only package that imports apsw."""

from backstory.store.db import SqliteStore, open_store
from backstory.store.file.salvage import DegradedStore
from backstory.store.upkeep.checkup import Finding, check_store
from backstory.store.upkeep.clear import Cleared, clear_store, start_over
from backstory.store.upkeep.erase import Erasure, erase_item
from backstory.store.upkeep.restore import is_export, restore_export
from backstory.store.upkeep.scrub import scrub
from backstory.store.upkeep.snapshot import write_export, write_export_to

__all__ = [
    "Cleared",
    "DegradedStore",
    "Erasure",
    "Finding",
    "SqliteStore",
    "check_store",
    "clear_store",
    "erase_item",
    "is_export",
    "open_store",
    "restore_export",
    "scrub",
    "start_over",
    "write_export",
    "write_export_to",
]
