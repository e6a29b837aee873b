"""The library: what a host or a person's own program holds of a project's memory."""

from backstory.api.memory import Memory
from backstory.api.null import BrokenMemory, NullMemory
from backstory.api.runs import RunMemory, load_project_memory, load_run_memory, save_run_memory
from backstory.wiring.by_hand import NewEpisode, Note
from backstory.wiring.opening import Opening

__all__ = [
    "BrokenMemory",
    "Memory",
    "NewEpisode",
    "Note",
    "NullMemory",
    "Opening",
    "RunMemory",
    "load_project_memory",
    "load_run_memory",
    "save_run_memory",
]
