"""Wordings of one statement are reduced to what they share, in Chinese as in English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.capture.wording import (
    core_terms_of,
    is_negated,
    main_part,
    retracted_terms_of,
    signature_of,
    terms_of,
    withdrawn_part,
)


def test_grammar_and_insistence_are_left_out() -> None:
    text = "From now on, I want you to end all function argument names with '_g'."

    assert terms_of(text) == ("end", "function", "argument", "name", "_g")


def test_a_character_is_left_out_only_where_it_is_no_part_of_a_word() -> None:
    assert "用户" in terms_of("用户数据必须加密")
    assert core_terms_of("以后都用中文回答") == ("中文", "文回", "回答")


def test_what_is_taken_back_is_left_when_the_words_of_taking_back_go() -> None:
    assert retracted_terms_of("Drop the tabs rule") == ("tab",)
    assert retracted_terms_of("缩进那条规矩作废吧") == ("缩进",)


def test_only_the_clause_that_takes_back_is_asked_for() -> None:
    assert withdrawn_part("算了，标签那条不要了，没人看") == "标签那条不要了"
    assert withdrawn_part("no such word, at all") != ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Never use tabs", True),
        ("不要用 Tab", True),
        ("Don't forget to run the tests", False),
        ("别忘了跑测试", False),
        ("Import it, even if you don't need it", False),
        ("Use tabs", False),
    ],
)
def test_a_denial_is_told_from_an_order(text: str, *, expected: bool) -> None:
    assert is_negated(text) is expected


def test_a_reason_is_cut_off_unless_nothing_would_be_left() -> None:
    assert main_part("Use tabs because they are small") == "Use tabs"
    assert main_part("because they are small") == "because they are small"
    assert main_part("用 Tab，因为省字节") == "用 Tab"


@given(st.text(max_size=200))
def test_any_text_can_be_reduced(text: str) -> None:
    assert signature_of(text) == tuple(sorted(set(signature_of(text))))
    assert len(set(terms_of(text))) == len(terms_of(text))
    assert text.startswith(main_part(text))


@given(st.text(alphabet="ABCxyz ", max_size=40))
def test_case_and_width_make_no_difference(text: str) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if c != " " else c for c in text)

    assert terms_of(wide) == terms_of(text.lower())
