"""The tables of words: each tag names what a phrase does, with its Chinese and English forms."""

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

_TABLES = ("scope", "acts", "domains", "moods", "dialogue")
_WORD = re.compile(r"[a-z']{5,12}")
_LATIN = re.compile(r"[a-z][a-z0-9 ._-]*(?:\\b)?")
# English phrases begin and end at word bounds; Chinese has none.
_BOUND_LEFT = r"(?<![a-z0-9_])"
_BOUND_RIGHT = r"(?:(?![a-z0-9_])|(?<= ))"


class Lexicon:
    """Compiled tags. Patterns are matched on folded text (see `capture.folding`)."""

    def __init__(self, tables: dict[str, dict[str, list[str]]], typos: dict[str, str]) -> None:
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._sources = tables
        self._typos = typos

    def tags(self) -> tuple[str, ...]:
        """Return the name of every tag."""
        return tuple(sorted(self._sources))

    def pattern(self, tag: str) -> re.Pattern[str]:
        """Return the compiled pattern of a tag. Raises KeyError for a tag that no table has."""
        if tag not in self._patterns:
            self._patterns[tag] = re.compile(self._source(tag))
        return self._patterns[tag]

    def has(self, tag: str, plain: str) -> bool:
        """Whether the text holds a phrase of the tag."""
        return self.pattern(tag).search(plain) is not None

    def find(self, tag: str, plain: str) -> re.Match[str] | None:
        """Return the first phrase of the tag in the text."""
        return self.pattern(tag).search(plain)

    def finditer(self, tag: str, text: str, *, span: tuple[int, int]) -> Iterator[re.Match[str]]:
        """Return every phrase of the tag in a part of the text."""
        return self.pattern(tag).finditer(text, *span)

    def undo_typos(self, plain: str) -> str:
        """Return the text with mistyped signal words put right."""
        return _WORD.sub(lambda match: self._typos.get(match.group(), match.group()), plain)

    def _source(self, tag: str) -> str:
        table = self._sources[tag]
        parts = list(table.get("any", ()))
        parts += [_bounded(self._expanded(part)) for part in table.get("zh", ())]
        if table.get("en"):
            english = "|".join(self._expanded(part) for part in table["en"])
            parts.append(f"{_BOUND_LEFT}(?:{english}){_BOUND_RIGHT}")
        return "|".join(parts)

    def _expanded(self, part: str) -> str:
        """Replace `{tag}` by that tag's own phrases, so that a table can build on another."""
        return re.sub(r"\{([a-z_]+)\}", lambda m: f"(?:{self._words(m.group(1))})", part)

    def _words(self, tag: str) -> str:
        table = self._sources[tag]
        parts = [*table.get("any", ()), *table.get("zh", ()), *table.get("en", ())]
        return "|".join(self._expanded(part) for part in parts)


def _bounded(part: str) -> str:
    """Bind a Latin word of a Chinese table at its ends, so that "log" is not seen in "logic"."""
    return f"(?<![a-z]){part}(?![a-z])" if _LATIN.fullmatch(part) else part


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the tables, read once."""
    tables: dict[str, dict[str, list[str]]] = {}
    for name in _TABLES:
        for tag, table in _read(name).items():
            if tag in tables:
                raise ValueError(f"the tag {tag} is in two tables")
            tables[tag] = table
    return Lexicon(tables, _typos_of(_read("typos")))


def _read(name: str) -> dict[str, dict[str, list[str]]]:
    source = files("backstory.extract").joinpath(f"data/{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _typos_of(table: dict[str, dict[str, list[str]]]) -> dict[str, str]:
    """Return every slip of one finger in the signal words, and the word that was meant."""
    words = table["signal_words"]["en"]
    real = {*table["real_words"]["en"], *words}
    typos: dict[str, str] = {}
    for word in words:
        for slip in _slips(word):
            if slip not in real:
                typos.setdefault(slip, word)
    return typos


def _slips(word: str) -> set[str]:
    swapped = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
    dropped = {word[:i] + word[i + 1 :] for i in range(1, len(word))} if len(word) > 5 else set()
    doubled = {word[:i] + word[i] + word[i:] for i in range(len(word))}
    vowels = {
        word[:i] + vowel + word[i + 1 :]
        for i, letter in enumerate(word)
        if len(word) > 7 and letter in "aeiou"
        for vowel in "aeiou"
    }
    return (swapped | dropped | doubled | vowels) - {word}
