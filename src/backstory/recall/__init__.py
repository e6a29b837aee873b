"""Recall: items and episodes for a question and its cues; raw turns by search."""

from importlib import import_module
from typing import TYPE_CHECKING

from backstory.recall.answer import recall

if TYPE_CHECKING:
    from backstory.recall.reading import read
    from backstory.recall.turn_search import catch_up, search

__all__ = ["catch_up", "read", "recall", "search"]

# Loaded when it is asked for: a prompt only recalls.
_PLACES = {"catch_up": "turn_search", "read": "reading", "search": "turn_search"}


def __getattr__(name: str) -> object:
    if name in _PLACES:
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
