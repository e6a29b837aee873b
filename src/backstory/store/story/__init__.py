"""Commits as episodes, and what finds them."""

from backstory.store.story.table import SqliteStory

__all__ = ["SqliteStory"]
