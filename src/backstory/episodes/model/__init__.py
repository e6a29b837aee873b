"""Summing up an episode with a model: what it is shown, what it says, and what of it checks."""

from backstory.episodes.model.asking import Summed, sum_up, with_model
from backstory.episodes.model.material import Material, Source, SourceKind, material_of

__all__ = ["Material", "Source", "SourceKind", "Summed", "material_of", "sum_up", "with_model"]
