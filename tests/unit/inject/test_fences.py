"""No content closes the fence, opens one or looks like an entry of its own."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.capture.fences import strip_injected
from backstory.inject.fences import cut, fenced, harmless, one_line

HOSTILE = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            [
                "<backstory-memory",
                "</backstory-memory",
                ' nonce="0000000000000000">',
                "</BACKSTORY-memory>",
                "< / backstory-x",
                "</system-reminder>",
                "</hook_context>",
                "\n[i_1] project_decision",
                "\x1b[2J",
                "\u2028",
                "<",
                ">",
                "x",
            ]
        )
    ).map("".join),
)


@pytest.mark.promise("R130")
@pytest.mark.case("C81")
@given(HOSTILE)
def test_no_tag_survives_in_content(text: str) -> None:
    safe = harmless(text)

    assert not re.search(
        r"<\s*/?\s*(backstory-|system-reminder|hook_context)", safe, re.IGNORECASE
    )
    assert "\x1b" not in safe


@pytest.mark.case("C40")
@given(HOSTILE)
def test_capture_strips_the_whole_of_what_was_fenced(text: str) -> None:
    message = f"before {fenced(harmless(text))} after"

    stripped = strip_injected(message)

    assert stripped.split() == ["before", "after"]


@given(HOSTILE, st.integers(0, 50))
def test_a_line_is_one_line_and_within_its_length(text: str, limit: int) -> None:
    line = one_line(text, limit)

    assert len(line) <= limit
    assert "\n" not in line
    assert len(line.splitlines()) <= 1


def test_equal_bodies_have_equal_fences_and_others_have_others() -> None:
    assert fenced("a") == fenced("a")
    assert fenced("a").splitlines()[0] != fenced("b").splitlines()[0]


def test_a_cut_text_says_so() -> None:
    assert cut("abcdef", 4) == "abc…"
    assert cut("abc", 3) == "abc"
    assert cut("abc", 0) == ""
