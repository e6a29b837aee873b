"""What sort of words a text is made of, in one vocabulary for both languages. Pure.

A few thousand labelled clauses hold most words too seldom to learn them one by one. "The nurses
are on shift at night" and "司机凌晨交班" share what their words are: people, a time. The classes
of `data/word_classes.toml` say it; words that are in none are passed over, so that two words
that belong together stand side by side whatever is between.
"""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from backstory.extract.weighing.tokens import HAN_NUMBER, NUMBER, stem, tokens_of

_HAN = re.compile(r"[\u3400-\u9fff]")
_HAN_WORD_MAX = 4  # characters
_BEGIN, _END = "^", "$"


@lru_cache(maxsize=2_048)
def class_runs_of(text: str, *, length_max: int) -> frozenset[str]:
    """Return the runs of classes in a folded text, and the pairs that leave one out (`a~b`)."""
    line = (_BEGIN, *classes_of(text), _END)
    found: set[str] = set()
    for start, first in enumerate(line):
        for length in range(1, length_max + 1):
            run = line[start : start + length]
            if len(run) == length and (length > 1 or first not in (_BEGIN, _END)):
                found.add(">".join(run))
        if length_max > 1 and start + 2 < len(line):
            found.add(f"{first}~{line[start + 2]}")
    return frozenset(found)


@lru_cache(maxsize=2_048)
def classes_of(text: str) -> tuple[str, ...]:
    """Return the classes of the words of a folded text, in their order."""
    tokens = tokens_of(text)
    found: list[str] = []
    place = 0
    while place < len(tokens):
        name, length = _class_at(tokens, place)
        if name:
            found.append(name)
        place += length
    return tuple(found)


def _class_at(tokens: tuple[str, ...], place: int) -> tuple[str, int]:
    """Return the class of the word that begins here ("" if it has none), and its length."""
    word, known = tokens[place], _classes()
    if _HAN.match(word):
        for length in range(min(_HAN_WORD_MAX, len(tokens) - place), 0, -1):
            name = known.get("".join(tokens[place : place + length]))
            if name:
                return name, length
        return "", 1
    if word == HAN_NUMBER:
        return NUMBER, 1
    is_name = word[0] == "<" and len(word) > 1
    return (word if is_name else known.get(word, "")), 1


@lru_cache(maxsize=1)
def _classes() -> dict[str, str]:
    """Return word or stem → class; the first class that lists a word has it."""
    source = files("backstory.extract").joinpath("data/word_classes.toml")
    known: dict[str, str] = {}
    for name, words in tomllib.loads(source.read_text(encoding="utf-8")).items():
        for word in words:
            known.setdefault(word, name)
            if word[0].isascii():
                known.setdefault(stem(word), name)
    return known
