"""The clock and the source of ids, so that nothing below the wiring reads either by itself."""

from typing import Protocol


class Clock(Protocol):
    """Tells the time in milliseconds UTC."""

    def __call__(self) -> int:
        """Return now."""
        ...
