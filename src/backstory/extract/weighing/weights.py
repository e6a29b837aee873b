"""The weights of features, read once from a table, and what they make of a clause.

The table is made from the labelled dialogues of tests/corpus by bench/fit_weights.py: a
logistic regression says how likely a clause states something lasting, and a second one which
kind it is. Each line holds one feature; the columns are in its first line.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import sqrt

from backstory.extract.context import Place
from backstory.extract.weighing.features import SHARES, Signal, features_of

LASTING = "lasting"
SCALE = 3.0  # the length to which the features of a clause are brought before they are weighed
_BIAS = "bias"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """How surely a clause states something lasting (log odds), and of which kind."""

    lasting: float
    kind: str  # a kind of item, or "retract"
    kind_margin: float
    speaking: tuple[str, ...]  # the features that counted most, surest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Feature → weight in each column; the first column is `lasting`, the others are kinds."""

    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float, ...]]

    def signals(self) -> tuple[Signal, ...]:
        """Return the signals of the lexicon that have a weight."""
        pairs = (name.partition(":") for name in self.rows)
        return tuple((prefix, tag) for prefix, _, tag in pairs if prefix in ("g", "gs", "gh"))

    def weigh(self, features: Iterable[str]) -> Weighed:
        """Return what the features of a clause amount to."""
        known = [name for name in features if name in self.rows]
        shares = {name: SHARES.get(name.partition(":")[0], 1.0) for name in known}
        length = sqrt(sum(share * share for share in shares.values())) or 1.0
        totals = list(self.rows[_BIAS])
        for name, share in shares.items():
            for column, weight in enumerate(self.rows[name]):
                totals[column] += weight * share * SCALE / length
        kinds = sorted(zip(totals[1:], self.columns[1:], strict=True), reverse=True)
        counted = sorted(known, key=lambda name: -abs(self.rows[name][0]) * shares[name])
        return Weighed(
            lasting=totals[0],
            kind=kinds[0][1],
            kind_margin=kinds[0][0] - kinds[1][0],
            speaking=tuple(counted[:5]),
        )


def weigh(place: Place) -> Weighed:
    """Return how surely a clause states something lasting, and of which kind."""
    table = weights()
    return table.weigh(features_of(place, _signals()))


@lru_cache(maxsize=1)
def weights() -> Weights:
    """Return the packaged table."""
    text = files("backstory.extract").joinpath("data/weights.tsv").read_text(encoding="utf-8")
    return read_weights(text)


@lru_cache(maxsize=1)
def _signals() -> tuple[Signal, ...]:
    return weights().signals()


def read_weights(text: str) -> Weights:
    """Read a table: comments with #, then the columns, then a feature a line, tab-separated."""
    lines = (line for line in text.split("\n") if line and not line.startswith("# "))
    _, *columns = next(lines).split("\t")
    rows = {}
    for line in lines:
        name, *numbers = line.split("\t")
        rows[name] = tuple(float(number) for number in numbers)
    return Weights(columns=tuple(columns), rows=rows)
