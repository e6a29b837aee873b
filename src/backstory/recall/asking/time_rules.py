"""What words of time mean: each phrase with its span, for a question that may hold one. Pure.

Weeks begin on Monday and days in UTC. The phrases are in data/times.txt.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from backstory.capture.packaged import packaged_text
from backstory.model.limits import DAY_MS
from backstory.recall.asking import spans
from backstory.recall.asking.numerals import (
    COUNT,
    COUNT_ZH,
    MONTH,
    MONTH_ZH,
    WEEKDAY,
    month_number,
    number_of,
    weekday_number,
)
from backstory.recall.asking.spans import Span


@dataclass(frozen=True, slots=True)
class _Now:
    """The moment of the question, the day it falls on, and the number that a rule was given."""

    now_ms: int
    today: datetime
    number: int

    def at(self, number: int) -> "_Now":
        """Return the same moment for another number."""
        return _Now(self.now_ms, self.today, number)


_Rule = Callable[[re.Match[str], _Now], "Span | None"]


def meant_in(text: str, now_ms: int) -> tuple[Span | None, str]:
    """Return the span that a normalised question means and the question without those words."""
    today = spans.day_of(now_ms)
    for pattern, rule, number in _rules():
        found = pattern.search(text)
        meant = rule(found, _Now(now_ms, today, number)) if found else None
        if found and meant:
            return meant, f"{text[: found.start()]} {text[found.end() :]}"
    return None, text


def _date(found: re.Match[str], now: _Now) -> Span | None:
    year, month, day = int(found["y"]), int(found["m"]), int(found["d"])
    try:
        return spans.days(now.today.replace(year=year, month=month, day=day))
    except ValueError:
        return None


def _day(_: re.Match[str], now: _Now) -> Span:
    return spans.days(spans.day_of(max(0, now.now_ms - now.number * DAY_MS)))


def _days(_: re.Match[str], now: _Now) -> Span:
    return spans.last_days(now.now_ms, now.number)


def _ago(found: re.Match[str], now: _Now) -> Span:
    count, unit = number_of(found["count"]), _unit(found)
    if unit == "day":
        return _day(found, now.at(count))
    if unit == "week":
        return spans.week(now.today, count)
    return spans.month(now.today, count) if unit == "month" else spans.year(now.today, count)


_DAYS_OF = {"day": 1, "week": 7, "month": 31, "year": 366}


def _past(found: re.Match[str], now: _Now) -> Span:
    return spans.last_days(now.now_ms, number_of(found["count"]) * _DAYS_OF[_unit(found)])


def _unit(found: re.Match[str]) -> str:
    unit = found["unit"].lower()
    if unit[0] in "d天日":
        return "day"
    if unit[0] == "w" or unit[-1] in "周期拜":
        return "week"
    return "month" if unit[0] == "m" or unit[-1] == "月" else "year"


def _weekday(found: re.Match[str], now: _Now) -> Span:
    number = weekday_number(found["day"])
    if found["which"].lower() == "last":
        return spans.previous_weekday(now.today, number)
    return spans.weekday(now.today, number, weeks_back=0)


def _weekday_zh(found: re.Match[str], now: _Now) -> Span:
    back = found["which"].count("上")
    if found["day"] == "末":
        return _weekend(found, now.at(back))
    return spans.weekday(now.today, weekday_number(found["day"]), weeks_back=back)


def _weekend(_: re.Match[str], now: _Now) -> Span:
    saturday = spans.weekday(now.today, 5, weeks_back=now.number)
    return Span(saturday.start_ms, saturday.end_ms + DAY_MS)


def _week(_: re.Match[str], now: _Now) -> Span:
    return spans.week(now.today, now.number)


def _month(_: re.Match[str], now: _Now) -> Span:
    return spans.month(now.today, now.number)


def _month_start(_: re.Match[str], now: _Now) -> Span:
    return spans.third(spans.month(now.today, now.number), 0)


def _month_end(_: re.Match[str], now: _Now) -> Span:
    return spans.third(spans.month(now.today, now.number), 2)


def _quarter(_: re.Match[str], now: _Now) -> Span:
    number = (now.today.month - 1) // 3 - now.number
    year = now.today.year + number // 4
    return spans.quarter_of(now.today, year=year, number=number % 4)


def _named_quarter(found: re.Match[str], now: _Now) -> Span:
    number = number_of(found["quarter"] or found["quarter_zh"]) - 1
    year = now.today.year - (number > (now.today.month - 1) // 3)
    return spans.quarter_of(now.today, year=year, number=number)


def _year(_: re.Match[str], now: _Now) -> Span:
    return spans.year(now.today, now.number)


_THIRDS = {
    **dict.fromkeys(("early", "beginning", "start", "初", "上旬"), 0),
    **dict.fromkeys(("mid", "middle", "中旬"), 1),
    **dict.fromkeys(("late", "end", "底", "末", "下旬"), 2),
}


def _named_month(found: re.Match[str], now: _Now) -> Span | None:
    names = found.groupdict()
    number = month_number(names["month"])
    if names.get("day"):
        return spans.latest_date(now.today, number=number, day=number_of(names["day"]))
    whole = spans.latest_month(now.today, number)
    if names.get("year"):
        whole = spans.month_of(now.today, year=int(names["year"]), number=number)
    elif names.get("back"):
        year = now.today.year - (names["back"] == "去年")
        whole = spans.month_of(now.today, year=year, number=number)
    if names.get("since"):
        return Span(whole.start_ms, max(whole.end_ms, now.now_ms + 1))
    words = re.findall(r"\w+", (names.get("part") or "").lower())
    third = next((_THIRDS[word] for word in words if word in _THIRDS), None)
    return whole if third is None else spans.third(whole, third)


_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SEASONS_ZH = {"春": 3, "夏": 6, "秋": 9, "冬": 12}


def _season(found: re.Match[str], now: _Now) -> Span:
    word, which = found["season"].lower(), found["back"].lower()
    first = _SEASONS.get(word) or _SEASONS_ZH[word]
    is_over = which == "last" and first >= now.today.month
    year = now.today.year - (which == "去年" or is_over)
    start = now.today.replace(year=year, month=first, day=1)
    return spans.days(start, 92)


_RULES: dict[str, _Rule] = {
    "date": _date,
    "day": _day,
    "days": _days,
    "ago": _ago,
    "past": _past,
    "weekday": _weekday,
    "weekday_zh": _weekday_zh,
    "weekend": _weekend,
    "week": _week,
    "month": _month,
    "month_start": _month_start,
    "month_end": _month_end,
    "named_month": _named_month,
    "quarter": _quarter,
    "named_quarter": _named_quarter,
    "season": _season,
    "year": _year,
}


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[re.Pattern[str], _Rule, int], ...]:
    source = packaged_text(__spec__, "data/times.txt")
    return tuple(
        _rule_from(line) for line in source.splitlines() if line and not line.startswith("#")
    )


def _rule_from(line: str) -> tuple[re.Pattern[str], _Rule, int]:
    head, _, pattern = line.partition(" | ")
    name, _, number = head.partition(" ")
    for mark, words in (
        ("{COUNT}", COUNT),
        ("{MONTH}", MONTH),
        ("{WEEKDAY}", WEEKDAY),
        ("{数}", COUNT_ZH),
        ("{月}", MONTH_ZH),
    ):
        pattern = pattern.replace(mark, words)
    return re.compile(pattern, re.IGNORECASE), _RULES[name], int(number or 0)
