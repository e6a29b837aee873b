"""Words that ask to be remembered at once are noticed in both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.record import is_urgent


@pytest.mark.promise("R74")
@pytest.mark.parametrize(
    "text",
    [
        "Remember that we deploy on Fridays.",
        "please REMEMBER: tabs",
        "ｒｅｍｅｍｂｅｒ this",
        "From now on, use uv.",
        "don’t forget the changelog",
        "You must run the tests first.",
        "Forget the tabs rule.",
        "记住，数据库用 SQLite",
        "以后都用中文回答",
        "記住這個",
        "以後都用繁體",
        "每次提交前跑一遍测试",
        "我希望你先给结论",
        "忘掉那条规则",
    ],
)
def test_a_lasting_wish_is_urgent(text: str) -> None:
    assert is_urgent(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What does this function do?",
        "The remembered state is rebuilt.",
        "mustache templates",
        "这个函数是做什么的？",
        "修一下登录的 bug",
    ],
)
def test_an_ordinary_request_is_not_urgent(text: str) -> None:
    assert not is_urgent(text)


def test_a_wish_before_or_behind_a_long_log_is_noticed() -> None:
    log = "line of a log\n" * 400_000

    assert is_urgent("记住这个\n" + log)
    assert is_urgent(log + "remember this")
    assert not is_urgent(log)


@given(text=st.text())
def test_any_text_is_judged_without_an_error(text: str) -> None:
    assert is_urgent(text) in {True, False}
