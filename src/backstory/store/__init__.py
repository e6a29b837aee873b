"""The SQLite store: the only package that imports apsw."""

from backstory.store.db import SqliteStore, open_store

__all__ = ["SqliteStore", "open_store"]
