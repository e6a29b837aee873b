"""The words by which an episode is known: its part of the project and the names in it. Pure."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from backstory.episodes.messages.parts import Message, bare_subject
from backstory.episodes.messages.prose import sentences
from backstory.segment.terms import is_generic_word, is_stop_word
from backstory.segment.tokens import Run, Word, tokens

KEYWORDS_MAX = 12
_FILES_MAX = 3
_WORD_CHARS_MIN = 3
# Lines of code and output in a message hold more names than anybody would ask for.
_NAMES_MAX = 5
_CODE_NAME = re.compile(
    r"\b(?:[A-Za-z]\w*?[A-Za-z0-9]_[A-Za-z0-9]\w*|[a-z]+[A-Z]\w+|[A-Z][a-z0-9]+[A-Z]\w+)\b",
    re.ASCII,
)


def keywords(message: Message, paths: Sequence[str]) -> tuple[str, ...]:
    """Return areas, names of code, a few files and the telling words of the subject, each once."""
    told = dict.fromkeys(_names("\n".join([message.subject, *sentences(message.body)])))
    named = [*message.areas, *list(told)[:_NAMES_MAX]]
    if len(paths) <= _FILES_MAX:
        named += [PurePosixPath(path).stem for path in paths]
    named += _words(bare_subject(message.subject))
    unique: dict[str, str] = {}
    for name in filter(str.strip, named):
        unique.setdefault(name.lower(), name)
    return tuple(unique.values())[:KEYWORDS_MAX]


def _names(text: str) -> Iterator[str]:
    """Yield what is written as code writes names: fooBar, foo_bar."""
    for found in _CODE_NAME.finditer(text):
        yield found[0]


def _words(text: str) -> Iterator[str]:
    for token in tokens(text):
        if isinstance(token, Run):
            yield token.text
        elif not _is_empty(token):
            yield token.surface


def _is_empty(word: Word) -> bool:
    if len(word.surface) < _WORD_CHARS_MIN or word.surface.isdigit() or is_stop_word(word):
        return True
    return all(is_generic_word(part) for part in word.parts)
