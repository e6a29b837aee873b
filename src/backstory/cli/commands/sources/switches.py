"""Recording from a source only where it is on, and only while memory is."""

import os

from backstory.adapters.project import Project
from backstory.adapters.switches import off_for
from backstory.api import Memory, NullMemory
from backstory.api.memory import isolated_since
from backstory.model.errors import UsageError
from backstory.model.words import Source


def require_on(memory: Memory | NullMemory, source: Source) -> None:
    """Raise `UsageError` where a source is switched off for the project."""
    if not memory.captures(source):
        raise UsageError(
            f"{source} are not recorded here: capture.{source} is off in your settings, "
            "or the project's"
        )


def silent_since(memory: Memory | NullMemory, project: Project) -> str | None:
    """Return why nothing may be recorded any more, for what runs for hours, or None.

    Memory may be switched off, or given an isolated purpose, long after it was opened.
    """
    reach = off_for(project, "", env=os.environ)
    if reach is not None:
        return f"memory is off for this {reach.value}"
    purpose = isolated_since(memory) if isinstance(memory, Memory) else None
    return None if purpose is None else f"memory is isolated for {purpose.value}"
