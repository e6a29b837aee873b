"""Refusing to record from a source that is switched off."""

from backstory.api import Memory, NullMemory
from backstory.model.errors import UsageError
from backstory.model.words import Source


def require_on(memory: Memory | NullMemory, source: Source) -> None:
    """Raise `UsageError` where a source is switched off for the project."""
    if not memory.captures(source):
        raise UsageError(
            f"{source} are not recorded here: capture.{source} is off in your settings, "
            "or the project's"
        )
