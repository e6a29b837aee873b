"""The terms of a text: what the index holds and a question asks for. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from backstory.segment.concepts import concepts_among, concepts_in
from backstory.segment.stems import AnyForm
from backstory.segment.tokens import Part, Run, Word, chunks, flat, stretches, token_of
from backstory.segment.wordlists import words

# A whole name longer than this is known by its beginning; who needs the rest compares the texts.
NAME_CHARS_MAX = 96

# Marks that stand around a name and are no part of it; "A*" and "C++" keep theirs.
_MARKS = "\"'`“”‘’«»「」『』()[]{}<>（）【】《》〈〉.,;:!?。，；：！？、…¿¡ "


class TermKind(StrEnum):
    """What a term is, told by its first character where it is not a word."""

    WORD = "word"  # a stem
    WHOLE = "whole"  # a name of several words, joined
    PAIR = "pair"  # two neighbouring characters of an unspaced script
    CONCEPT = "concept"  # what a word of the trade means in either language
    SINGLE = "single"  # one character of an unspaced script, in a class of its own


@dataclass(frozen=True, slots=True)
class Term:
    """One term, and the word that it came from as it was written, for spelling."""

    text: str
    kind: TermKind
    surface: str = ""


def terms(text: str) -> tuple[Term, ...]:
    """Return every term of a text in order, with repetitions; stop words are among them."""
    found: list[Term] = []
    for stretch in stretches(text):
        found += _terms_of_run(stretch) if isinstance(stretch, Run) else _terms_of_words(stretch)
    return tuple(found)


def _terms_of_run(run: Run) -> list[Term]:
    singles = [Term(single_term(c), TermKind.SINGLE) for c in run.text]
    meant = [Term(name, TermKind.CONCEPT) for _, _, name in concepts_in(run.text)]
    return [*(Term(pair, TermKind.PAIR) for pair in run.pairs), *meant, *singles]


def _terms_of_words(stretch: Sequence[Word]) -> list[Term]:
    found: list[Term] = []
    for word in stretch:
        found += [Term(whole, TermKind.WHOLE, whole) for whole in word.wholes]
        found += [Term(part.term, TermKind.WORD, part.surface) for part in word.parts]
    parts = [part for word in stretch for part in word.parts]
    return found + [Term(name, TermKind.CONCEPT) for _, _, name in concepts_among(parts)]


def single_term(character: str) -> str:
    """Return the term of a single character: no word begins with a plus sign."""
    return f"+{character}"


def name_term(name: str) -> str:
    """Return the term of a whole name (a title, an alias, a keyword), or "" for an empty one."""
    key = name_key(name)[:NAME_CHARS_MAX]
    return f"={key}" if key else ""


def name_key(name: str) -> str:
    """Return what two ways of writing one name share: no case, no marks around it."""
    plain = flat(name)
    return plain.strip(_MARKS) or plain


def is_stop_word(word: Word) -> bool:
    """Whether a word only serves grammar or courtesy."""
    return not word.wholes and word.parts[0].surface in words("stop_en")


def is_generic_word(part: Part) -> bool:
    """Whether a word says little about a subject, in any of its forms."""
    return part.surface in words("generic_en") or part.term in _generic()


@lru_cache(maxsize=1)
def _generic() -> AnyForm:
    return AnyForm(words("generic_en"))


def search_terms(text: str) -> tuple[str, ...]:
    """Return the terms of a text for full text: stems, joined names and pairs, no stop words.

    A run of one character stands for itself there: turns have no class of single characters. A
    picture is written as its number, because full text takes it for a mark between words.
    """
    found: list[str] = []
    for chunk in chunks(text):
        found += _search_terms_of(chunk)
    return tuple(found)


@lru_cache(maxsize=32_768)
def _search_terms_of(chunk: str) -> tuple[str, ...]:
    token = token_of(chunk)
    if isinstance(token, Run):
        return (f"u{ord(token.text):x}",) if token.is_picture else token.pairs or (token.text,)
    if token is None or is_stop_word(token):
        return ()
    return (*token.wholes, *(part.term for part in token.parts))
