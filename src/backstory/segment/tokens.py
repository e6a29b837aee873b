"""Text into words and runs: what stands in it, before anything is looked up. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from backstory.segment.stems import stem
from backstory.segment.wordlists import pairs

# Longer words are cut, in the index and in a question: hashes and keys still find themselves.
WORD_CHARS_MAX = 64

# Scripts written without blanks between words. A run never mixes two of them.
_HAN = r"\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = r"\u3041-\u309f"
_KATAKANA = r"\u30a0-\u30ff\u31f0-\u31ff"
_HANGUL = r"\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff"
# Symbols, dingbats and the blocks of emoji (Unicode, emoji-data.txt); each stands for itself.
_PICTURES = r"\u2600-\u27bf\U0001f000-\U0001faff"
_UNSPACED = _HAN + _HIRAGANA + _KATAKANA + _HANGUL
_LETTER = rf"(?:[^\W{_UNSPACED}])"
# What most texts are: the same words, from a pattern that is made in no time.
_ASCII_CHUNK = re.compile(r"(?P<run>(?!))|(?P<word>\w+(?:['.\-]\w+)*)", re.ASCII)
_APOSTROPHE = re.compile(r"['’](?:s$)?")
# fooBar, HTTPServer, utf8, 2024q1: where a name of several words is joined.
_JOINT = re.compile(
    r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Control characters and halves of surrogate pairs: nothing that a person wrote, and not printable.
_UNWRITTEN = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u2060\ufeff\ud800-\udfff]"


@dataclass(frozen=True, slots=True)
class Part:
    """A plain word: as written (in lower case) and the term it is indexed by."""

    surface: str
    term: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or a name made of several: `wholes` are its joined forms, longest first."""

    surface: str
    parts: tuple[Part, ...]
    wholes: tuple[str, ...] = ()
    is_code: bool = False  # written as code writes names: fooBar or foo_bar


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one script that is written without blanks, or one picture."""

    text: str

    @property
    def is_picture(self) -> bool:
        """Whether it is a symbol or an emoji."""
        return _picture().match(self.text) is not None

    @property
    def pairs(self) -> tuple[str, ...]:
        """The overlapping pairs of its characters; a lone character has none."""
        return tuple(self.text[i : i + 2] for i in range(len(self.text) - 1))


Token = Word | Run


def normalise(text: str) -> str:
    """Return the text in one width and one script variant, without what nobody wrote."""
    if not text.isascii():
        text = _of_one_width(text)
        text = _regional().sub(lambda found: pairs("variants_zh")[found[0]], text)
    return text if text.isprintable() else re.sub(_UNWRITTEN, "", text)


def _of_one_width(text: str) -> str:
    import unicodedata  # noqa: PLC0415 - not for a prompt of plain letters

    from backstory.capture.folding import fold  # noqa: PLC0415 - as above

    return fold(unicodedata.normalize("NFKC", text), lower=False)


def flat(text: str) -> str:
    """Return normalised text in lower case with single blanks: equal for equal names."""
    return " ".join(normalise(text).lower().split())


def tokens(text: str) -> tuple[Token, ...]:
    """Return the words and runs of a text, in order."""
    found = (token_of(chunk) for chunk in chunks(text))
    return tuple(token for token in found if token is not None)


def stretches(text: str) -> Iterator[Run | list[Word]]:
    """Yield the runs of a text, and the words that stand one after another in a line."""
    for line in text.split("\n"):
        words: list[Word] = []
        for token in tokens(line):
            if isinstance(token, Word):
                words.append(token)
                continue
            if words:
                yield words
                words = []
            yield token
        if words:
            yield words


def chunks(text: str) -> list[str]:
    """Return what is written in one in a text, in order: the runs, and what may be words."""
    text = normalise(text)
    pattern = _ASCII_CHUNK if text.isascii() else _chunk()
    return [run or word for run, word in pattern.findall(text)]


def token_of(chunk: str) -> Token | None:
    """Return the word or run that a chunk of a text is, or None for marks alone."""
    if not chunk.isascii() and _run().match(chunk):
        return Run(chunk)
    word = _word(chunk)
    return word if word.surface else None


@lru_cache(maxsize=1)
def _chunk() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<run>[{_HAN}]+|[{_HIRAGANA}]+|[{_KATAKANA}]+|[{_HANGUL}]+|[{_PICTURES}])"
        rf"|(?P<word>{_LETTER}+(?:['’.\-]{_LETTER}+)*)"
    )


@lru_cache(maxsize=1)
def _run() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}{_PICTURES}]")


@lru_cache(maxsize=1)
def _picture() -> re.Pattern[str]:
    return re.compile(rf"[{_PICTURES}]")


@lru_cache(maxsize=16_384)
def _word(chunk: str) -> Word:
    chunk = _APOSTROPHE.sub("", chunk)[:WORD_CHARS_MAX]
    names = [name for name in chunk.split(".") if name.strip("_-")]
    parts: list[Part] = []
    wholes: list[str] = [] if len(names) < 2 else [".".join(map(_joined, names))]
    for name in names:
        pieces = _pieces(name)
        parts += [Part(piece, stem(piece)) for piece in pieces]
        if len(pieces) > 1:
            wholes.append(_joined(name))
        if _CAMEL.search(name) and name.isalnum():
            # "PostgreSQL" is typed as "postgresql" as well: one word to whoever asks.
            wholes.append(stem(name.lower()))
    surface = wholes[0] if wholes else parts[0].surface if parts else ""
    is_code = len(parts) > 1 and ("_" in chunk or _CAMEL.search(chunk) is not None)
    return Word(surface, tuple(parts), tuple(dict.fromkeys(wholes)), is_code)


def _pieces(name: str) -> list[str]:
    spaced = _JOINT.sub(" ", name).replace("_", " ").replace("-", " ")
    return spaced.lower().split()


def _joined(name: str) -> str:
    """Return one spelling for `rateLimiter`, `rate_limiter` and `rate-limiter`."""
    spaced = _CAMEL.sub(" ", name).replace("_", " ").replace("-", " ")
    return "_".join(spaced.lower().split())


@lru_cache(maxsize=1)
def _regional() -> re.Pattern[str]:
    longest_first = sorted(pairs("variants_zh"), key=lambda word: (-len(word), word))
    return re.compile("|".join(longest_first))
