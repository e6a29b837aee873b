"""Likeness is strict where it decides and graded where it nominates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.consolidate.likeness import (
    Match,
    Rarity,
    clear_best,
    fingerprint_of,
    ranked,
    says_the_same,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use docstrings in methods", "From now on, always use docstrings in your methods"),
        ("不要在测试里 mock 数据库", "以后测试里都不要 mock 数据库"),
        ("Import the 'locale' module", "import the 'locale' module because it is cheap"),
    ],
)
def test_grammar_and_insistence_make_no_difference(one: str, other: str) -> None:
    assert says_the_same(one, other)
    assert fingerprint_of(one) == fingerprint_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use docstrings in methods", "Use docstrings in functions"),
        ("Use docstrings in methods", "Never use docstrings in methods"),
        ("Pages hold 20 rows", "Pages hold 50 rows"),
        ("Names end with _x", "Names end with _y"),
        ("提交信息写英文", "提交信息写中文"),
        ("", ""),
    ],
)
def test_a_word_a_number_or_a_denial_makes_a_difference(one: str, other: str) -> None:
    assert not says_the_same(one, other)


@given(st.text(max_size=60), st.text(max_size=60))
def test_likeness_is_mutual(one: str, other: str) -> None:
    assert says_the_same(one, other) == says_the_same(other, one)


def test_the_best_is_clear_only_with_a_margin() -> None:
    close = [Match("a", 0.9), Match("b", 0.8)]
    far = [Match("a", 0.9), Match("b", 0.3)]

    assert clear_best(close, threshold=0.5, margin=1.25) is None
    assert clear_best(far, threshold=0.5, margin=1.25) == far[0]
    assert clear_best(far, threshold=0.95, margin=1.25) is None
    assert clear_best([], threshold=0.5, margin=1.25) is None


def test_a_rare_word_tells_more_than_a_common_one() -> None:
    entries = {"a": ("test", "parser"), "b": ("test", "printer"), "c": ("test", "freeze")}
    rarity = Rarity(entries.values())

    assert ranked(("test", "freeze"), entries, rarity=rarity)[0].entry == "c"
    assert rarity.weight("freeze") > rarity.weight("test")


@given(st.lists(st.sampled_from(["x", "y", "z"]), min_size=1, max_size=4))
def test_no_score_is_above_one(asked: list[str]) -> None:
    entries = {"a": ("x",), "b": ("x", "y"), "c": ("z", "w")}

    assert all(m.score <= 1.0 for m in ranked(asked, entries, rarity=Rarity(entries.values())))
