"""Lists of sentences that tests prove: how they are written down, one form for all of them.

`promises.py` and `cases.py` hold the lists; tests/rules/test_proofs.py keeps each equal to the
marks on the tests.
"""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Proved:
    """One sentence, with the name that its proofs are marked with."""

    id: str
    sentence: str
    tests: tuple[str, ...]  # path::name


def read(written: str) -> Iterator[Proved]:
    """Yield what a list says: a line with name and sentence, its proofs below it, indented."""
    for block in written.strip().replace("\n    ", "\t").split("\n"):
        head, *proofs = block.split("\t")
        name, _, sentence = head.partition(" ")
        yield Proved(id=name, sentence=sentence, tests=tuple(proofs))
