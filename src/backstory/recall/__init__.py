"""Recall: items and episodes for a question and its cues; raw turns by search."""

from backstory.recall.answer import recall
from backstory.recall.reading import read
from backstory.recall.turn_search import catch_up, search

__all__ = ["catch_up", "read", "recall", "search"]
