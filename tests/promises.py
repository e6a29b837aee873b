"""What Backstory promises so far, and the tests that prove it.

A promise has the number of the requirement that it keeps. A test that proves it says so itself,
`@pytest.mark.promise("R57")`; tests/rules/test_promises.py keeps both sides equal.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
    """One requirement that the code has reached."""

    id: str
    sentence: str
    tests: tuple[str, ...]  # path::name


PROMISES: tuple[Promise, ...] = ()
