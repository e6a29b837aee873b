"""What was forgotten of a turn is covered in it, in its place and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.model.ids import TurnId
from backstory.model.words import Role
from backstory.ports.store_rows import Forgotten
from backstory.wiring.masking import masked
from saying import a_turn


def a_span(start: int, end: int, *, turn: str = "t1", role: Role = Role.USER) -> Forgotten:
    return Forgotten(turn_id=TurnId(turn), role=role, start=start, end=end)


@pytest.mark.parametrize(
    ("span", "said", "answered"),
    [
        (a_span(3, 6), "我们用███", "SQLite it is"),
        (a_span(0, 6, role=Role.ASSISTANT), "我们用钱塘江", "██████ it is"),
        (a_span(3, 99), "我们用███", "SQLite it is"),
        (a_span(0, 6, turn="t2"), "我们用钱塘江", "SQLite it is"),
        (a_span(0, 6, turn="t2", role=Role.ASSISTANT), "我们用钱塘江", "SQLite it is"),
    ],
)
def test_a_span_is_covered_in_the_turn_and_the_words_that_it_is_of(
    span: Forgotten, said: str, answered: str
) -> None:
    turn = masked(a_turn("我们用钱塘江", answer="SQLite it is"), [span])

    assert (turn.user_text, turn.answer_text) == (said, answered)


@given(
    text=st.text(max_size=30),
    spans=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20)), max_size=4),
)
def test_every_other_character_keeps_its_place(text: str, spans: list[tuple[int, int]]) -> None:
    hidden = {at for start, length in spans for at in range(start, start + length)}

    turn = masked(a_turn(text), [a_span(start, start + length) for start, length in spans])

    expected = ["█" if at in hidden else letter for at, letter in enumerate(text)]
    assert turn.user_text == "".join(expected)
