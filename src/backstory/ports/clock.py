"""The clock and the source of names, so that nothing below the wiring reads either by itself."""

from collections.abc import Callable

Clock = Callable[[], int]
"""Returns now in milliseconds UTC."""

NameSource = Callable[[str], str]
"""Returns a new name that begins with the prefix given, such as `m_k3f9x2`."""
