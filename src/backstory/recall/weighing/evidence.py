"""Which entries earn a place, before anything ranks them. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from backstory.ports.store_rows import Match
from backstory.recall.weighing.needles import Needles
from backstory.segment.concepts import is_concept
from backstory.segment.fields import NAMES, TEXTS

# The share of what was asked that an entry must hold, by how much each word says in this
# store. Below it the entry is about something else. Tuned on labelled questions.
COVERED_MIN = 0.5
# A sentence of a long text was not meant as a question: it must be nearly all there, and be
# more than a word or two.
COVERED_IN_LONG_MIN = 0.6
SPECIFICS_IN_LONG_MIN = 2
# Where the time already tells entries apart, less has to be shared.
COVERED_IN_TIME_MIN = 0.3
# What an open todo is about is told by few words: the rest of the question asks for it.
COVERED_TODO_MIN = 0.35
# A name says what an entry is about, its text what it mentions, a path only where it lives.
_ONLY_TEXT = 0.85
_ONLY_PLACE = 0.5
# Another word that means the same is as good as the word itself where a second word bears it
# out, said or meant; alone it covers less.
_ALIKE_ALONE = 0.7
# So long a name was made of two words.
_LONG_NAME_WORDS = 2
_LONG_NAME_CHARS = 4


@dataclass(slots=True)
class Found:
    """One entry and what it holds of the question."""

    entry_id: str
    is_item: bool
    terms: dict[str, tuple[float, int]] = field(default_factory=dict)  # term: weight, fields
    covered: float = 0.0
    specifics: int = 0  # how many needles it answers that say something by themselves
    score: float = 0.0

    @property
    def is_specific(self) -> bool:
        """Whether it holds a word that says something by itself."""
        return self.specifics > 0

    def holds(self, term: str) -> bool:
        """Whether the entry holds a term."""
        return term in self.terms


def gather(matches: Iterable[Match]) -> dict[str, Found]:
    """Return the entries that a lookup found, with their terms."""
    found: dict[str, Found] = {}
    for entry_id, is_item, term, weight, fields in matches:
        entry = found.get(entry_id)
        if entry is None:
            entry = found[entry_id] = Found(entry_id, bool(is_item))
        entry.terms[term] = (weight, fields)
    return found


def weigh(entry: Found, needles: Needles) -> None:
    """Work out how much of the question an entry covers, and its score."""
    said: dict[int, float] = {}
    meant: dict[int, float] = {}
    score = 0.0
    for term, (weight, fields) in entry.terms.items():
        score += needles.values.get(term, 0.0) * weight
        place = _place_factor(term, fields)
        shares = meant if is_concept(term) else said
        for number, factor in needles.answered.get(term, ()):
            shares[number] = max(shares.get(number, 0.0), factor * place)
    likeness = 1.0 if _agree(entry, needles, said=said, meant=meant) else _ALIKE_ALONE
    held, specifics = 0.0, 0
    for number in said.keys() | meant.keys():
        needle = needles.needles[number]
        share = max(said.get(number, 0.0), meant.get(number, 0.0) * likeness)
        held += needle.info * share
        specifics += share >= 0.5 and not needle.is_generic
    entry.covered = held / needles.info if needles.info else 0.0
    entry.specifics = specifics
    entry.score = score


def _agree(
    entry: Found, needles: Needles, *, said: Mapping[int, float], meant: Mapping[int, float]
) -> bool:
    """Whether two words of the question agree on an entry, said or meant.

    A concept proves one word, and none where the entry says another word of it: "docker
    container" is only half proved by "docker". A name that means what several words do proves
    two: "single sign-on".
    """
    words, alike = _words(said, needles), _words(meant, needles)
    proved: set[str] = set()
    concepts = 0
    for term in filter(is_concept, entry.terms) if alike else ():
        means = {needles.needles[number].word for number, _ in needles.answered.get(term, ())}
        if means & alike and means.isdisjoint(words):
            proved |= means & alike
            concepts += 1
    by_name = any(_is_long_name(word, meant, needles=needles) for word in proved)
    return len(words) + min(len(proved), concepts) + by_name > 1


def _is_long_name(word: str, meant: Mapping[int, float], *, needles: Needles) -> bool:
    """Whether what several words mean together is all in a title, an alias or a keyword."""
    shares = [
        meant.get(number, 0.0)
        for number, needle in enumerate(needles.needles)
        if needle.word == word
    ]
    least = _LONG_NAME_WORDS if word.isascii() else _LONG_NAME_CHARS
    return len(shares) >= least and min(shares) > _ONLY_TEXT


def _words(shares: Mapping[int, float], needles: Needles) -> set[str]:
    """Return the words that say something by themselves and are answered by more than a place."""
    found = (needles.needles[number] for number, share in shares.items() if share > _ONLY_PLACE)
    return {needle.word for needle in found if not needle.is_generic}


def _place_factor(term: str, fields: int) -> float:
    if fields & NAMES or not term or term[0] in "/@#":
        return 1.0
    return _ONLY_TEXT if fields & TEXTS else _ONLY_PLACE


def is_in_names(entry: Found, needles: Needles) -> bool:
    """Whether every needle is answered in a title, an alias or a keyword."""
    return all(
        any(entry.terms.get(term, (0, 0))[1] & NAMES for term, _ in needle.answers)
        for needle in needles.needles
    )
