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
# What may stand between several sentences.
_LISTS = (("; ", "；"), (", ", "、"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One sentence in both languages, with the same holes."""

    english: str
    chinese: str

    @property
    def pieces(self) -> tuple[str, ...]:
        """The English around the holes; one piece where there are none."""
        return tuple(_HOLE.split(self.english)[::3])


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A text in Chinese, and how many characters of its English are the book's own."""

    text: str
    known: int


class Book:
    """Entries, found by the form of an English sentence."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._exact: dict[str, str] = {}
        self._forms: list[tuple[tuple[str, ...], Entry]] = []
        for entry in entries:
            pieces = entry.pieces
            if len(pieces) == 1:
                self._exact[entry.english] = entry.chinese
            else:
                self._forms.append((pieces, entry))

    def said(self, text: str) -> str:
        """Return an English sentence in Chinese, or as it is where no entry fits.

        Of several that fit, the one is taken that knows most of it. Where that can be taken apart
        in more than one way the text stays English, too: what stands in the holes could be cut in
        the wrong place.
        """
        return self._sentence(text).text

    def said_in_parts(self, text: str) -> str:
        """Return a sentence in Chinese, or a list of such sentences; otherwise as it is.

        What stands before a colon may be a name: it stays as it is.
        """
        return self._parts(text).text

    def _sentence(self, text: str) -> Spoken:
        if text in self._exact:
            return Spoken(text=self._exact[text], known=len(text))
        best = Spoken(text=text, known=0)
        for pieces, entry in self._forms:
            held = held_by(pieces, text)
            if held is not None:
                found = self._filled(entry, held, text=text)
                best = max(best, found, key=lambda spoken: spoken.known)
        return best

    def _filled(self, entry: Entry, held: tuple[str, ...], *, text: str) -> Spoken:
        known = sum(map(len, entry.pieces))
        if not held:
            return Spoken(text=text, known=known)
        words = list(held)
        for number in (int(hole[1]) - 1 for hole in _HOLE.finditer(entry.chinese) if hole[2]):
            inner = self._parts(held[number])
            words[number] = inner.text
            known += inner.known
        told = _HOLE.sub(lambda hole: words[int(hole[1]) - 1], entry.chinese)
        return Spoken(text=told, known=known)

    def _parts(self, text: str) -> Spoken:
        found = [self._sentence(text)]
        for separator, mark in _LISTS:
            if separator not in text:
                continue
            parts = text.split(separator)
            spoken = [self._sentence(part) for part in parts]
            if all(one.text != part for one, part in zip(spoken, parts, strict=True)):
                told = mark.join(one.text for one in spoken)
                found.append(Spoken(text=told, known=sum(one.known for one in spoken)))
        name, colon, rest = text.partition(": ")
        inner = self._parts(rest) if colon else Spoken(text=rest, known=0)
        if inner.text != rest:
            found.append(Spoken(text=f"{name}：{inner.text}", known=inner.known))
        return max(found, key=lambda spoken: spoken.known)


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
