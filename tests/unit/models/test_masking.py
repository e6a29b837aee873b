"""What is kept of an error holds no key and no readable part of what was sent."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.adapters.models.masking import masked, without_echo
from backstory.model.limits import DIAGNOSIS_CHARS_MAX
from backstory.ports.model_client import bounded_diagnosis

PROMPTS = st.text(st.characters(codec="utf-8"), min_size=30, max_size=200)


@given(PROMPTS, st.text(max_size=40), st.text(max_size=40))
def test_a_prompt_inside_an_error_is_taken_out(prompt, before, after):
    for echo in (prompt, json.dumps(prompt), json.dumps(prompt, ensure_ascii=False)):
        text = masked(before + echo + after, sent=[prompt], key=None)

        assert prompt not in text
        assert "[prompt]" in text


@given(PROMPTS, st.integers(0, 100), st.integers(26, 100))
def test_a_long_enough_part_of_a_prompt_is_taken_out(prompt, at, size):
    part = prompt[at : at + size]

    text = masked(f"bad value: {part}", sent=[prompt], key=None)

    assert len(part) < 24 or part not in text


def test_an_errors_own_words_stay():
    words = "This model's maximum context length is 8192 tokens."

    assert masked(words, sent=["something else entirely, and long enough"], key="k-1") == words


def test_keys_and_other_secrets_are_replaced():
    text = masked("bad key abc-123, sent ghp_" + "a1B2" * 9, sent=[], key="abc-123")

    assert "abc-123" not in text
    assert "ghp_" not in text


def test_members_that_repeat_a_request_are_left_out():
    body = {"detail": [{"msg": "wrong", "input": {"messages": ["hi"]}}], "headers": {"a": "b"}}

    assert without_echo(body) == {"detail": [{"msg": "wrong"}]}


@pytest.mark.promise("R155")
@given(
    st.text(max_size=400),
    st.one_of(st.text(max_size=40), st.just("x" * 50_000)),
    st.one_of(st.none(), st.integers(100, 599)),
    st.one_of(st.text(max_size=400), st.just("长" * 30_000)),
)
def test_a_diagnosis_is_bounded_whatever_it_holds(error_type, message, status, body):
    diagnosis = bounded_diagnosis(
        error_type=error_type, message=message, status=status, code=error_type, body=body
    )

    assert len(diagnosis.text) <= DIAGNOSIS_CHARS_MAX
