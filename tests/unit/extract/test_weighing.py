"""Weights tell lasting clauses from others, the same way every time, and never outdo the gate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.extract.extractor import extract
from backstory.extract.gate import places_in
from backstory.extract.weighing import read_weights, weigh
from backstory.extract.weighing.features import features_of
from backstory.extract.weighing.judging import PROPOSER, is_doubtful
from backstory.extract.weighing.tokens import runs_of
from backstory.extract.weighing.word_classes import class_runs_of, classes_of
from backstory.model.words import Kind
from saying import a_window, accepted

TABLE = """# A comment.
feature	lasting	code_convention	retract
bias	-100	0	0
c:never	200	150	0
h:maybe	-300
"""


def test_a_table_adds_up_what_it_knows_and_passes_over_the_rest() -> None:
    table = read_weights(TABLE)

    alone = table.weigh({"c:never", "c:unheard"})
    beside = table.weigh({"c:never", "h:maybe"})

    assert alone.lasting == pytest.approx(-1.0 + 3 * 2.0)
    assert alone.kind == "code_convention"
    assert beside.lasting < alone.lasting


def test_nothing_known_leaves_the_bias() -> None:
    assert read_weights(TABLE).weigh({"c:unheard"}).lasting == -1.0


def test_a_clause_of_two_kinds_as_likely_as_each_other_is_less_surely_of_one() -> None:
    table = read_weights(TABLE)

    clear, mixed = table.weigh({"c:never"}), table.weigh({"h:maybe"})

    assert sum(clear.shares.values()) == pytest.approx(1.0)
    assert clear.shares["code_convention"] > 0.9
    assert mixed.shares["code_convention"] == pytest.approx(0.5)
    assert clear.chance("code_convention", power=1.0) < 1 / (1 + 2.718281**-clear.lasting)


def test_words_of_both_languages_are_of_the_same_classes() -> None:
    english = classes_of("our nurses work at night")
    chinese = classes_of("我们的护士晚上上班")

    assert english[:2] == chinese[:2] == ("we", "person")
    assert "when" in english
    assert "when" in chinese


def test_a_pair_of_classes_is_seen_across_a_third() -> None:
    assert "we~when" in class_runs_of("our nurses night", length_max=2)


def test_what_no_table_knows_is_left_out_where_only_the_known_is_asked_for() -> None:
    place = places_in("Never use tabs here.")[0]

    asked = features_of(place, (), known={"c": {"never"}})

    assert "c:never" in asked
    assert not any(name.startswith(("c:use", "kc:")) for name in asked)


@pytest.mark.parametrize(
    "text", ["Note for later: tabs are banned in this repo.", "记一笔：仓库里一律不用制表符。"]
)
def test_what_announces_a_statement_is_no_statement_of_its_own(text: str) -> None:
    assert len(accepted(extract(a_window(text)))) == 1


def test_a_rule_is_not_believed_where_the_words_speak_for_nothing_of_its_kind() -> None:
    places = places_in("Thanks, that works now.")

    assert is_doubtful(places, kind=Kind.CODE_CONVENTION)


def test_names_are_weighed_as_what_they_are() -> None:
    one = runs_of("we use postgres in src/db/pool.py", words_max=2, han_max=3)
    other = runs_of("we use kafka in lib/queue.rs", words_max=2, han_max=3)

    assert one == other


def test_han_runs_are_longer_than_english_ones() -> None:
    runs = runs_of("以后都用", words_max=2, han_max=4)

    assert "以 后 都 用" in runs


@pytest.mark.parametrize(
    ("lasting", "passing"),
    [
        ("Never commit secrets.", "Commit the secrets file again."),
        ("所有函数都要有注释", "给这个函数加个注释"),
        ("We'll use Postgres for the main store.", "Is Postgres what the main store uses?"),
    ],
)
def test_what_lasts_weighs_more_than_what_passes(lasting: str, passing: str) -> None:
    assert _weight(lasting) > _weight(passing)


def test_every_kind_of_the_table_is_a_kind_of_item_or_a_withdrawal() -> None:
    columns = weigh(places_in("Use tabs.")[0])

    assert columns.kind in {*Kind, "retract"}


@given(st.text(max_size=300))
def test_any_text_can_be_weighed_and_weighs_the_same_again(text: str) -> None:
    for place in places_in(text):
        assert weigh(place) == weigh(place)
        assert features_of(place, ()) == features_of(place, ())


def test_the_proposer_of_weighed_drafts_names_a_rule() -> None:
    assert PROPOSER.startswith("rule:")


def _weight(text: str) -> float:
    return max(weigh(place).lasting for place in places_in(text))
