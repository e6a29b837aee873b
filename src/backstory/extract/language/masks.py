"""Which characters of a message are not its speaker's prose: code, logs, pasted text."""

import re
from dataclasses import dataclass

from backstory.extract.language.technical import machine_spans

Span = tuple[int, int]

# What stands for a masked character: a private-use character no one types, so that no
# signal is found in it and no clause ends in it.
QUOTED = "\ue000"

_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})", re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n?")
_INLINE_CODE = re.compile(r"`([^`\n]{1,200})`")
_QUOTATION = re.compile(
    r"“([^“”\n]{1,400})”|\"([^\"\n]{1,400})\"|「([^「」\n]{1,400})」|『([^『』\n]{1,400})』"
    r"|‘([^‘’\n]{1,400})’|(?<![\w])'([^'\n]{12,400})'(?![\w])"
)
# A quotation of this size is somebody's sentence; a shorter one names a thing.
_QUOTED_WORDS_MIN = 4
_QUOTED_HAN_MIN = 6

_FOREIGN_LINE = re.compile(
    r"[ \t]{0,8}(?:"
    r">|"  # a Markdown quotation
    r"[+-]{3} [ab/]|@@ |diff --git |index [0-9a-f]{6,}|"  # a diff
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|"  # a log line
    r"\[?(?:(?:error|warn|warning|info|debug|trace|fatal)\]?[ \t:]|(?:notice|note|hint)[\]:])"
    r"[ \t:]{0,2}(?=\S)"
    r"(?![^\n]{0,200}[。])(?=[^\n]{0,200}[:/(\[=])|"
    r"at [\w$.<>]{1,80} ?\(|File \"|Traceback |Caused by:|"  # a stack trace
    r"[\w./-]{1,80}:\d+(?::\d+)?[: \t]|"  # a compiler's or linter's line
    r"(?:\$|%|>>>|PS>) \S|"  # a shell prompt
    r"(?:import|from) [\w.]{1,60}(?: import|;|$)|"  # code
    r"(?:def|class|func|fn|const|let|var|public|private|export|return|package|use) "
    r"[^\n]{0,120}[;{(:=]\s*$|"
    r"(?://|/\*|\*/|<!--|#!|#include|-- )|[{}\])]{1,3}[;,]?\s*$|"
    r"[\w.\"'-]{1,40}\s?[=:]\s?[\"'\[{\d][^\n]{0,200}[,;\]}\"']\s*$"
    r")",
    re.IGNORECASE,
)
_INTRODUCTION = re.compile(
    r"(?:下面|以下|这(?:是|份|段|个|封)|如下|贴|原文|全文|纪要|通知|邮件|公告|文档|文章|内容|"
    r"below|here(?:'s| is| are)|the following|pasted|paste|printed|says|reads|output|readme|"
    r"docs?|email|notice|ticket|page)"
    r"[^\n]{0,60}[:：]\s*$",
    re.IGNORECASE,
)
_ASKS_FOR_RULES = re.compile(
    r"规矩|规则|约定|规范|要求|习惯|偏好|原则|rules?|conventions?|preferences?|principles|guidelines|decisions?|记住|remember",
    re.IGNORECASE,
)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Masks:
    """Spans of a message that are somebody else's words, by sort."""

    foreign: tuple[Span, ...]  # fences, block quotations, logs, pasted documents
    quoted: tuple[Span, ...]  # the inside of quotation marks that hold a sentence


def masks_of(text: str) -> Masks:
    """Return what in a message is not its speaker's prose."""
    foreign = _fences(text)
    foreign.extend(_foreign_lines(text, foreign))
    foreign.extend(machine_spans(text))
    foreign.extend(_pasted_documents(text))
    return Masks(foreign=tuple(sorted(foreign)), quoted=tuple(_quotations(text)))


def shadow_of(folded: str, masks: Masks) -> str:
    """Return the folded text with quoted characters blanked out; as long as the text."""
    if not masks.quoted:
        return folded
    parts: list[str] = []
    position = 0
    for start, end in masks.quoted:
        if start < position:
            continue
        parts.append(folded[position:start])
        parts.append(QUOTED * (end - start))
        position = end
    parts.append(folded[position:])
    return "".join(parts)


def _fences(text: str) -> list[Span]:
    spans: list[Span] = []
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(text):
        mark = match.group(1)
        if opened is None:
            opened = (match.start(), mark)
        elif mark[0] == opened[1][0] and len(mark) >= len(opened[1]):
            spans.append((opened[0], match.end()))
            opened = None
    if opened is not None:
        spans.append((opened[0], len(text)))
    return spans


def _foreign_lines(text: str, fences: list[Span]) -> list[Span]:
    spans: list[Span] = []
    ends = iter(sorted(fences))
    fence = next(ends, None)
    for match in _LINE.finditer(text):
        while fence is not None and fence[1] <= match.start():
            fence = next(ends, None)
        if match.start() == match.end() or (fence and fence[0] <= match.start() < fence[1]):
            continue
        if _FOREIGN_LINE.match(text, match.start(), min(match.end(), match.start() + 400)):
            spans.append(match.span())
    return spans


def _pasted_documents(text: str) -> list[Span]:
    """Return what follows a line that announces a document, up to the next empty line."""
    spans: list[Span] = []
    position = 0
    for match in _LINE.finditer(text):
        if match.start() < position or match.start() == match.end():
            continue
        line = text[match.start() : match.end()].rstrip()[-120:]
        if _INTRODUCTION.search(line) and not _ASKS_FOR_RULES.search(line):
            if _FENCE.match(text, match.end()):
                continue
            end = _PARAGRAPH_END.search(text, match.end() + 1)
            position = end.start() if end else len(text)
            if position > match.end():
                spans.append((match.end(), position))
    return spans


def _quotations(text: str) -> list[Span]:
    found: list[Span] = []
    for match in _QUOTATION.finditer(text):
        group = match.lastindex or 0
        inner = match.group(group)
        if _is_sentence(inner):
            found.append(match.span(group))
    commands = _INLINE_CODE.finditer(text)
    found.extend(match.span(1) for match in commands if " " in match.group(1).strip())
    return sorted(found)


def _is_sentence(inner: str) -> bool:
    han = sum("\u3400" <= c <= "\u9fff" for c in inner)
    return han >= _QUOTED_HAN_MIN or len(inner.split()) >= _QUOTED_WORDS_MIN
