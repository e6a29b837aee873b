"""A model's draft passes the gate and proves besides what a rule's draft has by its making."""

import pytest

from backstory.extract import Window
from backstory.extract.language.lexicon import lexicon
from backstory.extract.model import judge
from backstory.extract.model.judging import _CHANGE_TAGS
from backstory.model.candidate import Candidate, Draft, Quote, Refused
from backstory.model.ids import ThreadId, TurnId
from backstory.model.turn import Turn
from backstory.model.words import Intent, Kind, Role, Speaker, TurnState

TEXT = "以后提交信息都用英文写。数据库就用 Postgres。"
OFFER = "I suggest we keep sessions in Redis."


def a_turn(number: int, user: str, answer: str = "") -> Turn:
    return Turn(
        id=TurnId(f"turn-{number}"),
        seq=number,
        thread_id=ThreadId("thread"),
        position=number,
        speaker=Speaker.HUMAN,
        user_text=user,
        answer_text=answer,
        state=TurnState.COMPLETED,
        said_at_ms=number,
        recorded_at_ms=number,
    )


def a_quote(turn: Turn, words: str, *, role: Role = Role.USER) -> Quote:
    text = turn.user_text if role is Role.USER else turn.answer_text
    start = text.index(words)
    return Quote(role=role, start=start, end=start + len(words), text=words, turn_id=turn.id)


def a_draft(statement: str, *quotes: Quote, intent: Intent = Intent.ASSERT) -> Draft:
    return Draft(
        kind=Kind.PROJECT_DECISION,
        statement=statement,
        quotes=quotes,
        intent=intent,
        proposer="model:m",
    )


def judged(text: str, words: str, statement: str, *, intent: Intent = Intent.ASSERT):
    turn = a_turn(1, text)
    return judge(a_draft(statement, a_quote(turn, words), intent=intent), Window(turns=(turn,)))


def confirmed(statement: str, *, intent: Intent = Intent.ASSERT):
    offer, answer = a_turn(1, "Where?", OFFER), a_turn(2, "Yes, do that.")
    quotes = (
        a_quote(offer, "keep sessions in Redis", role=Role.ASSISTANT),
        a_quote(answer, "Yes, do that."),
    )
    window = Window(turns=(answer,), previous=offer)
    return judge(a_draft(statement, *quotes, intent=intent), window)


def slugs(verdict) -> set[str]:
    assert isinstance(verdict, Refused)
    return {reason.slug for reason in verdict.reasons}


def test_the_words_of_a_quote_are_a_statement():
    assert isinstance(judged(TEXT, "数据库就用 Postgres", "数据库用 Postgres"), Candidate)
    assert isinstance(confirmed("Keep sessions in Redis"), Candidate)


@pytest.mark.parametrize("statement", ["s", "!", "\U0003d1b5", "es"])
def test_letters_that_happen_to_occur_are_no_statement(statement):
    assert "unanchored" in slugs(judged(TEXT, "数据库就用 Postgres", statement))


@pytest.mark.parametrize("statement", ["Yes, do that.", "do that", "Where?", "Sessions in Redis?"])
def test_a_yes_or_a_question_is_not_what_was_agreed(statement):
    assert slugs(confirmed(statement)) & {"unanchored", "question"}


def test_a_yes_takes_nothing_back():
    assert "act" in slugs(confirmed("keep sessions in Redis", intent=Intent.RETRACT))


def test_a_change_that_nobody_spoke_of_is_a_plain_statement():
    verdict = judged(TEXT, "数据库就用 Postgres", "数据库就用 Postgres", intent=Intent.REPLACE)

    assert isinstance(verdict, Candidate)
    assert verdict.intent is Intent.ASSERT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("改主意了，数据库换成 Postgres。", "数据库换成 Postgres"),
        ("I changed my mind: we use Postgres from now on.", "we use Postgres from now on"),
    ],
)
def test_a_change_that_was_spoken_of_stays_one(text, words):
    verdict = judged(text, words, words, intent=Intent.REPLACE)

    assert isinstance(verdict, Candidate)
    assert verdict.intent is Intent.REPLACE


def test_a_quote_about_something_else_is_not_kept_as_proof():
    turn = a_turn(1, TEXT)
    quotes = (a_quote(turn, "以后提交信息都用英文写"), a_quote(turn, "数据库就用 Postgres"))

    verdict = judge(a_draft("数据库就用 Postgres", *quotes), Window(turns=(turn,)))

    assert isinstance(verdict, Candidate)
    assert [quote.text for quote in verdict.quotes] == ["数据库就用 Postgres"]


def test_the_tables_have_the_tags_of_change():
    for tag in _CHANGE_TAGS:
        assert lexicon().pattern(tag)
