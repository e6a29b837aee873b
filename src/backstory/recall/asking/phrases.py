"""Phrases that change what a question asks for: what was left open, or why. Pure."""

import re
from functools import lru_cache

from backstory.capture.packaged import packaged_text


def asks_for_todos(text: str) -> bool:
    """Whether a normalised question asks for what was left open."""
    return _found("todo", text)


def asks_why(text: str) -> bool:
    """Whether a normalised question asks for a reason."""
    return _found("why", text)


def asks_for_choice(text: str) -> bool:
    """Whether a normalised question asks for what was decided."""
    return _found("choice", text)


def without_todo_phrases(text: str) -> str:
    """Return a question without the words that ask for what was left open."""
    return _pattern(_possible("todo", text)).sub(" ", text)


def without_why_phrases(text: str) -> str:
    """Return a question without the words that ask for a reason."""
    return _pattern(_possible("why", text)).sub(" ", text)


def _found(name: str, text: str) -> bool:
    possible = _possible(name, text)
    return bool(possible) and _pattern(possible).search(text) is not None


def _possible(name: str, text: str) -> tuple[str, ...]:
    """Return the phrases whose words all stand in a text, wherever: hardly ever one.

    A pattern of all phrases takes longer to make than a question takes to answer. Letter case
    is folded as `re` does it, for which a dotless i is an i.
    """
    small = text.lower().replace("ı", "i")
    return tuple(p for p in _phrases(name) if all(word in small for word in p.lower().split()))


@lru_cache(maxsize=4)
def _phrases(name: str) -> tuple[str, ...]:
    source = packaged_text(__spec__, f"data/{name}.txt")
    phrases = [line.strip() for line in source.splitlines() if line and not line.startswith("#")]
    return tuple(sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))


@lru_cache(maxsize=64)
def _pattern(longest_first: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_bounded, longest_first)), re.IGNORECASE)


def _bounded(phrase: str) -> str:
    escaped = re.escape(phrase).replace(r"\ ", r"\s+")
    return rf"(?<![\w-]){escaped}(?![\w-])" if phrase.isascii() else escaped
