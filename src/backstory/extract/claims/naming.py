"""Claims about names: what they begin and end with, and how they are written."""

import re
from functools import lru_cache

from backstory.capture.wording import is_negated
from backstory.extract.claims.slots import mentions_in, read_table, words_in
from backstory.model.candidate import Claim

# The letters that a name begins or ends with: quoted, in backticks, or with a mark at one end.
_LITERAL = re.compile(
    r"[\"'`“”‘’「『]\s*(?P<quoted>(?!@)[^\s\"'`“”‘’」』]{1,24})\s*[\"'`“”‘’」』]"
    r"|(?<![\w.])(?P<marked>(?:_+[a-z0-9]+|[a-z0-9]+[_-](?![\w-])|[a-z0-9]+/(?!\w)|-[a-z]{2,}(?![\w-])))"
)
_NAMED = re.compile(
    r"\b(?:naming|defining|declaring)\s+(?:(?:your|the|all|any|our|new|a|an)\s+)*$"
)
_WITH = re.compile(r"\b(?:with|in|by)\b|以|用")
# A second order, or a noun that makes the quoted word a name of something else.
_PARTS = re.compile(r"\bfrom\b|\band (?:start|end|begin|use)|\w+ing (?:the|a|an)\b")
_AFFIX_NOUNS = frozenset({"prefix", "prefixes", "suffix", "suffixes", "前缀", "后缀", "append"})
# What lies between a literal and its place without parting them.
_REACH_CHARS = 48
# "All names": the statement limits itself to no one kind of thing.
_ANY_NAME = re.compile(r"\bnames?\b|\bnaming\b|命名|名字|名称|标识符|\bidentifiers?\b")


def affix_in(text: str, plain: str) -> Claim | None:
    """Return the claim of a rule such as "function names start with x_", or None."""
    literals = list(_LITERAL.finditer(plain))
    pairs = [
        (_order(start, end, literal=literal), place, literal)
        for start, end, place in words_in(plain, _places())
        for literal in literals
        if _joins(plain, (start, end), literal=literal)
    ]
    if not pairs:
        return None
    _, place, literal = min(pairs, key=lambda pair: pair[0])
    subject = _entity_near(plain, literal.start())
    if subject is None:
        return None
    value = text[literal.start() : literal.end()].strip("\"'`“”‘’「」『』 ")
    return Claim(
        subject=f"{subject} name", attribute=place, value=value, is_negative=is_negated(plain)
    )


def _order(start: int, end: int, *, literal: re.Match[str]) -> tuple[bool, int]:
    """Order pairs: "start with x_" before "x_ … start"; then the nearer one."""
    is_after = start >= literal.end()
    return is_after, (start - literal.end() if is_after else literal.start() - end)


def _joins(plain: str, place: tuple[int, int], *, literal: re.Match[str]) -> bool:
    """Whether a place ("starts") is said of this literal, with nothing but grammar between."""
    start, end = place
    between = (
        plain[end : literal.start()] if end <= literal.start() else plain[literal.end() : start]
    )
    if len(between) > _REACH_CHARS or _PARTS.search(between):
        return False
    is_name = plain[start:end] in _AFFIX_NOUNS
    if is_name or end > literal.start() or _WITH.search(between):
        return True
    # "All names end '_h'": the letters themselves tell that they are part of a name.
    word = literal.group().strip("\"'`“”‘’「」『』 ")
    return "," not in between and not (word[0].isalnum() and word[-1].isalnum())


def case_in(plain: str) -> Claim | None:
    """Return the claim of a rule such as "snake_case for variables", or None."""
    values = [
        (mention.start, filling.value)
        for mention in mentions_in(plain)
        for filling in mention.fillings
        if filling.slot.needs_entity
    ]
    if not values or len({value for _, value in values}) != 1:
        return None
    start, value = values[0]
    subject = _entity_near(plain, start)
    if subject is None:
        return None
    return Claim(
        subject=f"{subject} name", attribute="case", value=value, is_negative=is_negated(plain)
    )


def _entity_near(plain: str, at: int) -> str | None:
    """Return the kind of thing spoken of last before this place, else next, else "any"."""
    # "When naming arguments, end the variable name with …" is about arguments.
    found = [
        (not _NAMED.search(plain, 0, start), start > at, abs(at - start), entity)
        for start, _, entity in words_in(plain, _entities())
    ]
    if found:
        return min(found)[3]
    return "any" if _ANY_NAME.search(plain) else None


@lru_cache(maxsize=1)
def _entities() -> dict[str, str]:
    return _inverted("entities")


@lru_cache(maxsize=1)
def _places() -> dict[str, str]:
    return _inverted("places")


def _inverted(table: str) -> dict[str, str]:
    rows = read_table("naming")[table]
    return {spelling: name for name, spellings in rows.items() for spelling in spellings}
