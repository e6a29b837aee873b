"""Concepts: what words of one meaning share, in English and in Chinese. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import eq

from backstory.segment.stems import stem
from backstory.segment.tokens import Part
from backstory.segment.wordlists import text_of, words

# The list is read as it is written by `scripts/concepts`: for each language a line for each
# beginning of its words, which is two letters or one Chinese character.
_BEGINNING_CHARS = 2
# Where a stem does not stand in its words: "tri" in "try", "rate" in "rating", "usabl".
_CHANGED = ("i", "e", "bl")
# The longest Chinese word of the list.
_CHARS_MAX = 8

# Where a concept stands among words or characters, from its start up to its end, and its term:
# no word begins with an ampersand.
Meaning = tuple[int, int, str]

_Names = tuple[str, ...]


def is_concept(term: str) -> bool:
    """Whether a term is that of a concept."""
    return term[:1] == "&"


def concepts_among(parts: Sequence[Part]) -> tuple[Meaning, ...]:
    """Return the concepts of English words that stand one after another.

    Several words together mean what the list says of all of them, and what each of them means:
    a connection pool has to do with connections. With a word of grammar among them they mean
    only what they mean together: "log in" has nothing to do with logs.
    """
    found: list[Meaning] = []
    taken = 0  # the words before it have no meaning of their own
    for start, part in enumerate(parts):
        is_grammar = _is_grammar(part)
        if is_grammar and start + 1 == len(parts):
            break
        single, phrases = _listed(part.surface, part.term)
        together = [
            (start, start + 1 + len(others), name)
            for others, names in phrases
            if _follow(parts[start + 1 : start + 1 + len(others)], others)
            for name in names
        ]
        with_grammar = [end for _, end, _ in together if any(map(_is_grammar, parts[start:end]))]
        taken = max(taken, *with_grammar, 0)
        found += together
        if start >= taken and not is_grammar:
            found += [(start, start + 1, name) for name in single]
    return tuple(found)


def concepts_in(run: str) -> tuple[Meaning, ...]:
    """Return the concepts in a run of Chinese characters.

    From the left, the longest word is taken, and what it begins and ends with means something
    too: there is a connection in a connection pool.
    """
    found: list[Meaning] = []
    start = 0
    while start < len(run) - 1:
        beginning = [(start, end, name) for end, name in _beginning_at(run, start)]
        end = max((end for _, end, _ in beginning), default=start + 1)
        found += beginning
        for inner in range(start + 1, end - 1):
            found += [
                (inner, end, name) for last, name in _beginning_at(run, inner) if last == end
            ]
        start = end
    return tuple(found)


def _beginning_at(run: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield the words of the list that begin at a character: their ends and what they mean."""
    listed = _beginning_with(run[start])
    if listed:
        for end in range(start + 2, min(start + _CHARS_MAX, len(run)) + 1):
            for name in listed.get(run[start:end], ()):
                yield end, name


def spread(meanings: Iterable[Meaning], length: int) -> list[tuple[int, int, tuple[str, ...]]]:
    """Return for each position where the widest word that covers it stands, and its concepts.

    A position without concepts is a word of its own.
    """
    found: list[tuple[int, int, tuple[str, ...]]] = [(at, at + 1, ()) for at in range(length)]
    for start, end, name in meanings:
        for position in range(start, end):
            first, last, names = found[position]
            if end - start > last - first:
                first, last = start, end
            found[position] = (first, last, names if name in names else (*names, name))
    return found


def _is_grammar(part: Part) -> bool:
    return part.surface in words("stop_en")


def _follow(parts: Sequence[Part], others: Sequence[str]) -> bool:
    return len(parts) == len(others) and all(
        part.surface == other or part.term == stem(other)
        for part, other in zip(parts, others, strict=True)
    )


_Phrases = tuple[tuple[tuple[str, ...], _Names], ...]


@lru_cache(maxsize=16_384)
def _listed(surface: str, stemmed: str) -> tuple[_Names, _Phrases]:
    """Return what a word means by itself, and the words that may follow it, with a meaning."""
    alone: dict[str, _Names] = {}
    before: dict[tuple[str, ...], _Names] = {}
    for word, names in _beginning_like(surface, stemmed):
        first, *others = word.split("_")
        if stem(first) != stemmed and not (others and first == surface):
            continue
        if others:
            before[tuple(others)] = (*before.get(tuple(others), ()), *names)
        else:
            alone[word] = names
    found = (name for word in _forms(surface, list(alone)) for name in alone[word])
    return tuple(dict.fromkeys(found)), tuple(before.items())


def _beginning_like(surface: str, stemmed: str) -> Iterator[tuple[str, _Names]]:
    """Yield what may be a form of a word, or several words of which the first may be one."""
    heads = (surface, stemmed, stemmed[:-1] if stemmed.endswith(_CHANGED) else stemmed)
    for beginning in dict.fromkeys(head[:_BEGINNING_CHARS] for head in heads[:2]):
        listed = _beginning_with(beginning)
        yield from ((word, names) for word, names in listed.items() if word.startswith(heads))


def _forms(surface: str, listed: Sequence[str]) -> Sequence[str]:
    """Return of the words with its stem those that a word is a form of.

    Words of different meaning may share a stem ("customs" and "customers"): the word itself
    comes first, then the shortest that shares most letters with it. A plural may mean a thing
    of its own.
    """
    if surface in listed:
        return (surface,)
    shared = {
        word: sum(map(eq, accumulate(word), accumulate(surface)))
        for word in listed
        if word != f"{surface}s"
    }
    best = max(((count, -len(word)) for word, count in shared.items()), default=None)
    return [word for word, count in shared.items() if (count, -len(word)) == best]


@lru_cache(maxsize=4_096)
def _beginning_with(beginning: str) -> dict[str, _Names]:
    """Return the words of the list with one beginning: a question pays for its own words."""
    text = _by_beginning("en" if beginning.isascii() else "zh")
    start = text.find(f"\n{beginning} ")
    if start < 0:
        return {}
    entries = text[start + len(beginning) + 2 : text.index("\n", start + 1)].split()
    pairs = (entry.split("=") for entry in entries)
    return {word: tuple(f"&{name}" for name in names.split(",")) for word, names in pairs}


@lru_cache(maxsize=2)
def _by_beginning(language: str) -> str:
    return text_of(f"concepts_{language}")
