"""Fit the table of weights by which extraction tells lasting clauses from others.

    python bench/fit_weights.py SEEN... --unseen UNSEEN... > WEIGHTS.tsv
    python bench/fit_weights.py SEEN... --unseen UNSEEN... --but AUTHOR > WEIGHTS.tsv
    python bench/fit_weights.py SEEN... --unseen UNSEEN... --test HELD-OUT.jsonl

Needs scikit-learn. A clause that a label covers is an example of its kind. Left out are those
that an optional label covers and those beside a label in its sentence, which give its reason or
announce it; every other one is an example of nothing. Two logistic regressions are fitted:
whether a clause lasts, and of which kind it is. Features are then cut down to those that count
most, and both are fitted again on these.

What stands before the first "-" of a dialogue's id is its author. With `--but`, the dialogues
of one are left out: put in the place of the packaged table, the result tells with
`bench/quality.py` how well the words of an author are read who was never met.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
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
from backstory.extract.language.lexicon import lexicon
from backstory.extract.weighing.features import SHARES, features_of
from backstory.extract.weighing.weights import LASTING, SCALE, UNIT

NOTHING, OPTIONAL, CONFIRMED, WITHDRAWN = "nothing", "optional", "confirmed", "retract"
BESIDE = "beside"  # in a sentence with a label, but no part of it
_UNUSED = frozenset({OPTIONAL, CONFIRMED, BESIDE})
_CLAUSES_PER_MESSAGE_MAX = 12  # so that one long message does not outweigh many
AUTHORS_MIN = 3  # words of one or two authors are their manner, or their topics
_KIND_COST = 5.0  # inverse of the regularisation of the kinds


class Example(NamedTuple):
    """One clause: its features, what it is, and whose dialogue it is from."""

    features: frozenset[str]
    label: str
    author: str


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
    signals = lexicon().tags()
    author = case["id"].partition("-")[0] if rules else "seen"
    for number, said in enumerate(case["turns"]):
        gold = _gold(case, number, text=said["user"])
        places = places_in(said["user"])
        labels = _with_beside(places, [_label(place, gold) for place in places])
        for place, label in zip(places, labels, strict=True):
            found = features_of(place, signals)
            if not rules:
                found = frozenset(name for name in found if not name.startswith("r:"))
            yield Example(found, label, author)


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


def _with_beside(places: tuple[Place, ...], labels: list[str]) -> list[str]:
    lasting = {
        place.sentence_index
        for place, label in zip(places, labels, strict=True)
        if label not in (NOTHING, OPTIONAL, CONFIRMED)
    }
    return [
        BESIDE if label == NOTHING and place.sentence_index in lasting else label
        for place, label in zip(places, labels, strict=True)
    ]


class Fit:
    """Two regressions over the features that count."""

    def __init__(self, examples: list[Example], *, sizes: tuple[int, int], cost: float) -> None:
        used = [row for row in examples if row.label not in _UNUSED]
        which = [row for row in used if row.label != NOTHING]
        self.names = _shared(used)
        self.of_kinds = set(self.names)
        self._fit(used, which, cost=cost)
        often, kinds = self._weight(used, [self.lasting]), self._weight(which, [self.kinds])
        self.of_kinds = _best(kinds, sizes[1])
        self.names = sorted(_best(often, sizes[0]) | self.of_kinds)
        self._fit(used, which, cost=cost)

    def _fit(self, used: list[Example], which: list[Example], *, cost: float) -> None:
        self.vectors = DictVectorizer(dtype=np.float64)
        self.vectors.fit([dict.fromkeys(self.names, 1.0)])
        names = self.vectors.get_feature_names_out()
        self.columns = [i for i, name in enumerate(names) if name in self.of_kinds]
        self.lasting = LogisticRegression(C=cost, max_iter=300, tol=2e-4).fit(
            self._matrix(used), [row.label != NOTHING for row in used]
        )
        self.kinds = LogisticRegression(C=_KIND_COST, max_iter=300, tol=2e-4).fit(
            self._matrix(which)[:, self.columns], [row.label for row in which]
        )

    def _weight(self, rows: list[Example], models: list[LogisticRegression]) -> dict[str, float]:
        """Return how much each feature does in these examples."""
        matrix = self._matrix(rows)
        often = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=0)).ravel())
        most = np.abs(np.vstack([model.coef_ for model in models])).max(axis=0) * often
        return dict(zip(self.vectors.get_feature_names_out(), most, strict=True))

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
        yield "\t".join(["feature", LASTING, *self.kinds.classes_])
        yield "\t".join(["bias", *_written([*self.lasting.intercept_, *self.kinds.intercept_])])
        kinds = dict(zip(self.columns, self.kinds.coef_.T, strict=True))
        for place, name in enumerate(self.vectors.get_feature_names_out()):
            numbers = [self.lasting.coef_[0][place], *kinds.get(place, ())]
            yield "\t".join([name, *_written(numbers)])


def _shared(rows: list[Example]) -> list[str]:
    """Return the features that enough authors have."""
    authors: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for name in row.features if row.author else ():
            authors[name].add(row.author)
    return [name for name, those in authors.items() if len(those) >= AUTHORS_MIN]


def _best(weights: dict[str, float], size: int) -> set[str]:
    return {name for name, _ in Counter(weights).most_common(size)}


def _written(numbers: list[float]) -> list[str]:
    return [str(round(number * UNIT)) for number in numbers]


def _told(fit: Fit, test: list[Example]) -> Iterator[str]:
    rows = [row for row in test if row.label not in _UNUSED]
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
    options = _options()
    rows = [*_read(options.files, rules=False), *_read(options.unseen, rules=True)]
    rows = [row for row in rows if row.author != options.but]
    rows += _background(options.background)
    fit = Fit(rows, sizes=(options.size, options.kinds), cost=options.cost)
    if options.test:
        print("\n".join(_told(fit, _read(options.test, rules=True))))
        return 0
    print("# Made by bench/fit_weights.py from tests/corpus; see extract/weighing/weights.py.")
    print("\n".join(fit.table()))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="seen by the rules")
    parser.add_argument("--unseen", nargs="*", type=Path, default=[], help="unseen by the rules")
    parser.add_argument(
        "--background", nargs="*", type=Path, default=[], help='{"text"} lines: nothing lasts'
    )
    parser.add_argument("--but", metavar="AUTHOR", help="leave out the dialogues of an author")
    parser.add_argument("--test", nargs="*", type=Path, default=[])
    parser.add_argument("--size", type=int, default=21_500, help="features kept for lasting")
    parser.add_argument("--kinds", type=int, default=6_800, help="features kept for the kinds")
    parser.add_argument("--cost", type=float, default=8.0, help="inverse of the regularisation")
    return parser.parse_args()


def _background(paths: list[Path]) -> list[Example]:
    """Return the clauses of real messages, of which hardly any states something lasting."""
    signals = lexicon().tags()
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    texts = [json.loads(line)["text"] for line in lines if line]
    return [
        Example(features_of(place, signals), NOTHING, "")
        for text in texts
        for place in places_in(text)[:_CLAUSES_PER_MESSAGE_MAX]
    ]


def _read(paths: list[Path], *, rules: bool) -> list[Example]:
    lines = (line for path in paths for line in path.read_text(encoding="utf-8").splitlines())
    cases = [json.loads(line) for line in lines if line]
    return [row for case in cases for row in examples_of(case, rules=rules)]


if __name__ == "__main__":
    sys.exit(main())
