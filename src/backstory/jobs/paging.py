"""Cutting what is to be written into pages, each of which one short transaction writes. Pure."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

_One = TypeVar("_One")


def pages(all_: Sequence[_One], count: int) -> Iterator[Sequence[_One]]:
    """Yield all of it in order, `count` at a time; the last page may be shorter."""
    for first in range(0, len(all_), count):
        yield all_[first : first + count]
