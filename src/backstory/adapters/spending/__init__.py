"""What model calls cost: prices, caps, and the client that keeps the books."""

from backstory.adapters.spending.caps import NO_CAPS, Caps
from backstory.adapters.spending.metered import MeteredClient

__all__ = ["NO_CAPS", "Caps", "MeteredClient"]
