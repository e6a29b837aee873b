"""Words of time mean a span, in English and Chinese."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.recall.asking.times import time_in
from backstory.segment.tokens import normalise

# A Monday.
NOW_MS = round(datetime(2026, 11, 30, 9, tzinfo=UTC).timestamp() * 1000)


def meant(text: str) -> tuple[str, str] | None:
    span, _ = time_in(normalise(text), NOW_MS)
    if span is None:
        return None
    ends = (span.start_ms, span.end_ms - 1)
    first, last = (datetime.fromtimestamp(ms / 1000, UTC).date().isoformat() for ms in ends)
    return first, last


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("yesterday", "2026-11-29", "2026-11-29"),
        ("昨天改了什么", "2026-11-29", "2026-11-29"),
        ("前天", "2026-11-28", "2026-11-28"),
        ("last week's fix", "2026-11-23", "2026-11-29"),
        ("上周", "2026-11-23", "2026-11-29"),
        ("上上周", "2026-11-16", "2026-11-22"),
        ("this week", "2026-11-30", "2026-12-06"),
        ("last Friday", "2026-11-27", "2026-11-27"),
        ("last Monday", "2026-11-23", "2026-11-23"),
        ("上周五", "2026-11-27", "2026-11-27"),
        ("上週五", "2026-11-27", "2026-11-27"),
        ("上周末", "2026-11-28", "2026-11-29"),
        ("earlier this month", "2026-11-01", "2026-11-30"),
        ("本月", "2026-11-01", "2026-11-30"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("上个月", "2026-10-01", "2026-10-31"),
        ("九月份", "2026-09-01", "2026-09-30"),
        ("9月", "2026-09-01", "2026-09-30"),
        ("in September", "2026-09-01", "2026-09-30"),
        ("去年十二月", "2025-12-01", "2025-12-31"),
        ("December 2025", "2025-12-01", "2025-12-31"),
        ("in December", "2025-12-01", "2025-12-31"),
        ("early September", "2026-09-01", "2026-09-10"),
        ("九月底", "2026-09-21", "2026-09-30"),
        ("September 15", "2026-09-15", "2026-09-15"),
        ("9月15日", "2026-09-15", "2026-09-15"),
        ("on 2026-09-15", "2026-09-15", "2026-09-15"),
        ("三天前", "2026-11-27", "2026-11-27"),
        ("3 days ago", "2026-11-27", "2026-11-27"),
        ("two weeks ago", "2026-11-16", "2026-11-22"),
        ("两个月前", "2026-09-01", "2026-09-30"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("去年夏天", "2025-06-01", "2025-08-31"),
        ("last summer", "2026-06-01", "2026-08-31"),
        ("in the last three days", "2026-11-27", "2026-11-30"),
        ("最近三天", "2026-11-27", "2026-11-30"),
        ("the past week", "2026-11-23", "2026-11-30"),
        ("last quarter", "2026-07-01", "2026-09-30"),
        ("本季度", "2026-10-01", "2026-12-31"),
        ("in Q1", "2026-01-01", "2026-03-31"),
        ("since September", "2026-09-01", "2026-11-30"),
    ],
)
def test_words_of_time_mean_a_span(text: str, first: str, last: str) -> None:
    assert meant(text) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "may I use emoji",
        "周五可以上线吗",
        "no release on Friday",
        "三个月的借期",
        "march of the penguins",
        "the second test",
        "it lasts a week",
        "第3月台",
        "2月30日",
        "",
    ],
)
def test_words_that_do_not_look_back_mean_no_time(text: str) -> None:
    assert meant(text) is None


def test_the_question_goes_on_without_its_words_of_time() -> None:
    _, rest = time_in("last week's fix for the timezone", NOW_MS)

    assert rest.split() == ["fix", "for", "the", "timezone"]


@given(st.text(), st.integers(0, 4_102_444_800_000))
def test_any_text_at_any_time_is_read(text: str, now_ms: int) -> None:
    span, _ = time_in(text, now_ms)

    assert span is None or span.start_ms < span.end_ms
