"""The book of sentences: how what is written in English is said in Chinese.

Each part is a text file of pairs: a line of English, a line of Chinese, an empty line. Holes are
numbered in the order of the English: `{1}`. A Chinese hole may ask that what stands in it is
said in Chinese, too, where it is a sentence of ours: `{2:said}`. A line that begins with `#!` is
a comment.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from backstory.capture.packaged import packaged_text
from backstory.speaking.matching import held_by

_HOLE = re.compile(r"\{(\d+)(:said)?\}")
_COMMENT = "#!"
# One sentence, or several with this between them.
_LISTS = (("", ""), ("; ", "；"), (", ", "、"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One sentence in both languages, with the same holes."""

    english: str
    chinese: str

    @property
    def pieces(self) -> tuple[str, ...]:
        """The English around the holes; one piece where there are none."""
        return tuple(_HOLE.split(self.english)[::3])

    def filled(self, held: tuple[str, ...], book: "Book") -> str:
        """Return the Chinese with what its holes held in the English."""

        def hold(hole: re.Match[str]) -> str:
            text = held[int(hole[1]) - 1]
            return book.said_in_parts(text) if hole[2] else text

        return _HOLE.sub(hold, self.chinese)


class Book:
    """Entries, found by the form of an English sentence."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._exact: dict[str, Entry] = {}
        forms: list[tuple[tuple[str, ...], Entry]] = []
        for entry in entries:
            pieces = entry.pieces
            if len(pieces) == 1:
                self._exact[entry.english] = entry
            else:
                forms.append((pieces, entry))
        # What says more by itself is the better match.
        self._forms = sorted(forms, key=lambda form: -sum(map(len, form[0])))

    def said(self, text: str) -> str:
        """Return an English sentence in Chinese, or as it is where no entry fits.

        Where it can be taken apart in more than one way it stays English, too: what stands in
        the holes could be cut in the wrong place.
        """
        if text in self._exact:
            return self._exact[text].chinese
        for pieces, entry in self._forms:
            held = held_by(pieces, text)
            if held is not None:
                return entry.filled(held, self) if held else text
        return text

    def said_in_parts(self, text: str) -> str:
        """Return a sentence in Chinese, or a list of such sentences; otherwise as it is.

        What stands before a colon may be a name: it stays as it is.
        """
        for separator, mark in _LISTS:
            parts = text.split(separator) if separator else [text]
            spoken = [self.said(part) for part in parts]
            if all(one != part for one, part in zip(spoken, parts, strict=True)):
                return mark.join(spoken)
        name, colon, rest = text.partition(": ")
        told = self.said_in_parts(rest) if colon else rest
        return f"{name}：{told}" if told != rest else text


def read_book(part: str) -> Iterator[Entry]:
    """Yield the entries of one part, in their order."""
    assert __spec__ is not None  # it was imported
    text = packaged_text(__spec__, f"data/{part}.txt")
    lines = (line for line in text.splitlines() if not line.startswith(_COMMENT))
    for pair in "\n".join(lines).split("\n\n"):
        if pair.strip():
            english, chinese = pair.strip("\n").split("\n")
            yield Entry(english=english, chinese=chinese)


__all__ = ["Book", "Entry", "read_book"]
