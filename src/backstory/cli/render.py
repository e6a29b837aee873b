"""Text for people and JSON for programs. Words from outside are printed as they are, literally."""

import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from backstory.cli.wrapping import breaks
from backstory.speaking import is_chinese, said

Part = str | tuple[str, str]  # words, or words and a style

_KEPT_CONTROLS = "\n\t"
_JOINERS = "\u200c\u200d"  # scripts and emoji need them
_LINES = "\u2028\u2029\x0b\x0c\x85"  # end a line for some programs and not for others
# What JSON leaves as it is and a terminal may act on: controls, marks without a width, directions.
_UNSAFE = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_WIDTH_MAX = 100  # longer lines are hard to read
_LABEL_CELLS = 9


def literal(text: str) -> str:
    """Return text without control and direction characters, which could move the cursor or lie."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if c in _LINES else c for c in text if c in _LINES or not _is_control(c))


def one_line(text: str) -> str:
    """Return text on one line, literally."""
    return " ".join(literal(text).split())


def _is_control(character: str) -> bool:
    # Cc: controls; Cs: half characters; Cf: format characters, bidirectional marks among them.
    category = unicodedata.category(character)
    if category in {"Cc", "Cs"}:
        return character not in _KEPT_CONTROLS
    return category == "Cf" and character not in _JOINERS


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """End quietly: what was asked is done, and who read the answer has gone."""
        _leave()


class Screen:
    """Writes lines to standard output: coloured and wrapped on a terminal, plain in a pipe.

    `wraps` wraps in a pipe too, for text that is read and not searched.
    """

    def __init__(self, *, wraps: bool = False) -> None:
        self._console = _Console(markup=False, highlight=False, soft_wrap=True, emoji=False)
        self._wraps = wraps or self._console.is_terminal

    def line(self, *parts: Part, indent: int = 4) -> None:
        """Write a line of parts. Where it is too long, it goes on below, indented so far."""
        text = Text()
        for part in parts:
            words, style = (part, "") if isinstance(part, str) else part
            text.append(literal(words), style=style)
        for number, piece in enumerate(self._pieces(text, indent)):
            piece.rstrip()
            self._console.print(Text(" " * indent if number else "") + piece)

    def heading(self, words: str) -> None:
        """Write a heading after an empty line."""
        self.line("")
        self.line((words, "bold"))

    def _pieces(self, text: Text, indent: int) -> Iterable[Text]:
        if not self._wraps:
            return [text]
        width = min(self._console.width, _WIDTH_MAX)
        return [
            piece
            for whole in text.split("\n", allow_blank=True)
            for piece in whole.divide(breaks(whole.plain, width=width, indent=indent))
        ]


def print_json(value: object) -> None:
    """Write one JSON value, with domain types as objects and their names as they are."""
    text = json.dumps(plain(value), ensure_ascii=False, indent=2)
    # Inside strings JSON may escape anything: what a terminal could act on is.
    print_text(_UNSAFE.sub(lambda found: json.dumps(found.group())[1:-1], text))


def print_text(text: str) -> None:
    """Write text as it is, and a line end."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _leave()


def notice(message: str) -> None:
    """Write a line to standard error, where there is one."""
    if sys.stderr is not None:
        sys.stderr.write(f"backstory: {literal(message)}\n")


def abandon_output() -> None:
    """Let what is still to be written go nowhere: Python flushes at its end, and complains."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _leave() -> None:
    abandon_output()
    raise typer.Exit(0)


def plain(value: object) -> object:
    """Return a value as JSON knows it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, set | frozenset):
        return sorted(str(plain(part)) for part in value)
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [plain(part) for part in value]
    return value


def day(at_ms: int) -> str:
    """Return a moment as a date, UTC."""
    try:
        return f"{datetime.fromtimestamp(at_ms / 1000, tz=UTC):%Y-%m-%d}"
    except (OverflowError, OSError, ValueError):  # a transcript may name any moment
        return f"{at_ms} ms"


def counted(count: int, one: str, *, many: str = "") -> str:
    """Return a count with its noun, such as "1 item" or "2 items"."""
    # Chinese has one form of a noun.
    return numbered(count, one if count == 1 and not is_chinese() else many or f"{one}s")


def numbered(count: int, words: str) -> str:
    """Return a count with what it is of, or what they are; Chinese has a word in between."""
    return said(f"# {words}").replace("#", f"{count:,}", 1)


def joined(words: Iterable[str]) -> str:
    """Return names as a list within a sentence."""
    return ("、" if is_chinese() else ", ").join(words)


def strung(words: Iterable[str]) -> str:
    """Return what is said of one thing, part by part."""
    return ("，" if is_chinese() else ", ").join(words)


def stopped(words: Iterable[str]) -> str:
    """Return words as a list whose members may hold lists themselves."""
    return ("；" if is_chinese() else "; ").join(words)


def bracketed(words: str) -> str:
    """Return words in brackets, as they stand behind something."""
    return f"（{words}）" if is_chinese() else f"({words})"


def sentence(words: str) -> str:
    """Return words as a sentence."""
    return f"{words}。" if is_chinese() else f"{words}."


def with_brackets(words: str, more: str) -> str:
    """Return words with more about them in brackets."""
    return f"{words}（{more}）" if is_chinese() else f"{words} ({more})"


def colon(words: str) -> str:
    """Return words that are followed by what they are about."""
    return f"{words}：" if is_chinese() else f"{words}: "


def marked(text: str, part: str, *, style: str) -> tuple[Part, Part, Part]:
    """Return a sentence with one part of it in a style."""
    before, found, after = text.partition(part)
    return before, (found, style), after


def padded(text: str, cells: int) -> str:
    """Return a text with spaces behind it, so that it fills a column; Chinese is twice as wide."""
    return text + " " * (cells - cell_len(text))


def label(word: str) -> str:
    """Return what begins a line of a report, as wide as all of them."""
    return padded(said(word), _LABEL_CELLS)
