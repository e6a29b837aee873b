"""How far back a project's commits refer, learnt from its own references. Pure."""

import math
from collections.abc import Sequence

BUCKETS = 20  # 2**20 episodes back and more are one
# Before a project has shown its habit, every doubling of the distance is equally likely;
# this many references are worth as much as that assumption.
_PRIOR_REFERENCES = 20
_PRIOR_BUCKETS = 16


def bucket(distance: int) -> int:
    """Return the bucket of a distance of at least one: the whole part of its binary logarithm."""
    return min(max(distance, 1).bit_length() - 1, BUCKETS - 1)


class Distances:
    """The logarithm of how likely an episode at a distance is to be the one referred to.

    Counts are smoothed over neighbouring buckets and the density read by linear interpolation,
    so that no step in it can order two neighbours. Only differences mean something.
    """

    def __init__(self, counts: Sequence[int]) -> None:
        padded = [*counts, *[0] * BUCKETS][:BUCKETS]
        prior = _PRIOR_REFERENCES / _PRIOR_BUCKETS
        weights = [n + (prior if i < _PRIOR_BUCKETS else prior / 4) for i, n in enumerate(padded)]
        smooth = [
            (weights[max(i - 1, 0)] + 2 * weights[i] + weights[min(i + 1, BUCKETS - 1)]) / 4
            for i in range(BUCKETS)
        ]
        total = sum(smooth)
        # A bucket is twice as wide as the one before it: its share is spread over as many.
        self._density = [math.log(s / total) - i * math.log(2) for i, s in enumerate(smooth)]

    def __call__(self, distance: int) -> float:
        """Return the log density at a distance."""
        place = math.log2(max(distance, 1)) - 0.5
        low = min(max(math.floor(place), 0), BUCKETS - 2)
        share = min(max(place - low, 0.0), 1.0)
        return self._density[low] * (1 - share) + self._density[low + 1] * share
