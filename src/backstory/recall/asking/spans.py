"""Spans of time in UTC: days, weeks, months, seasons and years. Pure."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from backstory.model.limits import DAY_MS


@dataclass(frozen=True, slots=True)
class Span:
    """A time from its first millisecond up to, and without, its last."""

    start_ms: int
    end_ms: int


def day_of(now_ms: int) -> datetime:
    """Return the beginning of the day, in UTC."""
    moment = datetime.fromtimestamp(now_ms / 1000, UTC)
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def span(start: datetime, end: datetime) -> Span:
    """Return the span between two moments."""
    return Span(round(start.timestamp() * 1000), round(end.timestamp() * 1000))


def days(start: datetime, count: int = 1) -> Span:
    """Return so many days from one on."""
    return span(start, start + timedelta(days=count))


def last_days(now_ms: int, count: int) -> Span:
    """Return the days up to now, today included."""
    return Span(now_ms - count * DAY_MS, now_ms + 1)


def week(today: datetime, back: int) -> Span:
    """Return a calendar week, Monday to Sunday; 0 is the current one."""
    monday = today - timedelta(days=today.weekday() + 7 * back)
    return days(monday, 7)


def month(today: datetime, back: int) -> Span:
    """Return a calendar month; 0 is the current one."""
    index = today.year * 12 + today.month - 1 - back
    return month_of(today, year=index // 12, number=index % 12 + 1)


def month_of(today: datetime, *, year: int, number: int) -> Span:
    """Return one month of one year."""
    start = today.replace(year=year, month=number, day=1)
    following = start.replace(year=year + number // 12, month=number % 12 + 1)
    return span(start, following)


def quarter_of(today: datetime, *, year: int, number: int) -> Span:
    """Return one quarter of one year; the first is 0."""
    first = month_of(today, year=year, number=number * 3 + 1)
    last = month_of(today, year=year, number=number * 3 + 3)
    return Span(first.start_ms, last.end_ms)


def latest_month(today: datetime, number: int) -> Span:
    """Return the latest month of that number which has begun."""
    return month_of(today, year=today.year - (number > today.month), number=number)


def third(whole: Span, part: int) -> Span:
    """Return the first, middle or last third (0, 1, 2) of a span."""
    step = (whole.end_ms - whole.start_ms) // 3
    start = whole.start_ms + part * step
    return Span(start, whole.end_ms if part == 2 else start + step)


def year(today: datetime, back: int) -> Span:
    """Return a calendar year; 0 is the current one."""
    start = today.replace(year=today.year - back, month=1, day=1)
    return span(start, start.replace(year=start.year + 1))


def weekday(today: datetime, number: int, *, weeks_back: int) -> Span:
    """Return a day (Monday is 0) of a calendar week."""
    monday = today - timedelta(days=today.weekday() + 7 * weeks_back)
    return days(monday + timedelta(days=number))


def previous_weekday(today: datetime, number: int) -> Span:
    """Return the latest such day before today."""
    back = (today.weekday() - number - 1) % 7 + 1
    return days(today - timedelta(days=back))


def latest_date(today: datetime, *, number: int, day: int) -> Span | None:
    """Return the latest such date that has begun, or None where the month has no such day."""
    try:
        found = today.replace(month=number, day=day)
        return days(found if found <= today else found.replace(year=today.year - 1))
    except ValueError:
        return None
