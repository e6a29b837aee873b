"""Weights tell lasting clauses from others, the same way every time, and never outdo the gate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.extract.gate import places_in
from backstory.extract.weighing import read_weights, weigh
from backstory.extract.weighing.features import features_of, runs_of
from backstory.extract.weighing.judging import PROPOSER
from backstory.model.words import Kind

TABLE = """# A comment.
feature	lasting	code_convention	retract
bias	-1.0	0.0	0.0
c:never	2.0	1.5	0.0
h:maybe	-3.0	0.0	0.0
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
