"""The phrases of `data/phrases.toml` as patterns, read once: the only disk access here."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from backstory.capture.folding import fold


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, list[str]]]:
    source = files("backstory.episodes.messages").joinpath("data/phrases.toml")
    return tomllib.loads(source.read_text("utf-8"))


@lru_cache(maxsize=16)
def _within(name: str) -> re.Pattern[str]:
    table = _tables()[name]
    english = "|".join(table["en"])
    chinese = "|".join(map(re.escape, table["zh"]))
    return re.compile(rf"(?<![\w-])(?:{english})(?![\w-])|{chinese}", re.IGNORECASE)


@lru_cache(maxsize=16)
def _start(name: str) -> re.Pattern[str]:
    table = _tables()[name]
    english = "|".join(map(re.escape, table["en"]))
    chinese = "|".join(map(re.escape, table["zh"]))
    return re.compile(rf"(?:(?:{english})(?![\w-])|(?:{chinese}))", re.IGNORECASE)


def place_of(name: str, text: str) -> tuple[int, int] | None:
    """Return where the first phrase of this list stands in a text, or None."""
    found = _within(name).search(fold(text))
    return found.span() if found else None


def says(name: str, text: str) -> bool:
    """Whether a text holds a phrase of this list."""
    return place_of(name, text) is not None


def begins(name: str, text: str) -> bool:
    """Whether a text begins with a phrase of this list."""
    return _start(name).match(fold(text.lstrip())) is not None


def is_one_of(name: str, text: str) -> bool:
    """Whether a text is nothing but a phrase of this list."""
    found = _start(name).match(fold(text.strip()))
    return found is not None and not re.search(r"\w", text.strip()[found.end() :])
