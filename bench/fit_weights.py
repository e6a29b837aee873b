"""Fit the table of weights by which extraction tells lasting clauses from others.

    python bench/fit_weights.py SEEN... --unseen UNSEEN... > WEIGHTS.tsv
    python bench/fit_weights.py SEEN... --unseen UNSEEN... --test HELD-OUT.jsonl

Needs scikit-learn. A clause that a label covers is an example of its kind; one covered by an
optional label is left out; every other one is an example of nothing. Two logistic regressions
are fitted: whether a clause lasts, and of which kind it is. Features are then cut down to those
that count most, and both are fitted again on these.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from backstory.extract.context import Place
from backstory.extract.gate import places_in
from backstory.extract.weighing.features import SHARES, every_signal, features_of
from backstory.extract.weighing.weights import LASTING, SCALE

NOTHING, OPTIONAL, CONFIRMED, WITHDRAWN = "nothing", "optional", "confirmed", "retract"
_CLAUSES_PER_MESSAGE_MAX = 12  # so that one long message does not outweigh many
SEEN_MIN = 2  # a feature of one clause only says nothing about others


class Example(NamedTuple):
    """One clause: its features and what it is."""

    features: frozenset[str]
    label: str


class Gold(NamedTuple):
    """One label of a turn."""

    start: int
    end: int
    label: str


def examples_of(case: dict[str, Any], *, rules: bool) -> Iterator[Example]:
    """Yield the clauses of a case.

    Rules were written with some dialogues at hand, and always fit those: only others can
    tell how far a rule is to be believed.
    """
    signals = every_signal()
    for number, said in enumerate(case["turns"]):
        gold = _gold(case, number, text=said["user"])
        for place in places_in(said["user"]):
            found = features_of(place, signals)
            if not rules:
                found = frozenset(name for name in found if not name.startswith("r:"))
            yield Example(found, _label(place, gold))


def _gold(case: dict[str, Any], number: int, *, text: str) -> list[Gold]:
    found = []
    for part in ("expect", "superseded", "retracted", "optional"):
        for row in case[part]:
            start = text.find(row["quote"])
            if row["turn"] == number and start >= 0:
                label = {"retracted": WITHDRAWN, "optional": OPTIONAL}.get(part, row["kind"])
                label = CONFIRMED if row.get("also_quote") else label
                found.append(Gold(start, start + len(row["quote"]), label))
    return found


def _label(place: Place, gold: list[Gold]) -> str:
    start, end = place.clause.start, place.clause.end
    for row in gold:
        shared = min(end, row.end) - max(start, row.start)
        if shared > 0 and 2 * shared >= min(end - start, row.end - row.start):
            return row.label
    return NOTHING


class Fit:
    """Two regressions over the features that count."""

    def __init__(self, examples: list[Example], *, size: int, cost: float) -> None:
        used = [row for row in examples if row.label not in (OPTIONAL, CONFIRMED)]
        seen = Counter(name for row in used for name in row.features)
        known = {name for name, count in seen.items() if count >= SEEN_MIN}
        lasting = np.array([row.label != NOTHING for row in used])
        first = self._lasting(used, known, lasting=lasting, cost=cost)
        self.names = self._best(first, used, size=size)
        self.lasting = self._lasting(used, set(self.names), lasting=lasting, cost=cost)[1]
        which = [row for row in used if row.label != NOTHING]
        self.kinds = LogisticRegression(C=cost, max_iter=500).fit(
            self._matrix(which), [row.label for row in which]
        )

    def _lasting(self, used, known, *, lasting, cost):  # type: ignore[no-untyped-def]
        self.vectors = DictVectorizer(dtype=np.float64)
        self.vectors.fit([dict.fromkeys(known, 1.0)])
        model = LogisticRegression(C=cost, max_iter=500).fit(self._matrix(used), lasting)
        return self.vectors, model

    def _best(self, first, used, *, size):  # type: ignore[no-untyped-def]
        vectors, model = first
        matrix = self._matrix(used)
        often = np.sqrt(np.asarray((matrix > 0).sum(axis=0)).ravel())
        order = np.argsort(-np.abs(model.coef_[0]) * often)[:size]
        return sorted(vectors.get_feature_names_out()[order])

    def _matrix(self, rows: list[Example]) -> csr_matrix:
        shares = [
            {name: SHARES.get(name.partition(":")[0], 1.0) for name in row.features}
            for row in rows
        ]
        return normalize(self.vectors.transform(shares)) * SCALE

    def scores(self, rows: list[Example]) -> np.ndarray:
        """Return the log odds that each clause lasts."""
        return self.lasting.decision_function(self._matrix(rows))

    def table(self) -> Iterator[str]:
        """Yield the lines of the table of weights."""
        kinds = list(self.kinds.classes_)
        yield "\t".join(["feature", LASTING, *kinds])
        bias = [self.lasting.intercept_[0], *self.kinds.intercept_]
        yield "\t".join(["bias", *(f"{number:.3f}" for number in bias)])
        names = self.vectors.get_feature_names_out()
        columns = [self.lasting.coef_[0], *self.kinds.coef_]
        for place, name in enumerate(names):
            yield "\t".join([name, *(f"{column[place]:.2f}" for column in columns)])


def _told(fit: Fit, test: list[Example]) -> Iterator[str]:
    rows = [row for row in test if row.label not in (OPTIONAL, CONFIRMED)]
    scores = fit.scores(rows)
    lasting = np.array([row.label != NOTHING for row in rows])
    order = np.argsort(-scores)
    right = np.cumsum(lasting[order])
    precision, recall = right / np.arange(1, len(order) + 1), right / lasting.sum()
    for least in (0.97, 0.95, 0.9, 0.85, 0.8, 0.7):
        places = np.nonzero(precision >= least)[0]
        last = places[-1] if len(places) else 0
        yield f"precision {least:.2f}: recall {recall[last]:.3f} from {scores[order][last]:.2f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="seen by the rules")
    parser.add_argument("--unseen", nargs="*", type=Path, default=[], help="unseen by the rules")
    parser.add_argument(
        "--background", nargs="*", type=Path, default=[], help='{"text"} lines: nothing lasts'
    )
    parser.add_argument("--test", nargs="*", type=Path, default=[])
    parser.add_argument("--size", type=int, default=8_000, help="features kept")
    parser.add_argument("--cost", type=float, default=2.0, help="inverse of the regularisation")
    options = parser.parse_args()
    rows = [*_read(options.files, rules=False), *_read(options.unseen, rules=True)]
    rows += _background(options.background)
    fit = Fit(rows, size=options.size, cost=options.cost)
    if options.test:
        print("\n".join(_told(fit, _read(options.test, rules=True))))
        return 0
    print("# Made by bench/fit_weights.py from tests/corpus; see extract/weighing/weights.py.")
    print("\n".join(fit.table()))
    return 0


def _background(paths: list[Path]) -> list[Example]:
    """Return the clauses of real messages, of which hardly any states something lasting."""
    signals = every_signal()
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    texts = [json.loads(line)["text"] for line in lines if line]
    return [
        Example(features_of(place, signals), NOTHING)
        for text in texts
        for place in places_in(text)[:_CLAUSES_PER_MESSAGE_MAX]
    ]


def _read(paths: list[Path], *, rules: bool) -> list[Example]:
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    cases = [json.loads(line) for line in lines if line]
    return [row for case in cases for row in examples_of(case, rules=rules)]


if __name__ == "__main__":
    sys.exit(main())
