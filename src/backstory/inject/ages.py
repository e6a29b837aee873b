"""Ages in words. Pure."""

from backstory.model.limits import DAY_MS, HOUR_MS, MINUTE_MS

_STEPS = (
    (365 * DAY_MS, "year"),
    (30 * DAY_MS, "month"),
    (7 * DAY_MS, "week"),
    (DAY_MS, "day"),
    (HOUR_MS, "hour"),
    (MINUTE_MS, "minute"),
)


def age_in_words(age_ms: int) -> str:
    """Return an age in its largest whole unit: "3 weeks old"; below a minute, "new"."""
    for length_ms, name in _STEPS:
        count = age_ms // length_ms
        if count > 0:
            return f"{count} {name}{'s' if count > 1 else ''} old"
    return "new"
