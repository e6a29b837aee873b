"""A history held in memory, as finding episodes and the plain ways of finding look at it."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice

from backstory.episodes.finding.distances import BUCKETS, bucket
from backstory.episodes.finding.entries import title_of_commit, words_of_commit
from backstory.episodes.finding.words import saturated
from backstory.episodes.messages.parts import hashes, parse_message
from backstory.ports.story import Entry
from backstory.ports.vcs import ChangeKind, Commit
from backstory.segment.terms import search_terms

_PREFIX = 7


class HistoryShelf:
    """Every commit added so far, numbered from 0. It knows nothing of later ones."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.words: dict[str, list[int]] = defaultdict(list)
        self.paths: dict[str, list[int]] = defaultdict(list)
        self._entries: list[Entry] = []
        self._named_by: dict[int, list[int]] = defaultdict(list)
        self._by_prefix: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._distances = [0] * BUCKETS

    def add(self, commit: Commit) -> None:
        """Shelve one more commit."""
        number = len(self._entries)
        message = parse_message(commit.message)
        counts = words_of_commit(message)
        for term in counts:
            self.words[term].append(number)
        self._add_paths(commit, number)
        named = self._named(commit.message)
        for earlier in named:
            self._named_by[earlier].append(number)
            self._distances[bucket(number - earlier)] += 1
        self._by_prefix[commit.sha[:_PREFIX]].append((commit.sha, number))
        self.messages.append(commit.message)
        self._entries.append(
            Entry(
                number=number,
                words=saturated(counts),
                paths=tuple(file.path for file in commit.files),
                title=title_of_commit(message),
                names=named,
            )
        )

    def _add_paths(self, commit: Commit, number: int) -> None:
        for file in commit.files:
            if file.kind is ChangeKind.RENAMED and file.old_path in self.paths:
                both = {*self.paths[file.path], *self.paths[file.old_path]}
                self.paths[file.path] = sorted(both)
        for path in {file.path for file in commit.files}:
            self.paths[path].append(number)

    def _named(self, message: str) -> tuple[int, ...]:
        found = set()
        for name in hashes(message):
            held = [
                n for sha, n in self._by_prefix.get(name[:_PREFIX], ()) if sha.startswith(name)
            ]
            found.update(held if len(held) == 1 else ())
        return tuple(sorted(found))

    def size(self) -> int:
        """Return how many commits there are."""
        return len(self._entries)

    def now(self) -> int:
        """Return the number of the next commit."""
        return len(self._entries)

    def word_counts(self, terms: Sequence[str]) -> Mapping[str, int]:
        """Return how many commits hold each term."""
        return {term: len(self.words[term]) for term in terms if term in self.words}

    def path_counts(self, paths: Sequence[str]) -> Mapping[str, int]:
        """Return how many commits touched each path."""
        return {path: len(self.paths[path]) for path in paths if path in self.paths}

    def with_word(self, term: str, limit: int) -> Sequence[int]:
        """Return the newest commits that hold a term."""
        return self.words.get(term, [])[-limit:]

    def with_path(self, path: str, limit: int) -> Sequence[int]:
        """Return the newest commits that touched a path."""
        return self.paths.get(path, [])[-limit:]

    def entries(self, numbers: Sequence[int]) -> Sequence[Entry]:
        """Return these commits, with the later ones that name them."""
        return [self._entry(number) for number in numbers]

    def _entry(self, number: int) -> Entry:
        entry = self._entries[number]
        later = self._named_by.get(number)
        if not later:
            return entry
        return Entry(
            number=number,
            words=entry.words,
            paths=entry.paths,
            title=entry.title,
            names=entry.names,
            named_by=tuple(islice(reversed(later), 8)),
        )

    def distances(self) -> Sequence[int]:
        """Return how far back commits referred, in doublings."""
        return self._distances


def word_frequencies(text: str) -> Counter[str]:
    """Return how often each term stands in a text."""
    return Counter(search_terms(text))
