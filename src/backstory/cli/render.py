"""Text for people and JSON for programs. Words from outside are printed as they are, literally."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

from rich.console import Console
from rich.text import Text

_KEPT_CONTROLS = "\n\t"


def literal(text: str) -> str:
    """Return text without control and direction characters, which could move the cursor or lie."""
    return "".join(c for c in text if c in _KEPT_CONTROLS or not _is_control(c))


def _is_control(character: str) -> bool:
    # Cc: controls; Cs: half characters; Cf: format characters, bidirectional marks among them,
    # but for the joiners that scripts and emoji need.
    category = unicodedata.category(character)
    return category in ("Cc", "Cs") or (category == "Cf" and character not in "\u200c\u200d")


class Screen:
    """Writes lines to standard output: coloured on a terminal, plain in a pipe."""

    def __init__(self) -> None:
        self._console = Console(markup=False, highlight=False, soft_wrap=True, emoji=False)

    def line(self, *parts: str | tuple[str, str]) -> None:
        """Write a line of parts, each plain or with a style."""
        text = Text()
        for part in parts:
            words, style = (part, "") if isinstance(part, str) else part
            text.append(literal(words), style=style)
        self._console.print(text)

    def heading(self, words: str) -> None:
        """Write a heading after an empty line."""
        self.line("")
        self.line((words, "bold"))


def print_json(value: object) -> None:
    """Write one JSON value, with domain types as objects and their names as they are."""
    sys.stdout.write(json.dumps(plain(value), ensure_ascii=False, indent=2) + "\n")


def plain(value: object) -> object:
    """Return a value as JSON knows it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(part) for name, part in asdict(value).items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [plain(part) for part in value]
    return value


def day(at_ms: int) -> str:
    """Return a moment as a date, UTC."""
    return f"{datetime.fromtimestamp(at_ms / 1000, tz=UTC):%Y-%m-%d}"
