"""How well the earlier commits that a change refers to are found, beside three plain ways.

    python bench/episodes.py REPO LINKS [--json] [--every N]

REPO is a full clone; LINKS has lines `kind TAB later sha TAB earlier sha`. The question is the
later commit's message, without trailers and hashes, and its files; only commits that came
before it are on the shelf. The plain ways are BM25 over messages, shared files by rarity, and
both fused by reciprocal rank with a decay by distance. Merges are left out.
"""

import argparse
import gc
import json
import math
import os
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, quantiles

from history_shelf import HistoryShelf, word_frequencies

from backstory.adapters.git import GitRepository
from backstory.episodes.finding.asking import Asked, about_change
from backstory.episodes.finding.ranking import find
from backstory.ports.vcs import Commit

KINDS = ("followup", "regression", "fixes", "bugin")
READ_MAX = 1000
DECAY_COMMITS = 300
CUTS = (1, 3, 5)


class PlainWays:
    """The three baselines over the same shelf."""

    def __init__(self, shelf: HistoryShelf) -> None:
        self._shelf = shelf
        self._frequencies: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        self._words = 0

    def add(self, message: str) -> None:
        """Take in the message of one more commit."""
        counts = word_frequencies(message)
        for term, count in counts.items():
            self._frequencies[term].append((len(self._lengths), count))
        self._lengths.append(counts.total())
        self._words += counts.total()

    def ranked(self, asked: Asked) -> Mapping[str, list[int]]:
        """Return the answer of each way, best first."""
        words = _best(self._bm25(asked))
        files = _best(self._files(asked))
        fused: dict[int, float] = defaultdict(float)
        for ranking in (words, files):
            for rank, number in enumerate(ranking, 1):
                fused[number] += 1 / (60 + rank)
        now = self._shelf.now()
        near = {n: score / (1 + (now - n) / DECAY_COMMITS) for n, score in fused.items()}
        return {"bm25": words, "files": files, "fused": _best(near)}

    def _bm25(self, asked: Asked) -> Mapping[int, float]:
        entries = len(self._lengths)
        average = self._words / entries
        scores: dict[int, float] = defaultdict(float)
        for term in asked.words:
            held = self._frequencies.get(term, ())
            rarity = math.log(1 + (entries - len(held) + 0.5) / (len(held) + 0.5))
            for number, count in held:
                room = 1.2 * (0.25 + 0.75 * self._lengths[number] / average)
                scores[number] += rarity * count * 2.2 / (count + room)
        return scores

    def _files(self, asked: Asked) -> Mapping[int, float]:
        scores: dict[int, float] = defaultdict(float)
        for path in asked.paths:
            held = self._shelf.paths.get(path, ())
            for number in held:
                scores[number] += math.log(1 + self._shelf.size() / len(held))
        return scores


def _best(scores: Mapping[int, float]) -> list[int]:
    return sorted(scores, key=lambda number: (-scores[number], -number))[:READ_MAX]


class Tally:
    """The place of the first right answer, over all questions."""

    def __init__(self) -> None:
        self._places: list[int] = []

    def add(self, ranked: Sequence[int], right: set[int]) -> None:
        """Note where the first right one stands; 0 for nowhere."""
        places = (place for place, number in enumerate(ranked, 1) if number in right)
        self._places.append(next(places, 0))

    def figures(self) -> dict[str, float]:
        """Return the share found among the first few, and the mean reciprocal rank."""
        found = {f"recall@{cut}": mean(0 < place <= cut for place in self._places) for cut in CUTS}
        reciprocal = mean(1 / place if place else 0.0 for place in self._places)
        return {name: round(value, 4) for name, value in {**found, "mrr": reciprocal}.items()}


def links(path: Path, kinds: Sequence[str]) -> dict[str, set[str]]:
    """Return the earlier commits of each later one."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in path.read_text("utf-8").splitlines():
        kind, later, earlier, *_ = line.split("\t")
        if kind in kinds:
            found[later].add(earlier)
    return found


def history(repository: Path) -> list[Commit]:
    """Return the commits that HEAD reaches, but merges, oldest first."""
    vcs = GitRepository(repository, environ=os.environ)
    listed = vcs.listed(["HEAD"])
    return [commit for commit in vcs.read(one.sha for one in listed) if not commit.is_merge]


def measure(commits: Sequence[Commit], pairs: Mapping[str, set[str]]) -> dict[str, object]:
    """Ask every question at its time, and return all figures."""
    # All of history is held in memory here: the collector would walk it amid a question.
    gc.disable()
    numbers = {commit.sha: number for number, commit in enumerate(commits)}
    shelf = HistoryShelf()
    plain = PlainWays(shelf)
    tallies: dict[str, Tally] = defaultdict(Tally)
    spent: list[float] = []
    for number, commit in enumerate(commits):
        right = {numbers[sha] for sha in pairs.get(commit.sha, ()) if sha in numbers}
        right = {earlier for earlier in right if earlier < number}
        if right:
            ask(commit, right, shelf=shelf, plain=plain, tallies=tallies, spent=spent)
        shelf.add(commit)
        plain.add(commit.message)
    figures: dict[str, object] = {name: tally.figures() for name, tally in tallies.items()}
    return figures | {"questions": len(spent), "episodes": shelf.size(), **_times(spent)}


def ask(
    commit: Commit,
    right: set[int],
    *,
    shelf: HistoryShelf,
    plain: PlainWays,
    tallies: Mapping[str, Tally],
    spent: list[float],
) -> None:
    """Put one question to every way of finding."""
    paths = [path for file in commit.files for path in (file.old_path, file.path) if path]
    started = time.perf_counter()
    asked = about_change(commit.message, paths)
    found = find(asked, shelf, limit=READ_MAX)
    spent.append(1000 * (time.perf_counter() - started))
    tallies["backstory"].add([one.number for one in found], right)
    untitled = about_change(commit.message, paths, and_titles=True)
    again = find(untitled, shelf, limit=READ_MAX)
    tallies["backstory, quoted titles removed"].add([one.number for one in again], right)
    for name, ranked in plain.ranked(asked).items():
        tallies[name].add(ranked, right)


def _times(spent: Sequence[float]) -> dict[str, float]:
    cuts = quantiles(spent, n=20) if len(spent) > 1 else [0.0] * 19
    return {"p50_ms": round(cuts[9], 2), "p95_ms": round(cuts[18], 2)}


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("links", type=Path)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--every", type=int, default=1, help="ask only every n-th question")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    pairs = links(given.links, given.kinds.split(","))
    kept = dict(sorted(pairs.items())[:: given.every])
    figures = measure(history(given.repository), kept)
    if given.json:
        json.dump(figures, sys.stdout, indent=2)
        print()
        return
    for name, value in figures.items():
        print(f"{name:34} {value}")


if __name__ == "__main__":
    main()
