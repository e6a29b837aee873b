"""The line that tells a person, once a day at most, how much waits for their approval."""

from backstory.model.limits import DAY_MS
from backstory.ports.store import Tables

_TOLD_KEPT = "inbox_told_at_ms"


def notice(tables: Tables, *, now_ms: int) -> str:
    """Return what a person is told, or "" where nothing waits or they were told within a day."""
    told = tables.meta.setting(_TOLD_KEPT)
    if told is not None and now_ms - DAY_MS < int(told) <= now_ms:
        return ""
    count = len(tables.candidates.waiting())
    if not count:
        return ""
    things = "1 proposal waits" if count == 1 else f"{count} proposals wait"
    return f"Backstory: {things} for your approval: `backstory review`."


def note_told(tables: Tables, *, now_ms: int) -> None:
    """Note that a person is told now."""
    tables.meta.set_setting(_TOLD_KEPT, str(now_ms))
