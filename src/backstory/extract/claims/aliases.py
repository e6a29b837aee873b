"""Names by which people ask for a claim that do not stand in its words. Pure.

"We'll use Postgres" does not say "database", and a question in Chinese does not say either.
"""

import re
from functools import lru_cache

from backstory.extract.claims.slots import read_table
from backstory.model.candidate import Claim

_QUALIFIER = " @ "  # what a claim's subject is limited to stands behind it
_HAN = re.compile(r"[\u3400-\u9fff]")
_NOUNS_PER_SCRIPT = 2


def slot_aliases(claim: Claim | None) -> tuple[str, ...]:
    """Return what the slot of a claim is called, in English and Chinese, and its value's name."""
    if claim is None:
        return ()
    nouns = _nouns().get(claim.subject.partition(_QUALIFIER)[0])
    if nouns is None:
        return ()
    english = [noun for noun in nouns if not _HAN.search(noun)][:_NOUNS_PER_SCRIPT]
    chinese = [noun for noun in nouns if _HAN.search(noun)][:_NOUNS_PER_SCRIPT]
    value = [claim.value] if claim.value and not claim.is_negative else []
    return (claim.subject.partition(_QUALIFIER)[0], *english, *chinese, *value)


def is_slot(claim: Claim) -> bool:
    """Whether a claim fills a slot of the lexicon: something that a project has one of."""
    return claim.subject.partition(_QUALIFIER)[0] in _nouns()


@lru_cache(maxsize=1)
def _nouns() -> dict[str, list[str]]:
    tables = (read_table("slots"), read_table("slots_style"))
    return {name: row["nouns"] for table in tables for name, row in table.items()}
