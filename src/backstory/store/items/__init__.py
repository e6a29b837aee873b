"""The tables of items: what is remembered, what proves it and what was done to it."""

from backstory.store.items.table import SqliteItems

__all__ = ["SqliteItems"]
