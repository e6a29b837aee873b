"""Reading what a change needs before its write transaction, so that this one stays short."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from backstory.ports.store import Store, Tables

_Found = TypeVar("_Found")
# What was read so often in vain is read within the transaction: it must end.
_TRIES_MAX = 3


@contextmanager
def writing_after(
    store: Store, read: Callable[[Tables], _Found]
) -> Iterator[tuple[Tables, _Found]]:
    """Yield the tables inside a write transaction, with what `read` finds in them at its begin.

    It is read beforehand, while others may write. Where one of them did, it is read anew, so
    that what is yielded never lags behind. `read` writes nothing, and what it returns does not
    use the tables that it was read from: their transaction has ended.
    """
    for tries_left in reversed(range(_TRIES_MAX)):
        with store.reading() as tables:
            mark = tables.meta.mark()
            found = read(tables)
        with store.writing() as tables:
            is_current = tables.meta.mark() == mark
            if tries_left and not is_current:
                continue
            yield tables, found if is_current else read(tables)
            return
