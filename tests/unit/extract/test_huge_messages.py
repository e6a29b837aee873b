"""A huge message takes bounded work, and a wish to be remembered is found wherever it stands."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.extract.language.bounds import CLAUSES_MAX, EXAMINED_CHARS_MAX, examined
from backstory.extract.language.clauses import read_message

LINES = 20_000
WISHES = (
    *("Remember: always use tabs in Go files.", "记住：回答一律用中文。"),
    *("Please run the linter every time you commit.", "请每次提交前都跑一遍检查。"),
    *("I prefer short answers.", "我不喜欢太长的回答。"),
)
FILLING = (
    "we then looked at the receipts of the shop, and so on, and went home",
    "我们然后看了一下商店的收据，还有很多别的东西在里面，然后就回家了",
    "ok",
)


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("filling", FILLING)
def test_a_wish_in_the_middle_of_a_huge_message_is_read(wish: str, filling: str) -> None:
    lines = [f"{filling} {number}" for number in range(LINES)]
    lines[LINES // 2] = wish
    text = "\n".join(lines)

    message = read_message(text)

    wished = text.index(wish)
    assert any(wished <= s.start < wished + len(wish) for s in message.sentences)
    clauses = sum(len(sentence.clauses) for sentence in message.sentences)
    assert clauses <= CLAUSES_MAX + 300
    assert message.sentences == tuple(sorted(message.sentences, key=lambda s: s.start))


def test_lines_that_ask_are_bounded_too() -> None:
    text = "\n".join(f"remember receipt {number} of the shop" for number in range(LINES))

    parts = examined([(0, len(text))], text)

    assert sum(end - start for start, end in parts) < EXAMINED_CHARS_MAX + 10_000


@given(
    sizes=st.lists(st.tuples(st.integers(1, 90_000), st.integers(0, 900)), min_size=1, max_size=5),
    wishes=st.lists(st.integers(0, 300_000), max_size=5),
)
def test_what_is_looked_at_is_in_order_disjoint_and_within_what_was_said(
    sizes: list[tuple[int, int]], wishes: list[int]
) -> None:
    spans: list[tuple[int, int]] = []
    position = 0
    for size, gap in sizes:
        spans.append((position + gap, position + gap + size))
        position += gap + size
    said = list("x" * position)
    for wish in wishes:
        said[wish : wish + 27] = "\nremember: always 以后 decided"[:27]
    shadow = "".join(said)[:position]

    parts = examined(spans, shadow)

    assert all(start < end for start, end in parts)
    assert all(one[1] <= other[0] for one, other in pairwise(parts))
    assert all(any(s <= start and end <= e for s, e in spans) for start, end in parts)


def test_what_asks_in_code_between_is_not_looked_at() -> None:
    spans = [(0, 50_000), (60_000, 120_000)]
    plain = "x" * 120_000
    asking = f"{plain[:55_000]}\nremember this\n{plain[55_000:]}"[:120_000]

    assert examined(spans, asking) == examined(spans, plain)
