"""What the weights of a clause decide. Pure."""

from functools import lru_cache

from backstory.extract.claims import claim_of
from backstory.extract.claims.aliases import is_slot
from backstory.extract.context import Place
from backstory.extract.weighing.weights import Weighed, weigh
from backstory.model.words import Kind

# Log odds, set on dialogues that neither the rules nor the weights were made from, and on real
# sessions, in which nearly nothing lasts: a clause that no rule knows has to be surer than one
# that a rule vouches for.
SURE = 2.0  # states something lasting, by its weight alone
VOUCHED = 0.5  # does so where it fills a slot that a project has one of, such as its database
JOINED = -1.0  # belongs to a neighbour that does
DOUBTFUL = -1.0  # below this no rule vouches for it
OFFERED = -1.5  # below this an assistant's long answer offers nothing to agree to

PROPOSER = "rule:weighed"


def is_sure(place: Place) -> bool:
    """Whether a clause states something lasting without a rule that says so."""
    lasting = weighed(place).lasting
    return lasting >= SURE or (lasting >= VOUCHED and _is_vouched(place))


def _is_vouched(place: Place) -> bool:
    """Whether it names what fills a slot that a project has one of."""
    claim = claim_of(place.clause.plain, kind=Kind.PROJECT_DECISION)
    return claim is not None and bool(claim.value) and is_slot(claim)


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
