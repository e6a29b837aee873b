"""Words of time in a question: which span they mean, and the question without them. Pure.

Weeks begin on Monday and days in UTC. Only words that clearly look back count: "on Friday"
and 周五 may name a rule ("no release on Friday"), "last Friday" and 上周五 do not.
"""

import re
from collections.abc import Callable
from datetime import datetime

from backstory.recall import spans
from backstory.recall.spans import Span

_MONTHS_EN = "january february march april may june july august september october november december"
_WEEKDAYS_EN = "monday tuesday wednesday thursday friday saturday sunday"
_DIGITS_ZH = {c: n for n, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "几": 7, "半": 0}
_NUMBERS_EN = {
    word: n
    for n, word in enumerate("zero one two three four five six seven eight nine ten".split())
} | {"a": 1, "an": 1, "couple of": 2, "a couple of": 2, "few": 4, "a few": 4, "several": 5}

_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if name != "may" else name for name in _MONTHS_EN.split())
_WEEKDAY = "|".join(_WEEKDAYS_EN.split())
_COUNT = r"\d{1,3}|(?:a )?couple of|(?:a )?few|" + "|".join(map(re.escape, sorted(_NUMBERS_EN, key=len, reverse=True)))
_ZH_COUNT = "[0-9]{1,3}|[一二两三四五六七八九十几]{1,2}"
_ZH_MONTH = "(?<![0-9一二三四五六七八九十第])(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月"

_Rule = Callable[[re.Match[str], datetime, int], "Span | None"]


def time_in(text: str, now_ms: int) -> tuple[Span | None, str]:
    """Return the span that a normalised question means and the question without those words."""
    today = spans.day_of(now_ms)
    for pattern, rule in _RULES:
        found = pattern.search(text)
        meant = rule(found, today, now_ms) if found else None
        if found and meant:
            return meant, f"{text[: found.start()]} {text[found.end() :]}"
    return None, text


def _number(word: str) -> int:
    word = " ".join(word.lower().split())
    if word.isdecimal():
        return int(word)
    if word in _NUMBERS_EN:
        return _NUMBERS_EN[word]
    tens, ten, ones = word.partition("十")
    if ten:
        return _DIGITS_ZH.get(tens, 1) * 10 + _DIGITS_ZH.get(ones, 0)
    return _DIGITS_ZH.get(word, 1)


def _ago(found: re.Match[str], today: datetime, now_ms: int) -> Span | None:
    count, unit = _number(found["count"]), found["unit"].lower()
    if unit[0] in "d天日":
        return spans.days(spans.day_of(max(0, now_ms - count * 86_400_000)))
    if unit[0] in "w周星礼":
        return spans.week(today, count)
    return spans.month(today, count) if unit[0] in "m个月" else spans.year(today, count)


def _past(found: re.Match[str], today: datetime, now_ms: int) -> Span | None:
    unit = found["unit"].lower()
    length = 1 if unit[0] in "d天日" else 7 if unit[0] in "w周星礼" else 31 if unit[0] in "m个月" else 366
    return spans.last_days(now_ms, _number(found["count"]) * length)


def _named_month(found: re.Match[str], today: datetime, now_ms: int) -> Span | None:
    names = found.groupdict()
    number = _month_number(names["month"])
    whole = spans.latest_month(today, number)
    if names.get("year"):
        whole = spans.month_of(today, int(names["year"]), number)
    elif names.get("back"):
        whole = spans.month_of(today, today.year - (names["back"] in {"去年", "last year"}), number)
    if names.get("day"):
        return spans.latest_date(today, number, _number(names["day"]))
    if names.get("since"):
        return Span(whole.start_ms, now_ms + 1)
    part = _PARTS.get((names.get("part") or "").lower().rstrip("- "))
    return whole if part is None else spans.third(whole, part)


_PARTS = {
    "early": 0, "beginning of": 0, "start of": 0, "mid": 1, "middle of": 1, "late": 2, "end of": 2,
    "初": 0, "上旬": 0, "中": 1, "中旬": 1, "底": 2, "末": 2, "下旬": 2,
}  # fmt: skip


def _month_number(word: str) -> int:
    names = [name[:3] for name in _MONTHS_EN.split()]
    return names.index(word[:3].lower()) + 1 if word[:3].lower() in names else _number(word)


def _last_weekday(found: re.Match[str], today: datetime, now_ms: int) -> Span | None:
    number = _WEEKDAYS_EN.split().index(found["day"].lower())
    if found["which"].lower() == "last":
        return spans.previous_weekday(today, number)
    return spans.weekday(today, number, 0)


def _zh_weekday(found: re.Match[str], today: datetime, now_ms: int) -> Span | None:
    back = found["which"].count("上")
    if found["day"] == "末":
        return spans.days(spans.day_of(spans.weekday(today, 5, back).start_ms), 2)
    return spans.weekday(today, "一二三四五六日天".index(found["day"]) % 7, back)


def _season(found: re.Match[str], today: datetime, now_ms: int) -> Span | None:
    word = found["season"].lower()
    first = {"s": 3, "春": 3, "夏": 6, "a": 9, "f": 9, "秋": 9, "w": 12, "冬": 12}[word[0]]
    first = 6 if word == "summer" else first
    back = (found["back"] == "去年") or (found["back"].lower() == "last" and first >= today.month)
    start = today.replace(year=today.year - back, month=first, day=1)
    if start > today:
        start = start.replace(year=start.year - 1)
    return spans.days(start, 92)


def _iso(found: re.Match[str], today: datetime, now_ms: int) -> Span | None:
    try:
        return spans.days(today.replace(year=int(found["y"]), month=int(found["m"]), day=int(found["d"])))
    except ValueError:
        return None


def _fixed(make: Callable[[datetime, int], Span]) -> _Rule:
    return lambda _, today, now_ms: make(today, now_ms)


def _until_now(whole: Span, now_ms: int) -> Span:
    return Span(whole.start_ms, now_ms + 1)


def _rules() -> list[tuple[re.Pattern[str], _Rule]]:
    day = 86_400_000
    table: list[tuple[str, _Rule]] = [
        (r"(?P<y>20\d\d)-(?P<m>\d\d)-(?P<d>\d\d)", _iso),
        (r"\b(?:the )?day before yesterday\b|(?<!大)前天", _fixed(lambda t, n: spans.days(spans.day_of(n - 2 * day)))),
        (r"大前天", _fixed(lambda t, n: spans.days(spans.day_of(n - 3 * day)))),
        (r"\byesterday(?:'s)?\b|昨[天日晚]", _fixed(lambda t, n: spans.days(spans.day_of(n - day)))),
        (r"\btoday(?:'s)?\b|\bthis (?:morning|afternoon|evening)\b|今[天日早晚]", _fixed(lambda t, n: spans.days(t))),
        (r"\bthe other day\b|前几天|前两天|前些天", _fixed(lambda t, n: spans.last_days(n, 7))),
        (rf"\b(?P<count>{_COUNT})\s+(?P<unit>days?|weeks?|months?|years?)\s+ago\b", _ago),
        (rf"(?P<count>{_ZH_COUNT})(?P<unit>天|日|周|个?星期|个?礼拜|个月|年)(?:以前|之前|前)", _ago),
        (rf"\b(?:in |over |during )?(?:the )?(?:past|last)\s+(?P<count>{_COUNT})\s+(?P<unit>days?|weeks?|months?|years?)\b", _past),
        (rf"(?:最近|过去|近)(?:的)?(?P<count>{_ZH_COUNT})(?P<unit>天|日|周|个?星期|个?礼拜|个月|年)", _past),
        (rf"\b(?P<which>last|this)\s+(?P<day>{_WEEKDAY})(?:'s)?\b", _last_weekday),
        (r"(?P<which>上+个?|[这本]个?)(?:周|星期|礼拜)(?P<day>[一二三四五六日天末])", _zh_weekday),
        (r"\blast weekend(?:'s)?\b", _fixed(lambda t, n: spans.days(spans.day_of(spans.weekday(t, 5, 1).start_ms), 2))),
        (r"\b(?:the )?week before last\b|上上个?(?:周|星期|礼拜)", _fixed(lambda t, n: spans.week(t, 2))),
        (r"\b(?:during |in )?last week(?:'s)?\b|上个?(?:周|星期|礼拜)", _fixed(lambda t, n: spans.week(t, 1))),
        (r"\b(?:earlier |during |in )?this week(?:'s)?\b|[这本]个?(?:周|星期|礼拜)", _fixed(lambda t, n: spans.week(t, 0))),
        (r"\b(?:the )?month before last\b|上上个?月", _fixed(lambda t, n: spans.month(t, 2))),
        (r"\b(?:the )?(?:beginning|start) of last month\b|上个?月初", _fixed(lambda t, n: spans.third(spans.month(t, 1), 0))),
        (r"\b(?:the )?end of last month\b|上个?月[底末]", _fixed(lambda t, n: spans.third(spans.month(t, 1), 2))),
        (r"\b(?:early |late |during |in )?last month(?:'s)?\b|上个?月", _fixed(lambda t, n: spans.month(t, 1))),
        (r"\b(?:the )?(?:beginning|start) of (?:this|the) month\b|(?:[这本]个?)?月初", _fixed(lambda t, n: spans.third(spans.month(t, 0), 0))),
        (r"\b(?:earlier |during |in )?this month(?:'s)?\b|[这本]个?月", _fixed(lambda t, n: spans.month(t, 0))),
        (rf"(?P<back>今年|去年)?(?:(?P<since>自从|从|自))?{_ZH_MONTH}(?:份)?(?:的)?(?:(?P<day>\d{{1,2}}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]|(?P<part>初|上旬|中旬|中(?![一-鿿])|底|末|下旬))?", _named_month),
        (rf"\b(?:(?:in|during|of|from|back in)\s+)?(?P<since>since\s+)?(?P<part>early |late |mid-|mid |(?:the )?(?:beginning|start|middle|end) of )?(?P<month>{_MONTH})\s+(?P<year>20\d\d)\b", _named_month),
        (rf"\b(?P<month>{_MONTH})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b", _named_month),
        (rf"\b(?:in|during|of|from|back in|since|last)\s+(?P<part>early |late |mid-|mid |(?:the )?(?:beginning|start|middle|end) of )?(?P<month>{_MONTH})(?:'s)?\b", _named_month),
        (rf"\b(?P<part>early |late |mid-|mid |(?:the )?(?:beginning|start|middle|end) of )(?P<month>{_MONTH})(?:'s)?\b", _named_month),
        (r"\b(?P<month>january|february|april|june|july|august|september|october|november|december)(?:'s)?\b", _named_month),
        (r"\b(?:in )?(?P<back>last|this)\s+(?P<season>spring|summer|autumn|fall|winter)(?:'s)?\b", _season),
        (r"(?P<back>今年|去年)(?P<season>[春夏秋冬])[天季]?", _season),
        (r"\b(?:in |during )?last year(?:'s)?\b|去年", _fixed(lambda t, n: spans.year(t, 1))),
        (r"\b(?:earlier |in )?this year(?:'s)?\b|今年", _fixed(lambda t, n: spans.year(t, 0))),
        (r"\b(?:most )?recent(?:ly)?\b|\blately\b|\bin recent weeks\b|最近|近期|近来|这几天|这两天|这阵子", _fixed(lambda t, n: spans.last_days(n, 30))),
    ]  # fmt: skip
    return [(re.compile(pattern, re.IGNORECASE), rule) for pattern, rule in table]


_RULES = _rules()
