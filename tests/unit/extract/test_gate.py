"""The gate lets no draft pass that its evidence does not carry, whoever proposes it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.extract import Window, check_draft, extract
from backstory.extract.language.clauses import read_message
from backstory.model.candidate import Candidate, Quote
from backstory.model.ids import EventId, TurnId
from backstory.model.words import Kind, Role, Speaker
from saying import a_draft, a_turn, a_window, accepted, slugs_of

SAID = "We decided to use Postgres for the new service."


def test_a_sound_draft_passes() -> None:
    assert isinstance(check_draft(a_draft(SAID), a_window(SAID)), Candidate)


@pytest.mark.case("C47")
def test_an_invented_quote_is_refused() -> None:
    draft = a_draft(SAID)
    wrong = replace(draft.quotes[0], text="We decided to use MySQL for the new service.")

    verdict = check_draft(replace(draft, quotes=(wrong,)), a_window(SAID))

    assert "quote-inexact" in slugs_of(verdict)


@pytest.mark.case("C47")
def test_a_quote_at_the_wrong_place_is_refused() -> None:
    draft = a_draft(SAID, quote="use Postgres")
    moved = replace(draft.quotes[0], start=0, end=12)

    verdict = check_draft(replace(draft, quotes=(moved,)), a_window(SAID))

    assert "quote-inexact" in slugs_of(verdict)


def test_a_quote_of_an_unknown_turn_is_refused() -> None:
    draft = a_draft(SAID)
    foreign = replace(draft.quotes[0], turn_id=TurnId("elsewhere"))

    verdict = check_draft(replace(draft, quotes=(foreign,)), a_window(SAID))

    assert "quote-turn" in slugs_of(verdict)


@pytest.mark.promise("R78")
@pytest.mark.case("C47")
def test_the_assistants_words_alone_prove_nothing() -> None:
    turn = a_turn("Fix it.", answer="I decided to use Postgres for everything.")
    text = turn.answer_text
    quote = Quote(role=Role.ASSISTANT, start=0, end=len(text), text=text, turn_id=turn.id)
    draft = replace(a_draft(SAID), statement=text, quotes=(quote,))

    assert "role" in slugs_of(check_draft(draft, Window(turns=(turn,))))


@pytest.mark.promise("R10")
def test_an_event_cannot_prove_a_decision() -> None:
    quote = Quote(role=Role.EVENT, start=0, end=3, text="abc", event_id=EventId("e1"))

    verdict = check_draft(replace(a_draft(SAID), quotes=(quote,)), a_window(SAID))

    assert "role" in slugs_of(verdict)


@pytest.mark.case("C39")
def test_words_of_a_host_prove_nothing() -> None:
    turn = replace(a_turn(SAID), speaker=Speaker.SYSTEM_REMINDER)

    assert "not-human" in slugs_of(check_draft(a_draft(SAID), Window(turns=(turn,))))


@pytest.mark.promise("R84")
def test_a_statement_that_says_more_than_its_evidence_is_refused() -> None:
    draft = a_draft(SAID, statement="We decided to use Postgres 16 with pgvector")

    assert "unanchored" in slugs_of(check_draft(draft, a_window(SAID)))


# C104
@pytest.mark.promise("R84")
@pytest.mark.case("C104")
@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("最终决定不使用向量检索。", "使用向量检索"),
        ("We decided: do not use Redis here.", "use Redis"),
        ("We will never adopt GraphQL.", "adopt GraphQL"),
    ],
)
def test_a_denial_never_supports_what_it_denies(said: str, quote: str) -> None:
    assert "polarity" in slugs_of(check_draft(a_draft(said, quote=quote), a_window(said)))


@pytest.mark.promise("R84")
@pytest.mark.parametrize(
    ("said", "quote", "slug"),
    [
        ("Should we use Postgres?", "we use Postgres", "question"),
        ("以后默认用中文回答可以吗？", "以后默认用中文回答", "question"),
        ("Maybe we use Postgres at some point.", "we use Postgres", "undecided"),
        ("If the budget comes through we'd use Postgres.", "use Postgres", "hypothetical"),
        ("这次先用 Postgres 顶着。", "用 Postgres", "one-off"),
        ("My manager wants us to use Postgres.", "use Postgres", "reported"),
        ("Oh great, let's just use Postgres for everything.", "use Postgres", "irony"),
        ("Don't save this: we use Postgres.", "we use Postgres", "off-record"),
        ("Look:\n```\nwe use Postgres\n```", "we use Postgres", "not-prose"),
        ("> we use Postgres\nis that so?", "we use Postgres", "not-prose"),
    ],
)
def test_a_model_cannot_cut_the_force_out_of_a_clause(said: str, quote: str, slug: str) -> None:
    assert slug in slugs_of(check_draft(a_draft(said, quote=quote), a_window(said)))


def test_a_confirmation_of_another_turn_is_refused() -> None:
    first = a_turn("?", answer="I suggest using Postgres.", name="t0")
    between = a_turn("wait", answer="Fine.", name="t1")
    last = a_turn("LGTM", name="t2")
    offer = first.answer_text
    quotes = (
        Quote(role=Role.ASSISTANT, start=0, end=len(offer), text=offer, turn_id=first.id),
        Quote(role=Role.USER, start=0, end=4, text="LGTM", turn_id=last.id),
    )
    draft = replace(a_draft(SAID), statement="using Postgres", quotes=quotes)

    verdict = check_draft(draft, Window(turns=(first, between, last)))

    assert "not-adjacent" in slugs_of(verdict)


@pytest.mark.promise("R10")
@pytest.mark.case("C46")
def test_an_unproved_kind_is_refused() -> None:
    said = "The spinner turns and turns."

    assert "act" in slugs_of(check_draft(a_draft(said), a_window(said)))


WORDS = st.sampled_from(
    ["以后", "always", "我们决定", "use", "Postgres", "，", ". ", "?", "不", "never", "\n", "```",
     ">",
     "<b>", "“", "”", "记住", ":", "1.", "必须", "测试", "这次", "if ", "；", "🎉", "　"]
)  # fmt: skip


@pytest.mark.case("C47")
@given(st.lists(WORDS, max_size=40).map("".join) | st.text(max_size=300))
def test_whatever_is_accepted_quotes_the_turn_exactly(said: str) -> None:
    for candidate in accepted(extract(a_window(said))):
        for quote in candidate.quotes:
            assert said[quote.start : quote.end] == quote.text
        assert len(candidate.title) <= 160
        assert len(candidate.synopsis) <= 400


@given(st.lists(WORDS, max_size=40).map("".join) | st.text(max_size=300))
def test_clauses_are_in_order_and_inside_the_text(said: str) -> None:
    position = 0
    for sentence in read_message(said).sentences:
        for clause in sentence.clauses:
            assert position <= clause.start < clause.end <= len(said)
            position = clause.end


@pytest.mark.promise("R79")
@pytest.mark.case("C49", "C102")
@given(kind=st.sampled_from(Kind), span=st.tuples(st.integers(0, 60), st.integers(1, 60)))
def test_no_kind_and_no_span_makes_a_question_pass(kind: Kind, span: tuple[int, int]) -> None:
    said = "Should we always use tabs, and never mock the database?"
    start = min(span[0], len(said) - 1)
    end = min(start + span[1], len(said))
    draft = replace(a_draft(said, quote=said[start:end]), kind=kind)

    if kind is not Kind.DISCUSSION_CONTEXT:
        assert not isinstance(check_draft(draft, a_window(said)), Candidate)
