"""Which earlier episodes matter for what is asked: candidates, evidence and order. Pure.

An episode must share something with what is asked; how near it is only orders what does.
The weights are one setting for every project: they were fitted as a conditional logit
(softmax over the candidates of a question) on the references that commit messages of curl,
git, mpv and redis make to earlier commits, and rounded. What differs between projects, their
words, files and how far back they refer, is read from the store.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from heapq import nlargest
from math import log

from backstory.episodes.finding.asking import Asked
from backstory.episodes.finding.distances import Distances
from backstory.episodes.finding.words import PathWords, rarity
from backstory.ports.story import Entry, Shelf, Story

# Bounds of the work for one question. Rare words and rare paths come first.
WORDS_MAX = 48
WORD_POSTINGS_MAX = 4_000
PATHS_MAX = 40
PATH_POSTINGS_MAX = 2_000
POSTINGS_PER_KEY_MAX = 500
COMPARED_MAX = 100
LINKED_MAX = 50
# The words of more paths than these say nothing about one of them.
_SPELT_PATHS_MAX = 30

_WORDS = 5.5
_PATHS = 3.0
_PATH_WORDS = 1.2
_TITLE = 4.5
_DISTANCE = 0.65
_NAMED_BY = 2.3

# A title of fewer terms may stand in a text by accident.
_TITLE_TERMS_MIN = 3
# Episodes of the branch or ticket at hand that are compared: the newest ones.
_ANCHORED_MAX = 40
# A word that more than one episode in twenty holds finds nothing by itself.
_COMMON_SHARE = 0.05
_ANCHOR = 4.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An episode that earned its place, and what each comparison gave it."""

    number: int
    score: float  # comparable within one answer only
    parts: Mapping[str, float]
    words: tuple[str, ...]  # the shared ones, weightiest first
    paths: tuple[str, ...]  # the shared ones


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rarities:
    """What each shared word or path would tell, rarest first."""

    words: dict[str, float]
    asked_words: dict[str, float]  # the same times the weight in the question
    paths: dict[str, float]
    spelt: PathWords  # the words, where they stand in paths
    whole: float  # what all words asked for would tell together, unknown ones too
    least: int  # shared words that make evidence
    share_min: float  # and what they must tell of the whole


@dataclass(frozen=True, slots=True, kw_only=True)
class _Comparison:
    """What one episode shares with what is asked, in sums of rarity."""

    entry: Entry
    shared_words: Set[str]
    shared_paths: Set[str]
    words: float
    paths: float
    path_words: float
    is_quoted: bool
    is_anchored: bool  # it belongs to the ticket, branch or commit asked for


def find(
    asked: Asked, shelf: Shelf, *, limit: int, anchored: Set[int] = frozenset()
) -> tuple[Found, ...]:
    """Return the episodes that matter most, best first; none where nothing is shared.

    `anchored` are those of the ticket, branch or commits asked for.
    """
    rarities = _rarities(asked, shelf)
    distances = Distances(shelf.distances())
    numbers = [*anchored, *_candidates(rarities, shelf, distances=distances)]
    entries = _with_linked(list(dict.fromkeys(numbers)), shelf)
    compared = [_compare(entry, asked, rarities=rarities, anchored=anchored) for entry in entries]
    ordered = _ordered(compared, rarities, now=shelf.now(), distances=distances)
    return tuple(_found(one, parts, rarities=rarities) for one, parts in ordered[:limit])


def anchors(asked: Asked, story: Story) -> Set[int]:
    """Return the newest episodes of the tickets, the branch and the commits asked for."""
    found = {n for ticket in asked.tickets for n in story.with_ticket(ticket, _ANCHORED_MAX)}
    if asked.branch:
        found.update(story.of_branch(asked.branch, _ANCHORED_MAX))
    if asked.hashes:
        found.update(story.numbers(asked.hashes).values())
    return found


def _rarities(asked: Asked, shelf: Shelf) -> _Rarities:
    size = shelf.size()
    counts = {**shelf.word_counts(list(asked.words))}
    rarest = sorted(counts, key=lambda term: (counts[term], term))[:WORDS_MAX]
    words = {term: rarity(counts[term], size) for term in rarest}
    path_counts = shelf.path_counts(asked.paths)
    paths = sorted(path_counts, key=lambda path: (path_counts[path], path))[:PATHS_MAX]
    asked_words = {term: value * asked.words[term] for term, value in words.items()}
    return _Rarities(
        words=words,
        asked_words=asked_words,
        whole=sum(asked_words.values()) + _unmet(asked, counts, size=size),
        least=1 if _is_telling_alone(asked, counts, size=size) else 2,
        share_min=asked.share_min,
        paths={path: log(1 + size / path_counts[path]) for path in paths},
        spelt=PathWords(words),
    )


def _is_telling_alone(asked: Asked, counts: Mapping[str, int], *, size: int) -> bool:
    """Whether the one word of a question is rare enough to be evidence by itself."""
    return len(asked.words) == 1 and sum(counts.values()) <= max(1, size * _COMMON_SHARE)


def _unmet(asked: Asked, counts: Mapping[str, int], *, size: int) -> float:
    """Return what the words that no episode holds would tell, within the bound on words."""
    unknown = [weight for term, weight in asked.words.items() if term not in counts]
    return rarity(0, size) * sum(unknown[: max(WORDS_MAX - len(counts), 0)])


def _candidates(rarities: _Rarities, shelf: Shelf, *, distances: Distances) -> list[int]:
    """Return the episodes worth comparing in full, by a first look at what is rare."""
    words = _gathered(rarities.asked_words, shelf.with_word, postings_max=WORD_POSTINGS_MAX)
    paths = _gathered(rarities.paths, shelf.with_path, postings_max=PATH_POSTINGS_MAX)
    word_scale = _WORDS / max(words.values(), default=1.0)
    path_scale = _PATHS / max(paths.values(), default=1.0)
    promises = {number: word_scale * told for number, told in words.items()}
    for number, told in paths.items():
        promises[number] = promises.get(number, 0.0) + path_scale * told
    # A distance is looked up by its bucket here: this runs for thousands of episodes.
    nearness = [_DISTANCE * distances(1 << n) for n in range(64)]
    now = shelf.now()
    best = nlargest(
        COMPARED_MAX,
        [(v + nearness[(now - n).bit_length() - 1], n) for n, v in promises.items()],
    )
    # What shares the most words is compared however far back it is: it may be quoted.
    quoted = nlargest(COMPARED_MAX // 8, zip(words.values(), words.keys(), strict=True))
    return [*dict.fromkeys(number for _, number in (*best, *quoted))]


def _gathered(
    values: Mapping[str, float],
    holders: Callable[[str, int], Sequence[int]],
    *,
    postings_max: int,
) -> dict[int, float]:
    """Return the sum of values for each episode, within a bound on how many are read."""
    sums: dict[int, float] = {}
    left = postings_max
    for key, value in values.items():
        if left <= 0:
            break
        numbers = holders(key, min(left, POSTINGS_PER_KEY_MAX))
        for number in numbers:
            sums[number] = sums.get(number, 0.0) + value
        left -= len(numbers)
    return sums


def _with_linked(numbers: Sequence[int], shelf: Shelf) -> list[Entry]:
    """Return the entries of these episodes, and of those that they name or that name them."""
    entries = list(shelf.entries(numbers))
    known = {entry.number for entry in entries}
    linked = {number for entry in entries for number in (*entry.names, *entry.named_by)} - known
    return [*entries, *shelf.entries(nlargest(LINKED_MAX, linked))]


def _compare(
    entry: Entry, asked: Asked, *, rarities: _Rarities, anchored: Set[int]
) -> _Comparison:
    shared = rarities.words.keys() & entry.words.keys()
    paths = rarities.paths.keys() & entry.paths if rarities.paths else set()
    spelt = _spelt(entry.paths, rarities)
    return _Comparison(
        entry=entry,
        shared_words=shared,
        shared_paths=paths,
        words=sum([rarities.asked_words[term] * entry.words[term] for term in shared]),
        paths=sum([rarities.paths[path] for path in paths]),
        path_words=sum([rarities.words[term] for term in spelt]),
        is_quoted=_is_quoted(entry.title, asked),
        is_anchored=entry.number in anchored,
    )


def _spelt(paths: Sequence[str], rarities: _Rarities) -> Set[str]:
    """Return the words asked for that stand in the paths of an episode."""
    if len(paths) > _SPELT_PATHS_MAX:
        return frozenset()
    return rarities.spelt(paths)


def _is_quoted(title: str, asked: Asked) -> bool:
    return title.count(" ") >= _TITLE_TERMS_MIN - 1 and f" {title} " in asked.spoken


def _ordered(
    compared: Sequence[_Comparison], rarities: _Rarities, *, now: int, distances: Distances
) -> list[tuple[_Comparison, Mapping[str, float]]]:
    """Return what earned its place with the parts of its score, best first."""
    most = _Most(compared)
    earned = {one.entry.number for one in compared if _is_earned(one, rarities)}
    by_number = {one.entry.number: one for one in compared}
    scored = []
    for one in compared:
        number = one.entry.number
        namers = [by_number[n] for n in one.entry.named_by if n in by_number]
        if number not in earned and earned.isdisjoint(one.entry.named_by):
            continue
        parts = {
            "words": _WORDS * one.words / most.words,
            "paths": _PATHS * one.paths / most.paths,
            "path words": _PATH_WORDS * one.path_words / most.path_words,
            "title": _TITLE * one.is_quoted,
            "place": _ANCHOR * one.is_anchored,
            "named by": _NAMED_BY * max([n.words for n in namers], default=0.0) / most.words,
            "distance": _DISTANCE * (distances(now - number) - distances(1)),
        }
        scored.append((sum(parts.values()), number, parts))
    scored.sort(key=lambda one: (one[0], one[1]), reverse=True)
    return [(by_number[number], parts) for _, number, parts in scored]


class _Most:
    """The highest sum of each comparison: what the others are measured by."""

    def __init__(self, compared: Sequence[_Comparison]) -> None:
        self.words = max((one.words for one in compared), default=0.0) or 1.0
        self.paths = max((one.paths for one in compared), default=0.0) or 1.0
        self.path_words = max((one.path_words for one in compared), default=0.0) or 1.0


def _is_earned(one: _Comparison, rarities: _Rarities) -> bool:
    """Whether an episode shares enough to be shown at all: a path, its title, or telling words."""
    if one.shared_paths or one.is_quoted or one.is_anchored:
        return True
    if len(one.shared_words) < rarities.least:
        return False
    share = sum([rarities.asked_words[term] for term in one.shared_words])
    return share >= rarities.share_min * rarities.whole


def _found(one: _Comparison, parts: Mapping[str, float], *, rarities: _Rarities) -> Found:
    telling = sorted(one.shared_words, key=lambda term: (-rarities.asked_words[term], term))
    return Found(
        number=one.entry.number,
        score=sum(parts.values()),
        parts=parts,
        words=tuple(telling),
        paths=tuple(sorted(one.shared_paths)),
    )
