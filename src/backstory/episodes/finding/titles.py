"""The tickets that a question means by what they are called. Pure."""

from collections.abc import Mapping, Set

from backstory.episodes.finding.asking import Asked
from backstory.segment.terms import search_terms

# One word in common is chance; so many, and half of what is asked for, are not.
WORDS_MIN = 2
_SHARE_MIN = 0.5
_TICKETS_MAX = 3
# A stem may end otherwise than the word ("polici", "policy"): the end is left out.
_WHOLE_CHARS_MAX = 4


def parts_of(words: Set[str]) -> tuple[str, ...]:
    """Return what a title that holds these terms is written with, whatever their endings."""
    cut = {
        term[:-1] if term.isascii() and len(term) > _WHOLE_CHARS_MAX else term for term in words
    }
    return tuple(sorted(cut))


def meant(asked: Asked, titles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the tickets whose titles say what is asked for, three at the most, best first."""
    whole = sum(asked.words.values())
    shares: dict[str, float] = {}
    for ticket, title in titles.items():
        shared = asked.words.keys() & set(search_terms(title))
        share = sum(asked.words[term] for term in shared)
        if len(shared) >= WORDS_MIN and share >= _SHARE_MIN * whole:
            shares[ticket] = share
    return tuple(sorted(shares, key=lambda ticket: (-shares[ticket], ticket))[:_TICKETS_MAX])
