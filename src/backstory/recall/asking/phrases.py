"""Phrases that change what a question asks for: what was left open, or why. Pure."""

import re
from functools import lru_cache
from importlib.resources import files


def asks_for_todos(text: str) -> bool:
    """Whether a normalised question asks for what was left open."""
    return _pattern("todo").search(text) is not None


def asks_why(text: str) -> bool:
    """Whether a normalised question asks for a reason."""
    return _pattern("why").search(text) is not None


def asks_for_choice(text: str) -> bool:
    """Whether a normalised question asks for what was decided."""
    return _pattern("choice").search(text) is not None


def without_todo_phrases(text: str) -> str:
    """Return a question without the words that ask for what was left open."""
    return _pattern("todo").sub(" ", text)


def without_why_phrases(text: str) -> str:
    """Return a question without the words that ask for a reason."""
    return _pattern("why").sub(" ", text)


@lru_cache(maxsize=4)
def _pattern(name: str) -> re.Pattern[str]:
    source = files("backstory.recall.asking").joinpath(f"data/{name}.txt").read_text("utf-8")
    phrases = [line.strip() for line in source.splitlines() if line and not line.startswith("#")]
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return re.compile("|".join(map(_bounded, longest_first)), re.IGNORECASE)


def _bounded(phrase: str) -> str:
    escaped = re.escape(phrase).replace(r"\ ", r"\s+")
    return rf"(?<![\w-]){escaped}(?![\w-])" if phrase.isascii() else escaped
