"""Why something holds: found beside the statement, kept in the person's own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.extract import extract
from backstory.extract.language.reasons import REASON_CHARS_MAX, reason_beside
from backstory.model.candidate import Candidate
from saying import a_window

GIVEN = [
    ("We use JWT because several hosts share no memory.", "We use JWT", "because several"),
    ("我们用 JWT，因为多台机器不共享内存。", "我们用 JWT", "因为多台机器不共享内存"),
    ("因为多台机器不共享内存，我们用 JWT。", "我们用 JWT", "因为多台机器不共享内存"),
    ("Since several hosts share no memory, we use JWT.", "we use JWT", "Since several"),
    ("Use pnpm. The reason is that npm is slow here.", "Use pnpm", "The reason is that npm"),
    ("用 pnpm。原因是 npm 太慢。后面再说。", "用 pnpm", "原因是 npm 太慢"),
    ("数据库用 SQLite，因为免费。", "数据库用 SQLite", "因为免费"),
    ("因为贵，我们不用 Oracle。", "我们不用 Oracle", "因为贵"),
    ("提交前跑 lint，以免流水线失败。", "提交前跑 lint", "以免流水线失败"),
    ("Run lint first, to avoid red builds (they cost hours).", "Run lint first", "to avoid"),
]


@pytest.mark.parametrize(("text", "statement", "reason"), GIVEN)
def test_a_reason_in_the_same_breath_is_found(text, statement, reason):
    start = text.index(statement)

    span = reason_beside(text, (start, start + len(statement)))

    assert span is not None
    assert text[slice(*span)].startswith(reason)
    assert not text[slice(*span)].endswith((".", "。", "，", ","))


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("We have used tabs since 2019.", "We have used tabs"),
        ("Use UTC, because why not?", "Use UTC"),
        ("用 UTC，因为什么？", "用 UTC"),
        ("用 UTC，因为，", "用 UTC"),
        ("Use UTC, because.", "Use UTC"),
        ("Use pnpm. Otherwise I have nothing to say.", "Use pnpm"),
        ("用 pnpm。为了别的事，明天再说。", "用 pnpm"),
        ("Use pnpm because " + "npm is slow and " * 30, "Use pnpm"),
    ],
)
def test_what_is_no_reason_of_it_is_left(text, statement):
    start = text.index(statement)

    assert reason_beside(text, (start, start + len(statement))) is None


@given(st.text(max_size=400), st.data())
def test_a_reason_lies_beside_the_statement_whatever_the_text(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))

    span = reason_beside(text, (start, end))

    if span is not None:
        assert 0 < span[1] - span[0] <= REASON_CHARS_MAX
        assert span[1] <= start or span[0] >= end


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "We use JWT rather than sessions because several hosts share no memory.",
            "because several hosts share no memory",
        ),
        ("以后提交信息都用英文写。因为客户也要看。", "因为客户也要看"),
    ],
)
def test_a_candidate_carries_its_reason_and_the_words_that_give_it(text, reason):
    (verdict,) = extract(a_window(text))

    assert isinstance(verdict, Candidate)
    assert verdict.detail == reason
    assert verdict.quotes[-1].text == reason
    assert text[verdict.quotes[-1].start : verdict.quotes[-1].end] == reason
    assert reason not in verdict.words


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("We use SQLite — not MySQL.", ""),
        ("我们用 SQLite — 不要 MySQL。", ""),
        (
            "We use SQLite — not MySQL — because schools have no server.",
            "because schools have no server",
        ),
    ],
)
def test_a_dash_in_a_statement_begins_no_reason(text, reason):
    verdict, *_ = extract(a_window(text))

    assert isinstance(verdict, Candidate)
    assert "MySQL" in verdict.statement
    assert verdict.detail == reason


def test_a_secret_in_a_reason_is_replaced():
    text = (
        "From now on always use the proxy, because token=ghp_abcdefghijklmnopqrstuvwxyz0123456789."
    )

    (verdict,) = extract(a_window(text))

    assert isinstance(verdict, Candidate)
    assert "ghp_" not in verdict.synopsis
    assert "[REDACTED:" in verdict.detail
