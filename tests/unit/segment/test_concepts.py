"""Words of one meaning share a term, and the list of them is sound."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.model.recall import Cues
from backstory.recall.asking.question import understand
from backstory.segment.concepts import concepts_among, is_concept
from backstory.segment.stems import stem
from backstory.segment.terms import terms
from backstory.segment.tokens import Part, normalise
from backstory.segment.wordlists import lines, words

ROOT = Path(__file__).resolve().parents[3]
LISTED = [(line, line.replace("|", " ").split()) for line in lines("concepts")]
ENGLISH = sorted({word for _, listed in LISTED for word in listed if word.isascii()})
CHINESE = sorted({word for _, listed in LISTED for word in listed if not word.isascii()})
ALONE = [word for word in ENGLISH if "_" not in word]
TOGETHER = [word.split("_") for word in ENGLISH if "_" in word]


def meant(text: str) -> set[str]:
    return {term.text for term in terms(text) if is_concept(term.text)}


def asked(text: str) -> set[str]:
    units = understand(text, Cues(), now_ms=0).units
    return {term for unit in units for term in unit.terms() if is_concept(term)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("数据库回滚", "we rolled the database back, then rolled back"),
        ("第三方包", "third-party packages"),
        ("验证码", "one-time codes"),
        ("text messages", "短信"),
        ("refunds", "退款"),
        ("rateLimiter", "限流"),
    ],
)
def test_words_of_two_languages_meet_in_one_concept(one: str, other: str) -> None:
    assert meant(one) & meant(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("an expired token", "its expiry"),
        ("signed in", "login"),
        ("撤销", "取消"),
        ("faq", "常见问题"),
    ],
)
def test_words_of_one_language_meet_in_one_concept(one: str, other: str) -> None:
    assert meant(one) & meant(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("customs", "customers"),
        ("log in", "logs"),
        ("authors", "authorization"),
        ("important", "import"),
        ("departments", "departure"),
        ("a second", "seconds"),
    ],
)
def test_words_that_only_look_alike_have_no_concept_in_common(one: str, other: str) -> None:
    assert not meant(one) & meant(other)


def test_what_a_word_is_made_of_means_something_too() -> None:
    assert {"&connection_pool", "&connect"} <= meant("连接池耗尽")
    assert {"&connection_pool", "&connect"} <= meant("the connection pool")


def test_words_of_two_lines_mean_nothing_together() -> None:
    assert "&rollback" not in meant("roll\nback")
    assert "&rollback" in meant("roll back")


@given(st.lists(st.sampled_from(sorted(words("stop_en"))), max_size=4))
def test_a_concept_never_comes_from_stop_words(chosen: list[str]) -> None:
    assert not meant(" ".join(chosen))
    assert not asked(" ".join(chosen))


@given(st.lists(st.sampled_from(ALONE + CHINESE), min_size=1, max_size=3))
def test_a_question_asks_for_concepts_that_its_text_is_indexed_by(chosen: list[str]) -> None:
    text = "\n".join(chosen)

    assert asked(text) <= meant(text)


def test_every_word_of_the_list_has_its_concept() -> None:
    pairs = [(f"&{listed[0]}", word) for _, listed in LISTED for word in listed]

    assert [pair for pair in pairs if pair[0] not in meant(pair[1].replace("_", " "))] == []


def test_a_line_stands_once_and_names_a_concept_of_its_own() -> None:
    names = Counter(listed[0] for _, listed in LISTED)

    assert [name for name, count in names.items() if count > 1] == []
    assert [line for line, listed in LISTED if len(set(listed)) < max(2, len(listed))] == []
    assert [line for line, listed in LISTED if not listed[0].isascii()] == []


def test_a_word_has_three_meanings_at_most() -> None:
    meanings = Counter(word for _, listed in LISTED for word in listed)

    assert [word for word, count in meanings.items() if count > 3] == []


def test_words_are_written_as_texts_are_once_they_are_normalised() -> None:
    assert [word for word in ENGLISH + CHINESE if normalise(word).lower() != word] == []


def test_no_word_serves_grammar_alone() -> None:
    grammar = words("stop_en")

    assert [word for word in ALONE if word in grammar] == []
    assert [several for several in TOGETHER if grammar.issuperset(several)] == []


def test_chinese_words_can_be_asked_for() -> None:
    assert [word for word in CHINESE if not 2 <= len(word) <= 8] == []
    assert [word for word in CHINESE if any(phrase in word for phrase in words("stop_zh"))] == []


def test_english_words_are_found_in_their_other_forms() -> None:
    forms = {word: Part("another form", stem(word)) for word in ALONE}

    assert [word for word, form in forms.items() if not concepts_among([form])] == []


def test_the_files_that_are_read_follow_from_the_list() -> None:
    script = [sys.executable, str(ROOT / "scripts/concepts"), "--check"]

    assert subprocess.run(script, check=False).returncode == 0
