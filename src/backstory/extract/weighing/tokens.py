"""A folded text as words, and the runs of words in it. Pure.

Names of tools, paths, identifiers and numbers are replaced by what they are, so that "we use
Postgres" and "we use Kafka" weigh the same; English words stand as their stems, Chinese as
single characters.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import snowballstemmer

from backstory.extract.language.lexicon import lexicon

NUMBER, HAN_NUMBER = "<number>", "#"  # what stands for a number, in digits and in Han
_TEXT_CHARS_MAX = 800

_PATH = re.compile(
    r"[\w.-]*[/\\][\w./\\*-]+"
    r"|\b[\w-]+\.(?:py|ts|js|md|json|ya?ml|toml|go|rs|java|sql|sh|txt|csv|lock)\b"
)
_NAME = re.compile(r"`[^`]*`|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+-[a-z]+-[a-z-]+\b|--[a-z][\w-]*")
_NUMERALS = re.compile(r"\d+(?:[.,:]\d+)*")
_HAN_NUMERALS = re.compile(
    r"[一二三四五六七八九十百两]+(?=[个条次天年月周份遍位名台行章人小分秒节])"
)
_TOKEN = re.compile(r"<[a-z]+>|[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]|[^\s\w]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_BEGIN, _END = "^", "$"


@lru_cache(maxsize=2_048)
def tokens_of(text: str) -> tuple[str, ...]:
    """Return the words of a folded text in their order; of a very long one, of its beginning."""
    return tuple(_tokens(text[:_TEXT_CHARS_MAX]))


@lru_cache(maxsize=2_048)
def runs_of(text: str, *, words_max: int, han_max: int) -> frozenset[str]:
    """Return the runs of words in a folded text, up to so many words or Han characters long."""
    tokens = [_BEGIN, *tokens_of(text), _END]
    found: set[str] = set()
    for start in range(len(tokens)):
        for length in range(1, han_max + 1):
            run = tokens[start : start + length]
            if len(run) < length or (length > words_max and not _is_han(run)):
                break
            if length > 1 or run[0] not in (_BEGIN, _END):
                found.add(" ".join(run))
    return frozenset(found)


def _tokens(text: str) -> Iterator[str]:
    plain = _PATH.sub(" <path> ", text)
    plain = _NAME.sub(" <name> ", plain)
    plain = lexicon().pattern("tech").sub(" <tech> ", plain)
    plain = _HAN_NUMERALS.sub(HAN_NUMBER, _NUMERALS.sub(f" {NUMBER} ", plain))
    for token in _TOKEN.findall(plain):
        yield stem(token) if token[0].isascii() and token[0].isalpha() else token


@lru_cache(maxsize=8_192)
def stem(word: str) -> str:
    """Return the stem of an English word."""
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


def _is_han(run: list[str]) -> bool:
    return all(token in (_BEGIN, _END) or _HAN.match(token) for token in run)
