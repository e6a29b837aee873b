"""A model's reply is read candidate by candidate: what is malformed takes nothing with it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.extract.model.reply import SaidCandidate, read_reply
from backstory.model import limits
from backstory.model.words import Intent, Kind, Role

GOOD = {
    "kind": "project_decision",
    "intent": "assert",
    "title": "SQLite",
    "statement": "数据库用 SQLite",
    "quotes": [{"turn": "T1", "role": "user", "text": "数据库用 SQLite"}],
}


def reply_of(*candidates: object, summary: object = "s") -> str:
    return json.dumps({"summary": summary, "candidates": list(candidates)}, ensure_ascii=False)


def test_a_whole_reply_is_read():
    reading = read_reply(reply_of(GOOD))

    assert reading.problems == ()
    assert reading.value is not None
    assert reading.value.summary == "s"
    candidate = reading.value.candidates[0]
    assert candidate.kind is Kind.PROJECT_DECISION
    assert candidate.quotes[0].role is Role.USER


@pytest.mark.case("C56")
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"kind": "architecture"}, "kind"),
        ({"kind": None}, "kind"),
        ({"statement": ""}, "statement"),
        ({"statement": 7}, "statement"),
        ({"statement": "x" * (limits.STATEMENT_CHARS_MAX + 1)}, "statement"),
        ({"title": "x" * (limits.TITLE_CHARS_MAX + 1)}, "title"),
        ({"quotes": []}, "quotes"),
        ({"quotes": "数据库用 SQLite"}, "quotes"),
        ({"quotes": [{"turn": "T1", "role": "system", "text": "x"}]}, "role"),
        ({"quotes": [{"turn": "T1", "role": "user", "text": ""}]}, "text"),
        ({"quotes": GOOD["quotes"] * (limits.QUOTES_MAX + 1)}, "quotes"),
        ({"confidence": 0.9}, "confidence"),
        ({"status": "active"}, "status"),
        ({"id": "m_1"}, "id"),
    ],
)
def test_a_malformed_candidate_is_refused_by_itself(change, told):
    reading = read_reply(reply_of(GOOD | change, GOOD))

    assert reading.value is not None
    assert len(reading.value.candidates) == 1
    assert told in " ".join(reading.problems)
    assert "candidates[0]" in reading.problems[0]


@pytest.mark.promise("R53")
@pytest.mark.case("C53")
@pytest.mark.parametrize("kind", ["PROJECT_DECISION", "project decision", "decision", " fact"])
def test_an_unknown_kind_is_refused_and_not_guessed(kind):
    reading = read_reply(reply_of(GOOD | {"kind": kind}))

    assert reading.value is not None
    assert reading.value.candidates == ()
    assert reading.problems


@pytest.mark.case("C56")
@pytest.mark.parametrize(
    "text", [json.dumps(GOOD), json.dumps([GOOD]), json.dumps({"candidates": GOOD})]
)
def test_a_single_object_or_a_bare_list_is_read_too(text):
    reading = read_reply(text)

    assert reading.value is not None
    assert len(reading.value.candidates) == 1
    assert reading.value.summary is None


def test_members_that_were_left_out_have_plain_defaults():
    bare = {name: GOOD[name] for name in ("kind", "statement", "quotes")}

    reading = read_reply(reply_of(bare))

    assert reading.value is not None
    assert reading.value.candidates[0].intent is Intent.ASSERT
    assert reading.value.candidates[0].title == ""


@pytest.mark.parametrize("text", ['{"summary": "s"}', '{"summary": "s", "candidates": null}'])
def test_no_candidates_is_a_normal_reply(text):
    reading = read_reply(text)

    assert reading.problems == ()
    assert reading.value is not None
    assert reading.value.candidates == ()


@pytest.mark.parametrize("text", ["", "I will not.", '{"answer": 42}', "[", '"text"'])
def test_what_is_no_proposal_is_unreadable(text):
    reading = read_reply(text)

    assert reading.value is None
    assert reading.problems


def test_more_candidates_than_allowed_are_cut_and_told():
    reading = read_reply(reply_of(*[GOOD] * (limits.CANDIDATES_PER_BATCH_MAX + 3)))

    assert reading.value is not None
    assert len(reading.value.candidates) == limits.CANDIDATES_PER_BATCH_MAX
    assert reading.problems


def test_a_long_summary_is_cut():
    reading = read_reply(reply_of(summary="长" * 9_000))

    assert reading.value is not None
    assert reading.value.summary is not None
    assert len(reading.value.summary) == limits.THREAD_SUMMARY_CHARS_MAX


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["kind", "statement", "quotes", "turn", "role", "text", "x"]), inner
        )
    ),
    max_leaves=12,
)


@given(st.lists(JSON, max_size=4), JSON)
def test_whatever_the_json_holds_what_is_read_is_well_formed(candidates, summary):
    reading = read_reply(json.dumps({"candidates": candidates, "summary": summary}))

    assert reading.value is not None
    for candidate in reading.value.candidates:
        assert isinstance(candidate, SaidCandidate)
        assert 1 <= len(candidate.quotes) <= limits.QUOTES_MAX
        assert len(candidate.statement) <= limits.STATEMENT_CHARS_MAX
