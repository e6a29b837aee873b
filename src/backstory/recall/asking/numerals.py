"""Numbers, months and weekdays as people write them, in English and Chinese. Pure."""

import re

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS_ZH = "一二三四五六日"
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DIGITS_ZH = "零一二三四五六七八九十"

# "A few" and 几 are anybody's guess: enough to reach what was meant.
_VAGUE = {"a": 1, "an": 1, "couple of": 2, "a couple of": 2, "few": 4, "a few": 4, "several": 5}
_VAGUE_ZH = {"两": 2, "几": 5}
_NUMBERS = {word: number for number, word in enumerate(_DIGITS)} | _VAGUE
_NUMBERS_ZH = {word: number for number, word in enumerate(_DIGITS_ZH)} | _VAGUE_ZH

COUNT = r"\d{1,3}|" + "|".join(
    re.escape(word) for word in sorted(_NUMBERS, key=lambda word: -len(word))
)
COUNT_ZH = f"[0-9]{{1,3}}|[{_DIGITS_ZH}两几]{{1,3}}"
MONTH = "|".join(name if name == "may" else f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS)
MONTH_ZH = f"(?<![0-9{_DIGITS_ZH}第])(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
WEEKDAY = "|".join(_WEEKDAYS)


def number_of(word: str) -> int:
    """Return the number that a word or numeral means; an unknown one is 1."""
    plain = " ".join(word.lower().split())
    if plain.isdecimal():
        return int(plain)
    if plain in _NUMBERS:
        return _NUMBERS[plain]
    tens, ten, ones = plain.partition("十")
    if ten:
        return _NUMBERS_ZH.get(tens, 1) * 10 + _NUMBERS_ZH.get(ones, 0)
    return _NUMBERS_ZH.get(plain, 1)


def month_number(word: str) -> int:
    """Return the number of a month, named in English or numbered in Chinese."""
    begun = [name[:3] for name in _MONTHS]
    return begun.index(word[:3].lower()) + 1 if word[:3].lower() in begun else number_of(word)


def weekday_number(word: str) -> int:
    """Return the number of a weekday; Monday is 0."""
    if word.lower() in _WEEKDAYS:
        return _WEEKDAYS.index(word.lower())
    return _WEEKDAYS_ZH.index("日" if word == "天" else word)
