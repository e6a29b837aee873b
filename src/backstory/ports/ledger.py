"""The book of model calls, as the client that keeps it sees it."""

from typing import Protocol

from backstory.model.job import Call


class Ledger(Protocol):
    """Every call that left this process, whatever came of it."""

    def add(self, call: Call) -> None:
        """Keep a call. It stays, even where the work that it was for is lost."""
        ...

    def spent(self, *, since_ms: int, session: str | None = None) -> tuple[int, int]:
        """Return the tokens and the billionths of a US dollar spent since a time.

        With `session`, only what was spent for that one.
        """
        ...
