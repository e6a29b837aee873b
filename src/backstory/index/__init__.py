"""The index of items and episodes: derived from truth, and rebuilt from it."""

from backstory.index.stage import index_entries, refresh, reindex, remove, renew

__all__ = ["index_entries", "refresh", "reindex", "remove", "renew"]
