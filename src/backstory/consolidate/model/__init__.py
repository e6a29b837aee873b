"""Stage 2 with a model: it says which items a candidate is about; the program decides."""

from backstory.consolidate.model.opinions import Opinions, ask_for_opinions

__all__ = ["Opinions", "ask_for_opinions"]
