"""The index of items and episodes: derived from truth, and rebuilt from it."""

from backstory.index.stage import index_entries, is_current, refresh, reindex, remove, renew

__all__ = ["index_entries", "is_current", "refresh", "reindex", "remove", "renew"]
