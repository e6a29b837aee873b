"""Text becomes the same terms whichever way it is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.segment.terms import TermKind, name_term, search_terms, terms


def texts(text: str) -> set[str]:
    return {term.text for term in terms(text)}


@pytest.mark.case("C66")
@pytest.mark.parametrize("name", ["RateLimiter", "rateLimiter", "rate_limiter", "rate-limiter"])
def test_one_name_in_four_spellings_is_one_term_and_its_words(name: str) -> None:
    assert {"rate_limiter", "rate", "limit"} <= texts(name)


@pytest.mark.parametrize("name", ["PostgreSQL", "GitHub", "SQLAlchemy", "OpenSSL", "macOS"])
def test_name_with_capitals_inside_is_also_the_word_that_it_is_typed_as(name: str) -> None:
    assert texts(name.lower()) <= texts(name)
    assert set(search_terms(name.lower())) <= set(search_terms(name))


def test_a_file_name_keeps_its_whole_its_stem_and_its_words() -> None:
    assert {"fake_clock.ts", "fake_clock", "fake", "clock", "ts"} <= texts("fake_clock.ts")


def test_numbers_inside_a_name_are_found_with_and_without_it() -> None:
    assert {"argon2id", "argon"} <= texts("argon2id")
    assert "20.04" in texts("Ubuntu 20.04")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("caching", "cached"),
        ("paginated lists", "pagination of a list"),
        ("merging duplicates", "merge the duplicate"),
        ("it was kept", "keep it"),
        ("colour", "colors"),
        ("expired", "expiry"),
    ],
)
def test_word_forms_meet_in_one_stem(one: str, other: str) -> None:
    assert texts(one) & texts(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("資料庫備份", "数据库备份"),
        ("伺服器", "服务器"),
        ("ＡＰＩ　网关", "API 网关"),
        ("ﾎﾞｯｸｽ", "ボックス"),
    ],
)
def test_variants_of_a_script_are_one(one: str, other: str) -> None:
    assert texts(one) == texts(other)


@pytest.mark.case("C66")
def test_unspaced_scripts_become_pairs_that_never_cross_a_script() -> None:
    found = [term.text for term in terms("悬空ボックス끝말 itgc") if term.kind is TermKind.PAIR]

    assert found == ["悬空", "ボッ", "ック", "クス", "끝말"]


@pytest.mark.case("C66")
def test_single_characters_are_a_class_of_their_own() -> None:
    assert "+锁" in texts("锁定")
    assert "锁" not in texts("锁定")


def test_a_word_of_the_trade_has_one_concept_in_both_languages() -> None:
    assert texts("缓存") & texts("cache") == {"&cache"}


def test_names_are_equal_but_for_case_blanks_and_marks_around_them() -> None:
    assert name_term(' "Tests  never SLEEP." ') == name_term("tests never sleep")
    assert name_term("") == name_term(" \n") == ""
    assert name_term("***") == "=***"


def test_words_that_serve_grammar_are_not_searched_for() -> None:
    assert search_terms("what is the database of our project") == (
        "databas",
        "project",
    )


@given(st.text())
def test_any_text_is_segmented_into_terms_that_can_be_stored(text: str) -> None:
    for term in terms(text):
        assert term.text
        assert not term.text.isspace()
        term.text.encode("utf-8")


@given(st.text(), st.text())
def test_terms_of_two_lines_are_those_of_each(one: str, other: str) -> None:
    assert texts(f"{one}\n{other}") == texts(one) | texts(other)
