"""The index of items and episodes: derived from truth, and rebuilt from it."""

from backstory.index.renewal import freshen_story, reindex, renew
from backstory.index.stage import index_entries, is_current, refresh, remove

__all__ = [
    "freshen_story",
    "index_entries",
    "is_current",
    "refresh",
    "reindex",
    "remove",
    "renew",
]
