"""What is looked at of a huge message: its ends, and the lines between that ask to be kept. Pure.

A person's lasting words fill far less than this. A message beyond it is a pasted document or log,
and a wish stands before it, after it, or somewhere in between as a line of its own.
"""

from bisect import bisect_right
from collections.abc import Iterator

# Half of it from each end. Clauses take about a millisecond each to judge; the figures keep the
# worst message within two seconds or so (measured on short lines, which have most clauses).
EXAMINED_CHARS_MAX = 40_000
CLAUSES_MAX = 1_600
# Lines between the ends; they come on top.
_SIGNALLED_CHARS_MAX = 8_000
_LINE_CHARS_MAX = 600
SIGNALLED_CLAUSES_MAX = 200
# What such a line holds, in folded text; the first matter most, where there are too many. They
# are sought as they stand, which takes a megabyte some milliseconds; the rules judge the line.
_SIGNALS = (
    *("remember", "don't forget", "keep in mind", "记住", "记得", "记下", "别忘", "牢记"),
    *("from now on", "going forward", "in future", "以后", "今后", "从现在起", "往后"),
    *("we decided", "decision:", "we will use", "we'll use", "决定", "定下来", "改用", "采用"),
    *("always", "never", "every time", "必须", "一律", "统一", "禁止", "始终", "每次"),
    *("i prefer", "i'd rather", "must ", "我希望", "我喜欢", "我不喜欢", "优先"),
)

Span = tuple[int, int]


def examined(spans: list[Span], shadow: str) -> list[Span]:
    """Return the parts of these spans of a message that are looked at, in order.

    All of them, unless they are too long: then the ends, and lines between that hold a signal.
    """
    total = sum(end - start for start, end in spans)
    if total <= EXAMINED_CHARS_MAX:
        return spans
    half = EXAMINED_CHARS_MAX // 2
    first = _taken(spans, half)
    last = [(-end, -start) for start, end in _taken([(-e, -s) for s, e in reversed(spans)], half)]
    last.reverse()
    between = (first[-1][1], last[0][0])
    return [*first, *_signalled(spans, shadow, between=between), *last]


def is_signalled(plain: str) -> bool:
    """Whether a clause asks to be remembered, by the folded text that is matched."""
    return any(signal in plain for signal in _SIGNALS)


def _taken(spans: list[Span], budget: int) -> list[Span]:
    taken: list[Span] = []
    for start, end in spans:
        if budget <= 0:
            break
        taken.append((start, min(end, start + budget)))
        budget -= end - start
    return taken


def _signalled(spans: list[Span], shadow: str, *, between: Span) -> list[Span]:
    budget = _SIGNALLED_CHARS_MAX
    lines: dict[Span, None] = {}
    for start, end in (
        line for word in _SIGNALS for line in _lines(spans, shadow, between=between, signal=word)
    ):
        if (start, end) in lines:
            continue
        budget -= end - start
        if budget < 0:
            break
        lines[start, end] = None
    return _joined(sorted(lines))


def _joined(lines: list[Span]) -> list[Span]:
    """Join what overlaps within one long line."""
    joined: list[Span] = []
    for start, end in lines:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _lines(spans: list[Span], shadow: str, *, between: Span, signal: str) -> Iterator[Span]:
    """Yield the lines between the ends that hold a signal, each within one span."""
    starts = [start for start, _ in spans]
    found = shadow.find(signal, *between)
    while found >= 0:
        at = bisect_right(starts, found) - 1
        start, end = spans[at] if at >= 0 else (0, 0)
        left, right = max(start, between[0]), min(end, between[1])
        line_end = shadow.find("\n", found, right)
        right = right if line_end < 0 else line_end
        if start <= found < end:
            left = max(shadow.rfind("\n", left, found) + 1, left, found - _LINE_CHARS_MAX // 2)
            yield left, min(right, found + _LINE_CHARS_MAX // 2)
        found = shadow.find(signal, max(right, found + 1), between[1])
