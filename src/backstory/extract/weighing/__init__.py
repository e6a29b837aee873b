"""How surely a clause states something lasting, weighed from labelled dialogues."""

from backstory.extract.weighing.weights import Weighed, Weights, read_weights, weigh

__all__ = ["Weighed", "Weights", "read_weights", "weigh"]
