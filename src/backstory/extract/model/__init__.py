"""Stage 1 with a model: it proposes with quotes, and the gate judges it as it judges a rule."""

from backstory.extract.model.budget import Budget
from backstory.extract.model.judging import judge
from backstory.extract.model.proposing import GivenUp, Proposal, propose

__all__ = ["Budget", "GivenUp", "Proposal", "judge", "propose"]
