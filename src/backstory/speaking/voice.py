"""The language that this program speaks, and saying a sentence in it."""

from functools import cache

from backstory.model.words import Language
from backstory.speaking.book import Book, read_book

_HELP = ("help",)
# What is said at the place that prints it, and what the layers below had said in English.
_PRINTED = ("words", "screens")
_PASSED_ON = ("words", "errors", "reasons", "notices")


class _Voice:
    """English until something else is chosen, by whoever starts the program."""

    language = Language.ENGLISH


def speak(language: Language) -> None:
    """Say everything from now on in this language."""
    _Voice.language = language


def is_chinese() -> bool:
    """Whether Chinese is spoken."""
    return _Voice.language is Language.CHINESE


def said(text: str) -> str:
    """Return a finished English sentence of the command line in the language that is spoken.

    What has no entry in the book stays English. Words from outside are never handed to this by
    themselves; inside of a sentence they stay as they are.
    """
    return _book(_PRINTED).said(text) if is_chinese() else text


def explained(text: str) -> str:
    """Return a sentence of a command's help in the language that is spoken."""
    return _book(_HELP).said(text) if is_chinese() else text


def retold(text: str) -> str:
    """Return what a layer below wrote in English, such as an error or why nothing was found.

    Several sentences may be joined by "; ".
    """
    return _book(_PASSED_ON).said_in_parts(text) if is_chinese() else text


@cache
def _book(parts: tuple[str, ...]) -> Book:
    """Return some parts of the book, read once and for Chinese only."""
    return Book(entry for part in parts for entry in read_book(part))
