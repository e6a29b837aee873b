"""What the weights of a clause decide. Pure."""

from functools import lru_cache

from backstory.extract.context import Place
from backstory.extract.weighing.weights import Weighed, weigh

# Log odds, set on dialogues that neither the rules nor the weights were made from, and on real
# sessions, in which nearly nothing lasts: a clause that no rule knows has to be surer than one
# that a rule vouches for.
SURE = 1.5  # states something lasting, by its weight alone
JOINED = -1.0  # belongs to a neighbour that does
DOUBTFUL = 0.0  # below this no rule vouches for it
OFFERED = -1.5  # below this an assistant's long answer offers nothing to agree to

PROPOSER = "rule:weighed"


def is_sure(place: Place) -> bool:
    """Whether a clause states something lasting by its weight alone."""
    return weighed(place).lasting >= SURE


def is_joined(place: Place) -> bool:
    """Whether a clause goes along with a neighbour that states something lasting."""
    return weighed(place).lasting >= JOINED


def is_doubtful(place: Place) -> bool:
    """Whether so much speaks against a clause that no rule can vouch for it."""
    return weighed(place).lasting < DOUBTFUL


@lru_cache(maxsize=512)
def weighed(place: Place) -> Weighed:
    """Return the weight of a clause; kept for the few clauses that are judged at once."""
    return weigh(place)
