"""What other programs remember of a project, read as proposals that a person is to approve."""

from backstory.adapters.importers.memories.proposals import Proposal
from backstory.adapters.importers.memories.reading import (
    INSTRUCTIONS,
    memory_files_in,
    native_memories_of,
    proposals_in,
    section_files_of,
)

__all__ = [
    "INSTRUCTIONS",
    "Proposal",
    "memory_files_in",
    "native_memories_of",
    "proposals_in",
    "section_files_of",
]
