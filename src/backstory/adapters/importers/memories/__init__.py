"""What other programs remember of a project, read as proposals that a person is to approve."""

from backstory.adapters.importers.memories.proposals import Proposal
from backstory.adapters.importers.memories.reading import (
    memory_files_in,
    native_memories_of,
    proposals_in,
    section_files_of,
)
from backstory.adapters.instructions import INSTRUCTIONS

__all__ = [
    "INSTRUCTIONS",
    "Proposal",
    "memory_files_in",
    "native_memories_of",
    "proposals_in",
    "section_files_of",
]
