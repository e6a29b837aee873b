"""Why something holds: the reason that somebody gives in the same breath. Pure.

A decision without its reason answers no "why". The reason proves nothing by itself and is judged
by nobody: it is kept beside what it explains, in the person's own words.
"""

import re

from backstory.capture.folding import fold

Span = tuple[int, int]

REASON_CHARS_MAX = 300

# "since" is a reason but for the times that it begins from.
_SINCE = (
    r"since (?!\d|v\d|last|yesterday|today|then|this|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
)
_FIRM = (
    r"because\b|the (?:main )?reason (?:is|being|was)\b|reason:|(?:主要(?:是)?|就是|是)?因为|由于"
    r"|(?:原因|理由)(?:就?是|在于|:)|毕竟"
)
# These explain only what stands in the same sentence.
_LOOSE = (
    rf"{_SINCE}|so that\b|so as to\b|(?:in order )?to (?:avoid|prevent)\b|due to\b|owing to\b"
    r"|given that\b|otherwise\b|or else\b|for [a-z]+ reasons\b|免得|省得|以免|以防|避免|否则|不然"
    r"|考虑到|鉴于|为了"
)
_AFTER = re.compile(
    rf"[ \t]*(?:[,，;；(（]|[-–—]{{1,2}})?[ \t]*(?:and |but |that's |that is |this is )?"
    rf"(?P<cue>{_FIRM}|{_LOOSE})"
)
_NEXT = re.compile(rf"[ \t]*[.。!]+[ \t]*(?:that's |that is |this is )?(?P<cue>{_FIRM})")
_BEFORE = re.compile(
    rf"(?:^|(?<=[.。!?;；\n]))\s*(?:well,? |so )?"
    rf"(?P<cue>because |{_SINCE}|given that |due to |to avoid |to prevent |因为|由于|考虑到|鉴于"
    r"|为了|既然)[^.。!?;；\n]*$"
)
_SENTENCE_END = re.compile(r"[。\n；;!?]|\.(?=\s|$|[)\"'”])")
_CLOSING = " \t,，.。;；)）"


def reason_beside(text: str, span: Span) -> Span | None:
    """Return the span of the reason given right after a statement, or else right before it.

    `span` is the statement's. None where no reason is given, or only asked about, or
    at such length that it is a story.
    """
    folded = fold(text)
    return _after(folded, span[1]) or _before(folded, span[0])


def _after(folded: str, end: int) -> Span | None:
    found = _AFTER.match(folded, end) or _NEXT.match(folded, end)
    if found is None:
        return None
    mark = _SENTENCE_END.search(folded, found.end())
    if mark is not None and mark.group() == "?":
        return None
    return _bounded(folded, found.span("cue"), end=len(folded) if mark is None else mark.start())


def _before(folded: str, start: int) -> Span | None:
    found = _BEFORE.search(folded[max(0, start - REASON_CHARS_MAX) : start])
    if found is None:
        return None
    offset = max(0, start - REASON_CHARS_MAX)
    begin, said_from = found.span("cue")
    return _bounded(folded, (offset + begin, offset + said_from), end=start)


def _bounded(folded: str, cue: Span, *, end: int) -> Span | None:
    """Return what begins with a cue, if it says anything; one Chinese character may ("因为贵")."""
    while end > cue[1] and folded[end - 1] in _CLOSING:
        end -= 1
    is_fit = end > cue[1] and end - cue[0] <= REASON_CHARS_MAX
    return (cue[0], end) if is_fit else None
