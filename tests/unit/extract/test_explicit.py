"""What a person asks outright to be remembered."""

import pytest

from backstory.extract.explicit import explicit
from backstory.model.candidate import Candidate, Refused
from backstory.model.words import Kind
from saying import a_turn


@pytest.mark.parametrize(
    "text",
    [
        "要不要用 MongoDB？",
        "端口是多少？",
        "可不可以换成 Redis？",
        "Use MongoDB?",
        "What is the port?",
    ],
)
def test_a_question_is_refused_as_one_whether_or_not_a_rule_finds_something_in_it(
    text: str,
) -> None:
    (verdict,) = explicit(a_turn(text), kind=None)

    assert isinstance(verdict, Refused)
    assert [reason.slug for reason in verdict.reasons] == ["question"]


@pytest.mark.parametrize(
    "text", ["测试数据库在 db.test:5432", "如何部署见 wiki", "The build server is called anvil"]
)
def test_a_plain_statement_is_taken_as_it_stands(text: str) -> None:
    (verdict,) = explicit(a_turn(text), kind=None)

    assert isinstance(verdict, Candidate)
    assert (verdict.kind, verdict.statement) == (Kind.PROJECT_FACT, text)


def test_who_names_a_kind_has_even_a_question_remembered() -> None:
    (verdict,) = explicit(a_turn("端口是多少？"), kind=Kind.PROJECT_FACT)

    assert isinstance(verdict, Candidate)


@pytest.mark.parametrize(
    "text", ["We always use structlog for logging", "Always use tabs\nnot spaces"]
)
def test_what_only_sounds_as_if_it_passed_is_kept_where_it_is_asked_for(text: str) -> None:
    (verdict,) = explicit(a_turn(text), kind=None)

    assert isinstance(verdict, Candidate)
    assert verdict.kind is Kind.CODE_CONVENTION
