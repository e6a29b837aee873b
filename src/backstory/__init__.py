"""Project memory for coding agents, with proof."""

# As a type checker reads it, and without loading `typing`.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from backstory.api import Memory, NullMemory

__version__ = "0.1.0"
__all__ = ["Memory", "NullMemory", "__version__"]


def __getattr__(name: str) -> object:
    """Load the library's surface on first use, so that the hook path stays light."""
    if name in {"Memory", "NullMemory"}:
        from backstory import api  # noqa: PLC0415 -- the point of this function

        return getattr(api, name)
    raise AttributeError(f"module 'backstory' has no attribute {name!r}")
