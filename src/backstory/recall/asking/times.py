"""Words of time in a question: which span they mean, and the question without them. Pure."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backstory.recall.asking.spans import Span

# Without one of these no phrase fits, and neither the phrases nor a calendar are loaded.
_HINT = (
    r"(?i)day|week|month|quarter|year|ago|past|last|since|recent|lately|20\d\d|\bq[1-4]\b"
    r"|spring|summer|autumn|fall|winter|[今昨前上本这去近过月年季周]"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
)
# One of these stands in whatever the pattern finds: to make it takes longer than to look for them.
_PARTS = (
    *("day", "week", "month", "quarter", "year", "ago", "past", "last", "since", "recent"),
    *("lately", "20", "q1", "q2", "q3", "q4", "spring", "summer", "autumn", "fall", "winter"),
    *("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    *"今昨前上本这去近过月年季周",
)


def time_in(text: str, now_ms: int) -> "tuple[Span | None, str]":
    """Return the span that a normalised question means and the question without those words."""
    if not _is_hinted(text):
        return None, text
    from backstory.recall.asking.time_rules import meant_in  # noqa: PLC0415 - few name a time

    return meant_in(text, now_ms)


def _is_hinted(text: str) -> bool:
    # Letter case is folded as `re` does it, for which a dotless i is an i and a long s an s.
    small = text.lower().replace("ı", "i").replace("ſ", "s")
    return any(part in small for part in _PARTS) and re.search(_HINT, text) is not None
