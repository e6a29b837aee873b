"""A commit message is taken apart without losing a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.episodes.messages.parts import (
    bare_subject,
    hashes,
    parse_message,
    trailer_of,
    without_hashes,
)

SHA = "1a2b3c4d5e"


def test_conventional_subject_tells_type_scope_and_breaking() -> None:
    message = parse_message("feat(auth)!: sign tokens with Ed25519\n\nThe old key was short.")

    assert message.type == "feat"
    assert message.areas == ("auth",)
    assert message.is_breaking
    assert message.body == "The old key was short."


@pytest.mark.parametrize(
    ("subject", "areas"),
    [
        ("http2: fix the window", ("http2",)),
        ("builtin/gc.c, pack: share a check", ("builtin/gc.c", "pack")),
        ("Fix the window of http2", ()),
        ("修复: 登录失败", ("修复",)),
        ("see https://example.org for why", ()),
    ],
)
def test_area_is_what_stands_before_the_colon(subject: str, areas: tuple[str, ...]) -> None:
    message = parse_message(subject)

    assert message.areas == areas
    assert message.type is None


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("Signed-off-by: Ada <ada@example.org>", "signed-off-by"),
        ("Closes #12", "closes"),
        ("Fixes: https://example.org/12", "fixes"),
        (f"Follow-up to {SHA} #12", "follow-up-to"),
        ("Ref: #9", "ref"),
    ],
)
def test_trailers_are_known_with_and_without_a_colon(line: str, key: str) -> None:
    trailer = trailer_of(line)

    assert trailer is not None
    assert trailer.key == key


@pytest.mark.parametrize("line", ["fix the build", "See what happens then", "closes the door", ""])
def test_prose_that_begins_like_a_trailer_stays_prose(line: str) -> None:
    assert trailer_of(line) is None


def test_hashes_go_and_quoted_titles_if_asked() -> None:
    text = f"Broken since {SHA} (log: add a\nmark, 2024-05-06), see #1234567."

    assert hashes(text) == (SHA,)
    assert without_hashes(text) == "Broken since  (log: add a\nmark, 2024-05-06), see #1234567."
    assert without_hashes(text, and_titles=True) == "Broken since , see #1234567."


@pytest.mark.parametrize(
    ("subject", "bare"),
    [
        ("fix(ui): hide the bar", "hide the bar"),
        ("curl_setup: drop a macro", "drop a macro"),
        ("Hide the bar", "Hide the bar"),
    ],
)
def test_bare_subject_is_what_is_said(subject: str, bare: str) -> None:
    assert bare_subject(subject) == bare


@given(st.text(max_size=300))
def test_no_message_breaks_the_parser_and_no_word_is_lost(text: str) -> None:
    message = parse_message(text)
    kept = " ".join([message.subject, message.body, *(t.value for t in message.trailers)])

    lost = set(text.split()) - set(kept.split())
    assert len(lost) == 0 or message.trailers
