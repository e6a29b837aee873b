"""What a model is shown is bounded, holds no secret, and its quotes lead back to the original."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.capture.redact import redact
from backstory.extract.model.shown import Shown, show

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


def shown(text: str, *, chars_max: int = 10_000, signals: tuple = ()) -> Shown:
    return show(text, spans=[(0, len(text))] if text else (), signals=signals, chars_max=chars_max)


@given(st.text(max_size=300), st.data())
def test_any_part_that_is_shown_leads_back_to_its_place(text, data):
    view = shown(text)
    for piece in view.pieces:
        start = data.draw(st.integers(0, max(0, len(piece.text) - 1)))
        end = data.draw(st.integers(start, len(piece.text)))
        words = piece.text[start:end]
        found = view.find(words)
        if not words.strip():
            continue

        assert found is not None
        assert redact(text).cut(found.start, found.end) == found.text
        assert words in found.text


@pytest.mark.promise("R150")
@pytest.mark.case("C79")
def test_a_quote_over_a_secret_keeps_its_placeholder():
    text = f"部署时 token={TOKEN} 一律从环境变量读。"
    view = shown(text)

    found = view.find("token=[REDACTED:token] 一律从环境变量读")

    assert TOKEN not in view.text
    assert found is not None
    assert text[found.start : found.end] == f"token={TOKEN} 一律从环境变量读"
    assert found.text == "token=[REDACTED:token] 一律从环境变量读"


@pytest.mark.parametrize(
    "words",
    [
        "Use  SQLite,\nnot Postgres",
        "use sqlite, not postgres",
        "“Use SQLite, not Postgres”",
        "Use SQLite,not Postgres",
        "Use SQLite, not Postgres …",
    ],
)
def test_a_slightly_miscopied_quote_is_found_in_its_true_words(words):
    text = "Right. Use SQLite, not Postgres."

    found = shown(text).find(words)

    assert found is not None
    assert found.text == "Use SQLite, not Postgres"


@pytest.mark.parametrize("words", ["Use MySQL", "", "   ", "“”", "好的", "SQLite Postgres"])
def test_an_invented_quote_is_not_found(words):
    assert shown("Use SQLite, not Postgres.").find(words) is None


def test_a_short_word_is_found_where_it_stands_alone():
    text = "很好看。好"

    found = shown(text).find("好")

    assert found is not None
    assert (found.start, found.end) == (4, 5)


def test_a_huge_text_keeps_head_tail_and_signals():
    rule = "所有时间一律用 UTC。"
    text = "开头 " + "日志 " * 20_000 + rule + "more log " * 20_000 + " the end"
    at = text.index(rule)

    view = shown(text, chars_max=4_000, signals=((at, at + len(rule)),))

    assert len(view.text) < 4_300
    assert view.text.startswith("开头")
    assert view.text.endswith("the end")
    found = view.find(rule)
    assert found is not None
    assert text[found.start : found.end] == rule
    assert "left out" in view.text


@given(
    st.lists(st.integers(0, 5_000), max_size=30),
    st.integers(200, 3_000),
)
def test_however_many_signals_the_view_is_bounded(places, chars_max):
    text = "x " * 2_500
    signals = tuple((at, min(len(text), at + 9)) for at in places if at < len(text) - 9)

    view = shown(text, chars_max=chars_max, signals=signals)

    assert sum(len(piece.text) for piece in view.pieces) <= chars_max
    assert list(view.pieces) == sorted(view.pieces, key=lambda piece: piece.start)


def test_a_quote_never_reaches_over_a_gap():
    text = "Use SQLite " + "x" * 5_000 + " not Postgres"
    view = shown(text, chars_max=400)

    assert view.find("Use SQLite not Postgres") is None


def test_a_secret_at_the_edge_of_what_is_shown_does_not_slip_through():
    text = "a " * 300 + TOKEN + " b" * 3_000

    for chars_max in range(2_360, 2_560, 8):
        assert TOKEN[:20] not in shown(text, chars_max=chars_max).text
