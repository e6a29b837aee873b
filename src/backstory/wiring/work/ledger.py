"""The book of model calls, kept in a project's store."""

from dataclasses import dataclass

from backstory.model.job import Call
from backstory.ports.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreLedger:
    """Writes every call in a transaction of its own, so that it stays whatever follows it."""

    store: Store

    def add(self, call: Call) -> None:
        """Keep a call."""
        with self.store.writing() as tables:
            tables.calls.add(call)

    def spent(self, *, since_ms: int, session: str | None = None) -> tuple[int, int]:
        """Return the tokens and the billionths of a US dollar spent since a time."""
        with self.store.reading() as tables:
            return tables.calls.spent(since_ms=since_ms, session=session)
