"""Which name of a slot a statement chooses or rejects, and for which part of the project."""

import re
from dataclasses import dataclass

from backstory.capture.wording import core_terms_of, retracted_terms_of
from backstory.extract.claims.slots import (
    Filling,
    Mention,
    Noun,
    Slot,
    mentions_in,
    nouns_in,
)
from backstory.model.candidate import Claim

# A choice does not reach over these marks.
_CLAUSE_MARK = re.compile(
    r"[,;:!?。、\n]|\.(?=\s|$)|\s[-–—]+\s|——|因为|由于|\bbecause\b|\bsince\b|\bso that\b"
)

# A word that turns away from the first name after it, and from those joined to that one.
_REJECTS_NEXT = re.compile(
    r"(?:\b(?:instead of|rather than|not(?! only)|no|never|no longer|don't|do not|doesn't|won't|stop|"
    r"avoid|without|away from|moving off|off|from|drop|dropping|ditch|ditching|remove|removing|replace|"
    r"replacing|over|than|get rid of|abandon|retire|retiring|forbid|banned?|leave|leaving)\b"
    r"|不使用|不采用|不再用|不再|不要|不用|不是|不考虑|不能用|不许用|不准用|不|别再|别|弃用|停用|禁用|禁止|避免|"
    r"放弃|淘汰|而不是|而非|代替|替代|取代|替换掉?|去掉|从|把)"
)
_REJECTED_AFTER = re.compile(
    r"\s*(?:(?:is|are|was|were)\s+(?:out|gone|dropped|deprecated|forbidden|banned|retired|not|no longer|off)\b"
    r"|(?:就|也|都|那套)?(?:不用了?|不要了?|不再用?了?|弃用|停用|作废|不考虑|淘汰|下线)(?=了|吧|\s*(?:$|[,.;!。、])))"
)
_JOINER = re.compile(r"\s*(?:,|、|/|\bor\b|\bnor\b|\band\b|和|或|或者|跟|与)\s*")

# What may stand right before a chosen name.
_CHOOSES = re.compile(
    r"(?:\b(?:use|uses|using|used|with|to|on|go|choose|chose|pick|picked|adopt|adopting|via|in|by|is|are|be|"
    r"stays?|remains?|prefer|favour|favor|through|run|runs|running|install|need|want|take|it's|as|"
    r"only|just|always|from here on|from now on|means|speak|write|indent|all)"
    r"(?:\s+(?:a|an|the|our|plain|just|only|pure|strictly|always|my|your|with|in|to|on|be))*"
    r"|使用|采用|选用|改用|用|选|定|上|走|是|为|成|到|以|存|放|写|统一|只|就|全|都|：|写成|要|搞|按)\s*[\"'`“「]?$"
)
# What may stand right after a chosen name; other words make it part of a longer name.
_FOLLOWS = re.compile(
    r"[\"'`”」]?\s*(?:$|[,.;:!?()。、\-–—/+&]|\d|v\d|(?:for|as|in|on|at|and|or|instead|everywhere|only|from|now|by|not|"
    r"over|rather|to|with|across|throughout|because|since|when|until|till|unless|if|here|please|version|"
    r"style|format|is|are|will|was|but|so|then|that|which|exclusively|going|after|before|always|all|again|"
    r"too|indentation|at|of|than|mode|no|never|we|i|don't|it|every|onwards?|per)\b"
    r"|[不写做来当作为存跑管吧了就统一及或并而不也都,和跟呗啦哈呢哦算吗最以起即放]|的(?:了|吧)?$|开发|实现|部署|进行|格式|风格|命名|回答|回复|缩进|注释|编码|版本|方式|测试|构建|打包|缓存|队列|数据库|日志)"
)
_QUALIFIER_AFTER = re.compile(
    r"\b(?:for|in|on|of|inside|within|under)\s+((?:[\w'/.*-]+\s*){1,5})|(?:给|用于|用在|只在)([^,。;]{1,14})"
)
_VERB = re.compile(
    r"\b(?:use|uses|using|is|are|goes?|moves?|will|should|must|to|switch|prefer|from|replace|drop|don't|never|not|no)\b"
    r"|决定|使用|改用|改为|采用|换成|改成|就用|不用|不要|用|定|走|是|存|放|为|写|从|把|别"
)
_VERSION = re.compile(r"\s*(?:version\s*|v)?(\d+(?:\.(?:\d+|x))*)(?![\w%])")
_QUALIFIER_TERMS_MAX = 4
# Words that limit nothing: the part of the project that they name is all of it.
_LIMITS_NOTHING = frozenset(
    (
        "main primari default app applic system whole entir thing work reason speed simplic "
        "moment sure good code file chang starter produc stack side layer part tool librari "
        "framework choic option best better end day long term short run scratch case simpl easi "
        "fast rais increas lower bump cap reduc max maximum minimum 主要 默认 整个 系统 应用 "
        "代码 方案 工具 目前 暂时 方面 部分 这次 这边 这块 这里 开发"
    ).split()  # noqa: SIM905 — a list of seventy literals would not read better
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """One mention as one slot's name: chosen or rejected, and how sure it is."""

    mention: Mention
    filling: Filling
    is_rejected: bool
    has_noun: bool
    clause: tuple[int, int]


def choice_in(text: str, plain: str) -> Claim | None:
    """Return the claim of a statement that chooses or rejects a known name, or None.

    `plain` is the folded text, character for character. None where several names of the
    same slot are chosen together, or where no slot can be told.
    """
    mentions, nouns = mentions_in(plain), nouns_in(plain)
    readings = [
        reading
        for mention in mentions
        for reading in _readings(text, plain, mention, mentions, nouns)
    ]
    best = _best(readings)
    if best is None:
        return None
    slot = best.filling.slot
    values = {r.filling.value for r in readings if r.filling.slot == slot and not r.is_rejected}
    if len(values) > 1:
        return None
    return Claim(
        subject=_subject(plain, best, nouns),
        value=_value(plain, best),
        is_negative=best.is_rejected,
    )


def topic_in(plain: str) -> str | None:
    """Return the one slot that a text names and says nothing of ("drop the indentation rule")."""
    nouns = nouns_in(plain)
    left = _blanked(plain, 0, len(plain), list(nouns))
    if retracted_terms_of(left) or not core_terms_of(left):
        return None
    names = {noun.slots[0].name for noun in nouns if len(noun.slots) == 1}
    return names.pop() if len(names) == 1 else None


def _readings(
    text: str,
    plain: str,
    mention: Mention,
    mentions: tuple[Mention, ...],
    nouns: tuple[Noun, ...],
) -> list[_Reading]:
    clause = _clause_around(plain, mention)
    is_rejected = _is_rejected(plain, clause, mention, mentions)
    if not is_rejected and not _is_chosen(plain, clause, mention, nouns):
        return []
    return [
        _Reading(
            mention=mention,
            filling=filling,
            is_rejected=is_rejected,
            has_noun=has_noun,
            clause=clause,
        )
        for filling in mention.fillings
        if not filling.slot.needs_entity
        for has_noun in [_has_noun(filling.slot, mention, nouns)]
        if has_noun or not filling.slot.needs_noun
        if has_noun or not filling.is_careful or _is_marked(text, mention)
    ]


def _clause_around(plain: str, mention: Mention) -> tuple[int, int]:
    start, end = 0, len(plain)
    for mark in _CLAUSE_MARK.finditer(plain):
        if mark.end() <= mention.start:
            start = mark.end()
        elif mark.start() >= mention.end:
            return start, mark.start()
    return start, end


def _is_rejected(
    plain: str, clause: tuple[int, int], mention: Mention, mentions: tuple[Mention, ...]
) -> bool:
    if _REJECTED_AFTER.match(plain, mention.end, clause[1]):
        return True
    first = mention
    for other in reversed([m for m in mentions if clause[0] <= m.start < mention.start]):
        if not _JOINER.fullmatch(plain, other.end, first.start):
            return _REJECTS_NEXT.search(plain, other.end, first.start) is not None
        first = other
    return _REJECTS_NEXT.search(plain, clause[0], first.start) is not None


def _is_chosen(
    plain: str, clause: tuple[int, int], mention: Mention, nouns: tuple[Noun, ...]
) -> bool:
    before = plain[clause[0] : mention.start]
    if not _fits_after(plain, mention, nouns):
        return False
    return not before.strip(" \"'`“「(") or _CHOOSES.search(before) is not None


def _fits_after(plain: str, mention: Mention, nouns: tuple[Noun, ...]) -> bool:
    """Whether the name ends here, and is not the first word of a longer one."""
    if _FOLLOWS.match(plain, mention.end):
        return True
    rest = len(plain[mention.end :]) - len(plain[mention.end :].lstrip(" \"'`"))
    names = {filling.slot.name for filling in mention.fillings}
    return any(
        noun.start == mention.end + rest and names & {slot.name for slot in noun.slots}
        for noun in nouns
    )


def _has_noun(slot: Slot, mention: Mention, nouns: tuple[Noun, ...]) -> bool:
    return any(
        slot in noun.slots
        for noun in nouns
        if noun.end <= mention.start or noun.start >= mention.end
    )


def _is_marked(text: str, mention: Mention) -> bool:
    """Whether an ordinary word is written as a name: in backticks, capital, or beside Chinese."""
    before = text[mention.start - 1] if mention.start else ""
    after = text[mention.end : mention.end + 1]
    if before == "`" and after == "`":
        return True
    is_inside = mention.start > 0 and bool(text[: mention.start].strip(" \"'`"))
    if is_inside and text[mention.start].isupper():
        return True
    near = text[: mention.start].rstrip()[-1:] + text[mention.end :].lstrip()[:1]
    return any("\u4e00" <= character <= "\u9fff" for character in near)


def _best(readings: list[_Reading]) -> _Reading | None:
    """Return the surest: beside its slot's noun, not only a setting, chosen, said first."""
    if not readings:
        return None
    return min(
        readings,
        key=lambda r: (
            r.filling.slot.is_weak,
            not r.has_noun,
            r.is_rejected,
            r.filling.is_careful,
            r.mention.start,
        ),
    )


def _value(plain: str, reading: _Reading) -> str:
    version = _VERSION.match(plain, reading.mention.end)
    value = reading.filling.value
    return f"{value} {version.group(1)}" if version else value


def _subject(plain: str, reading: _Reading, nouns: tuple[Noun, ...]) -> str:
    """Return the slot's name with the part of the project that the clause limits it to."""
    slot = reading.filling.slot
    start, end = reading.clause
    own = [n for n in nouns if slot in n.slots and start <= n.start and n.end <= end]
    # Before the name, only the subject limits it: what stands before the verb.
    before = _VERB.split(_blanked(plain, start, reading.mention.start, own))[0]
    after = _QUALIFIER_AFTER.search(_blanked(plain, reading.mention.end, end, own))
    limit = f"{before} {(after.group(1) or after.group(2)) if after else ''}"
    terms = [term for term in core_terms_of(limit) if _limits(term)]
    if not terms or len(terms) > _QUALIFIER_TERMS_MAX:
        return slot.name
    return f"{slot.name} @ {' '.join(sorted(terms))}"


def _limits(term: str) -> bool:
    return len(term) > 1 and term not in _LIMITS_NOTHING and not mentions_in(term)


def _blanked(plain: str, start: int, end: int, nouns: list[Noun]) -> str:
    characters = list(plain)
    for noun in nouns:
        characters[noun.start : noun.end] = " " * (noun.end - noun.start)
    return "".join(characters[start:end])
