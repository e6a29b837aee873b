"""Claims whose value is a number: a version, a length, a limit."""

import re

from backstory.capture.wording import core_terms_of, is_negated
from backstory.extract.claims.slots import Noun, nouns_in
from backstory.model.candidate import Claim

# A number right after its noun, or at most a few plain words away.
_AFTER = re.compile(
    r"(?:\s*(?:version|v|of|to|at|is|are|be|=|:|>=|<=|≥|≤|~|stays?|goes|under|below|above|within|over|least|most|max|maximum|"
    r"limit|limited|capped|set|must|should|will|can|not|exceed|drop|fall|go|than|more|fewer|less|no|longer|wrap|wrapped|"
    r"have|has|from|now|on|we|use|限制|上限|不超过|不能超过|不得超过|最多|最长|至少|控制|控制在|定为|定在|定|改成|改为|设为|设成|"
    r"设置为|统一|统一用|使用|为|是|用|到|在|以内|不能|低于|高于|默认|,|，|'|\"))*\s*"
    r"(?P<number>\d+(?:[.:]\d+)*(?:\.x)?)\s*(?P<unit>[a-z%]+|[\u4e00-\u9fff]{1,3})?"
)
_BEFORE = re.compile(
    r"(?P<number>\d+(?:[.:]\d+)*)[-\s]*(?P<unit>[a-z%]+|[\u4e00-\u9fff]{1,3})?\s*$"
)
_UNIT = re.compile(
    r"^(?:milliseconds?|seconds?|minutes?|hours?|ms|secs?|s|mins?|h|days?|weeks?|%|percent|lines?|chars?|characters?|columns?|"
    r"kb|mb|gb|times|people|毫秒|秒|分钟|小时|天|周|个?字符|字符|行|列|次|个|人|位|名)"
)
# What has the number is often who does something with it: "the search service listens on port 1".
_DOER = re.compile(
    r"(?<![\w-])(?:the|our)\s+((?:[\w-]+\s+){1,3}?)(?:listens?|runs?|keeps?|uses?|gets?|has|serves?|"
    r"starts?|stores?|binds?|takes?|allows?|waits?|retries|holds?|sends?|reads?|writes?|answers?)(?![\w-])"
    r"|([\w\u4e00-\u9fff-]{2,12}?)(?:监听|跑在|绑定|绑在|占用|走的是)"
)
_MANY_TERMS = 5


def number_in(plain: str) -> Claim | None:
    """Return the claim of a folded statement that gives a known thing a number, or None."""
    for noun in nouns_in(plain):
        for slot in noun.slots:
            found = slot.takes_number and _number_at(plain, noun, is_version=slot.is_version)
            if not found:
                continue
            number, unit = found
            if slot.needs_unit and unit not in slot.needs_unit:
                continue
            return Claim(
                subject=_subject(plain, noun, name=slot.name, number=number),
                value=f"{number} {unit}".strip(),
                is_negative=slot.is_version and is_negated(plain),
            )
    return None


def _number_at(plain: str, noun: Noun, *, is_version: bool) -> tuple[str, str] | None:
    match = _AFTER.match(plain, noun.end)
    if is_version and match and plain[noun.end : match.start("number")].strip(" v"):
        # "python 3.12" is a version; "python files have 300 lines" is none.
        return None
    if match is None and not is_version:
        match = _BEFORE.search(plain, max(0, noun.start - 16), noun.start)
    if match is None:
        return None
    unit = _UNIT.match(match.group("unit") or "")
    return match.group("number"), "" if is_version or unit is None else unit.group()


def _subject(plain: str, noun: Noun, *, name: str, number: str) -> str:
    """Return the slot's name and what it is the number of ("timeout @ client payment")."""
    own = re.compile(
        r"(?:of|for|in)\s+(?:the\s+|our\s+)?((?:[\w-]+\s*){1,3})|([\w\u4e00-\u9fff-]+)(?:'s|的)\s*$"
    )
    doer = _DOER.search(plain[: noun.start])
    before = own.search(plain[: noun.start])
    after = own.match(plain[noun.end :].lstrip())
    limit = " ".join(
        group for match in (doer, before, after) if match for group in match.groups() if group
    )
    terms = [term for term in core_terms_of(limit) if term != number and not term[0].isdigit()]
    if not terms or len(terms) > _MANY_TERMS:
        return name
    return f"{name} @ {' '.join(sorted(terms))}"
