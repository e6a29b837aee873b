"""Folding keeps every offset and makes spellings of one word equal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.capture.folding import fold


@given(st.text())
def test_folded_text_is_as_long_as_the_text(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert len(fold(text, lower=False)) == len(text)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.case("C66")
def test_traditional_and_simplified_fold_to_one_form() -> None:
    assert fold("之後請一律用繁體註解") == fold("之后请一律用繁体注解")


@pytest.mark.case("C66")
def test_wide_letters_and_marks_fold_to_narrow_ones() -> None:
    assert fold("ＡＰＩ　返回，統一！") == "api 返回,统一!"


def test_case_is_kept_on_request() -> None:
    assert fold("Use Ｔabs", lower=False) == "Use Tabs"
