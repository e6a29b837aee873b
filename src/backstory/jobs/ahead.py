"""Reading what a change needs before its write transaction, so that this one stays short."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from backstory.ports.store import Store, Tables

_Found = TypeVar("_Found")
# What was read so often in vain is read within the transaction: it must end.
_TRIES_MAX = 3


def _never_again(_found: _Found, _tables: Tables) -> _Found | None:
    """Bring nothing up to date: all of it is to be read anew."""
    return None


@contextmanager
def writing_after(
    store: Store,
    read: Callable[[Tables], _Found],
    *,
    again: Callable[[_Found, Tables], _Found | None] = _never_again,
) -> Iterator[tuple[Tables, _Found]]:
    """Yield the tables inside a write transaction, with what `read` finds in them at its begin.

    It is read beforehand, while others may write. Where one of them did, `again` brings it up to
    date within the transaction, if that takes a moment only; or returns None, and it is read
    anew. So what is yielded never lags behind. Neither writes anything, and what `read` returns
    does not use the tables that it was read from: their transaction has ended.
    """
    for tries_left in reversed(range(_TRIES_MAX)):
        with store.reading() as tables:
            mark = tables.meta.mark()
            found = read(tables)
        with store.writing() as tables:
            is_current = tables.meta.mark() == mark
            caught_up = None if is_current else again(found, tables)
            if tries_left and not is_current and caught_up is None:
                continue
            if not is_current:
                found = read(tables) if caught_up is None else caught_up
            yield tables, found
            return
