"""The terms of a text: what the index holds and a question asks for. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from backstory.segment.tokens import Run, Token, Word, flat, tokens
from backstory.segment.wordlists import words

# A whole name longer than this is known by its beginning; who needs the rest compares the texts.
NAME_CHARS_MAX = 96


class TermKind(StrEnum):
    """What a term is, told by its first character where it is not a word."""

    WORD = "word"  # a stem
    WHOLE = "whole"  # a name of several words, joined
    PAIR = "pair"  # two neighbouring characters of an unspaced script
    SINGLE = "single"  # one character of an unspaced script, in a class of its own


@dataclass(frozen=True, slots=True)
class Term:
    """One term, and the word that it came from as it was written, for spelling."""

    text: str
    kind: TermKind
    surface: str = ""


def terms(text: str) -> tuple[Term, ...]:
    """Return every term of a text in order, with repetitions; stop words are among them."""
    return tuple(term for token in tokens(text) for term in terms_of(token))


def terms_of(token: Token) -> list[Term]:
    """Return the terms of one token."""
    if isinstance(token, Run):
        singles = [Term(single_term(c), TermKind.SINGLE) for c in token.text]
        return [*(Term(pair, TermKind.PAIR) for pair in token.pairs), *singles]
    wholes = [Term(whole, TermKind.WHOLE, whole) for whole in token.wholes]
    return [*wholes, *(Term(part.term, TermKind.WORD, part.surface) for part in token.parts)]


def single_term(character: str) -> str:
    """Return the term of a single character: no word begins with a plus sign."""
    return f"+{character}"


def name_term(name: str) -> str:
    """Return the term of a whole name (a title, an alias, a keyword), or "" for an empty one."""
    key = flat(name)[:NAME_CHARS_MAX]
    return f"={key}" if key else ""


def is_stop_word(word: Word) -> bool:
    """Whether a word only serves grammar or courtesy."""
    return not word.wholes and word.parts[0].surface in words("stop_en")


def search_terms(text: str) -> tuple[str, ...]:
    """Return the terms of a text for full text over turns: stems, joined names and pairs, no stop words.

    A run of one character stands for itself there: turns have no class of single characters.
    """
    found: list[str] = []
    for token in tokens(text):
        if isinstance(token, Run):
            found += token.pairs or (token.text,)
        elif not is_stop_word(token):
            found += [*token.wholes, *(part.term for part in token.parts)]
    return tuple(found)
