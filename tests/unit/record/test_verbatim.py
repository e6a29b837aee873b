"""Only halves of characters cannot be stored; they are told, or marked without moving anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.model.errors import UnreadableInputError
from backstory.record import refuse_half_characters, without_half_characters


def test_half_of_an_emoji_is_refused_with_its_place() -> None:
    with pytest.raises(UnreadableInputError, match="U\\+DE00 at place 4"):
        refuse_half_characters("cut \ude00")


@given(text=st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_whole_text_is_accepted_and_left_as_it_is(text: str) -> None:
    refuse_half_characters(text)

    assert without_half_characters(text) == text


@pytest.mark.case("C67")
@given(text=st.text(alphabet=st.characters()))
def test_marking_halves_moves_no_offset_and_makes_any_text_storable(text: str) -> None:
    marked = without_half_characters(text)

    assert len(marked) == len(text)
    refuse_half_characters(marked)
