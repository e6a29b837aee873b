"""What the weights of a clause decide. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from backstory.extract.claims import claim_of
from backstory.extract.claims.aliases import is_slot
from backstory.extract.context import Place
from backstory.extract.rules import vetoes
from backstory.extract.weighing.weights import Weighed, weigh
from backstory.model.words import Intent, Kind

# Set on dialogues whose authors neither the rules nor the weights had met, and on real sessions,
# in which nearly nothing lasts: the chance, from 0 to 1, that a clause states something lasting
# of its kind. A clause of two kinds as likely as each other has to last the more surely.
SURE = 0.55  # proposes it, by its weight alone
SURE_AGAINST = 0.8  # does so where a refusal of the rules stands, or it takes something back
CREDIBLE = 0.3  # lets a rule vouch for it
OUTDOING = 4.0  # times as likely as the kind that a rule names, another kind is taken
# Log odds that a clause lasts, of whatever kind.
VOUCHED = 0.5  # proposes it where it fills a slot that a project has one of, as its database
JOINED = -1.0  # belongs to a neighbour that does
DOUBTFUL = -1.0  # below this no rule vouches for it
REFUTED = -2.0  # below this nobody else does, who read more than the clause
# Long messages tell of much that passes, and the weights say so of each of their clauses; what a
# rule finds in one is allowed for that.
LONG_SENTENCES = 8
LONG_ALLOWANCE = 2.0
CLEAR = 3.0  # beside another clause, stays a statement of its own
OFFERED = -1.5  # below this an assistant's long answer offers nothing to agree to
# How much being of one kind counts beside lasting at all.
_KIND_POWER = 1.5

PROPOSER = "rule:weighed"


def is_sure(place: Place) -> bool:
    """Whether a clause states something lasting without a rule that says so."""
    found = weighed(place)
    chance = found.chance(found.kind, power=_KIND_POWER)
    if chance >= SURE:
        return chance >= SURE_AGAINST or not _is_risky(place, found)
    return found.lasting >= VOUCHED and _is_vouched(place)


def _is_risky(place: Place, found: Weighed) -> bool:
    """Whether it would take something back, or a refusal of the rules stands."""
    is_withdrawal = found.kind == Intent.RETRACT.value
    return is_withdrawal or any(veto.applies(place.seen) for veto in vetoes())


def _is_vouched(place: Place) -> bool:
    """Whether it names what fills a slot that a project has one of."""
    claim = claim_of(place.clause.plain, kind=Kind.PROJECT_DECISION)
    return claim is not None and bool(claim.value) and is_slot(claim)


def is_joined(place: Place) -> bool:
    """Whether a clause goes along with a neighbour that states something lasting."""
    return weighed(place).lasting >= JOINED


def is_clear(place: Place) -> bool:
    """Whether a clause is a statement of its own even beside another one."""
    return weighed(place).lasting >= CLEAR


def kind_of(places: Sequence[Place], kind: Kind) -> Kind:
    """Return the kind that a rule names, unless its words speak clearly for another one."""
    shares: defaultdict[str, float] = defaultdict(float)
    for place in places:
        found = weighed(place)
        for name in found.shares:
            shares[name] += found.chance(name, power=1.0)
    name, best = max(shares.items(), key=lambda row: row[1])
    is_other = best >= OUTDOING * shares[kind.value] and name != Intent.RETRACT.value
    return Kind(name) if is_other else kind


def is_doubtful(places: Iterable[Place], *, kind: Kind | None) -> bool:
    """Whether too much speaks against clauses to believe what was made of them.

    Where a rule named their kind, it must be credible that they are of this kind.
    """
    return all(_speaks_against(place, kind) for place in places)


def _speaks_against(place: Place, kind: Kind | None) -> bool:
    found = weighed(place)
    if len(place.view.message.sentences) > LONG_SENTENCES:
        found = replace(found, lasting=found.lasting + LONG_ALLOWANCE)
    if kind is None:
        return found.lasting < REFUTED
    return found.lasting < DOUBTFUL or found.chance(kind.value, power=1.0) < CREDIBLE


@lru_cache(maxsize=512)
def weighed(place: Place) -> Weighed:
    """Return the weight of a clause; kept for the few clauses that are judged at once."""
    return weigh(place)
