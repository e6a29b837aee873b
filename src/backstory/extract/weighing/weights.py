"""The weights of features, read once from a table, and what they make of a clause.

The table is made from the labelled dialogues of tests/corpus by bench/fit_weights.py: a
logistic regression says how likely a clause states something lasting, and a second one which
kind it is. Each line holds one feature and its weights in hundredths; the columns are in the
first line, and a feature that says nothing about the kind has its first weight alone.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp, sqrt

from backstory.extract.context import Place
from backstory.extract.weighing.features import SHARES, SIGNAL, features_of

LASTING = "lasting"
SCALE = 3.0  # the length to which the features of a clause are brought before they are weighed
UNIT = 100  # a weight of one, as the table writes it
_BIAS = "bias"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """How surely a clause states something lasting (log odds), and of which kind."""

    lasting: float
    kind: str  # a kind of item, or "retract"
    kind_margin: float
    shares: Mapping[str, float]  # kind → how likely it is, if the clause states something lasting
    speaking: tuple[str, ...]  # the features that counted most, surest first

    def chance(self, kind: str, *, power: float) -> float:
        """Return how likely the clause states something lasting of a kind, from 0 to 1.

        The power says how much the kind counts: at 1 as it would for two independent chances.
        """
        share = self.shares.get(kind, 0.0)
        return float(share**power) / (1.0 + exp(-self.lasting))


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Feature → its weight for lasting, and of some features the weight for each kind."""

    kinds: tuple[str, ...]
    lasting: Mapping[str, float]
    of_kinds: Mapping[str, tuple[float, ...]]

    def signals(self) -> tuple[str, ...]:
        """Return the signals of the lexicon that have a weight."""
        pairs = (name.partition(":") for name in self.lasting)
        return tuple(tag for prefix, _, tag in pairs if prefix == SIGNAL)

    def runs(self) -> dict[str, Set[str]]:
        """Return prefix → the runs of words that have a weight there."""
        found: dict[str, set[str]] = {}
        for name in self.lasting:
            prefix, _, run = name.partition(":")
            found.setdefault(prefix, set()).add(run)
        return {prefix: frozenset(runs) for prefix, runs in found.items()}

    def weigh(self, features: Iterable[str]) -> Weighed:
        """Return what the features of a clause amount to."""
        shares = {
            name: SHARES.get(name.partition(":")[0], 1.0)
            for name in features
            if name in self.lasting
        }
        length = sqrt(sum(share * share for share in shares.values())) or 1.0
        lasting, totals = 0.0, [0.0] * len(self.kinds)
        for name, share in shares.items():
            lasting += self.lasting[name] * share
            for column, weight in enumerate(self.of_kinds.get(name, ())):
                totals[column] += weight * share
        scores = [
            bias + total * SCALE / length
            for bias, total in zip(self.of_kinds[_BIAS], totals, strict=True)
        ]
        kinds = sorted(zip(scores, self.kinds, strict=True), reverse=True)
        counted = sorted(shares, key=lambda name: -abs(self.lasting[name]) * shares[name])
        return Weighed(
            lasting=self.lasting[_BIAS] + lasting * SCALE / length,
            kind=kinds[0][1],
            kind_margin=kinds[0][0] - kinds[1][0],
            shares=_shares(kinds),
            speaking=tuple(counted[:5]),
        )


def _shares(kinds: list[tuple[float, str]]) -> dict[str, float]:
    """Return how likely each kind is, by the scores of all, the best first."""
    powers = {kind: exp(score - kinds[0][0]) for score, kind in kinds}
    total = sum(powers.values())
    return {kind: power / total for kind, power in powers.items()}


def weigh(place: Place) -> Weighed:
    """Return how surely a clause states something lasting, and of which kind."""
    return weights().weigh(features_of(place, _signals(), known=_runs()))


@lru_cache(maxsize=1)
def weights() -> Weights:
    """Return the packaged table."""
    text = files("backstory.extract").joinpath("data/weights.tsv").read_text(encoding="utf-8")
    return read_weights(text)


@lru_cache(maxsize=1)
def _signals() -> tuple[str, ...]:
    return weights().signals()


@lru_cache(maxsize=1)
def _runs() -> dict[str, Set[str]]:
    return weights().runs()


def read_weights(text: str) -> Weights:
    """Read a table: comments with #, then the columns, then a feature a line, tab-separated."""
    lines = (line for line in text.split("\n") if line and not line.startswith("# "))
    _, _, *kinds = next(lines).split("\t")
    lasting: dict[str, float] = {}
    of_kinds: dict[str, tuple[float, ...]] = {}
    for line in lines:
        name, first, *others = line.split("\t")
        lasting[name] = int(first) / UNIT
        if others:
            of_kinds[name] = tuple(int(number) / UNIT for number in others)
    return Weights(kinds=tuple(kinds), lasting=lasting, of_kinds=of_kinds)
