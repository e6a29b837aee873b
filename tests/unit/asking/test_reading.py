"""JSON is found in whatever a model says around it, and nothing it says makes reading fail."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.asking.reading import entries_of, json_in

WANTED = {"summary": "s", "candidates": [{"statement": "用 SQLite"}]}
PLAIN = json.dumps(WANTED, ensure_ascii=False)


@pytest.mark.case("C56")
@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"\ufeff{PLAIN}\n",
        f"```json\n{PLAIN}\n```",
        f"Sure! Here it is:\n\n~~~\n{PLAIN}\n~~~\nAnything else?",
        f"```json\n{PLAIN}",
        f"<think>maybe {{}} or [1, 2]? {{'a'}}</think>\n{PLAIN}",
        f"thinking aloud {{not json}}</thinking>{PLAIN}",
        f"The list is {PLAIN} and that is all [sic].",
        json.dumps(PLAIN),
        f"{{}}\n{PLAIN}",
    ],
)
def test_json_is_found_whatever_stands_around_it(text):
    assert json_in(text) == WANTED


@pytest.mark.parametrize("text", ["", "no", "{", '{"a": ', "42", "null", "<think>{}", "nan"])
def test_no_json_is_none(text):
    assert not json_in(text)


@given(st.text(alphabet='{}[]",:\\`~<>/think 1a\n', max_size=400))
def test_reading_never_fails(text):
    found = json_in(text)

    assert found is None or isinstance(found, dict | list)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 50_000, "{" * 200_000, "```\n" * 50_000]
)
@pytest.mark.timeout(10)
def test_hostile_nesting_is_read_in_bounded_time(text):
    assert json_in(text) is None


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=9), st.lists))
def test_entries_are_a_list_or_nothing(value):
    for found in ([value], {"candidates": value}, {"statement": value}, {"other": value}):
        entries = entries_of(found, "candidates", single="statement")

        assert entries is None or isinstance(entries, list)


def test_a_single_object_stands_for_a_list():
    one = {"statement": "x"}

    assert entries_of(one, "candidates", single="statement") == [one]
    assert entries_of({"candidates": one}, "candidates", single="statement") == [one]
    assert entries_of([one], "candidates", single="statement") == [one]
    assert entries_of({"answer": 1}, "candidates", single="statement") is None
