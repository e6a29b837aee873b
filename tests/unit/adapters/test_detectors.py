"""What a deep scan calls a secret is one, and plain words are none in either language."""

import pytest

from backstory.adapters.detectors import Detectors

pytest.importorskip("detect_secrets")

KEY = "ghp_" + "1234567890abcdefghij" + "ABCDEFGHIJ123456"


@pytest.mark.parametrize(
    "text",
    [
        "We decided to use PostgreSQL for the main database.",
        "以后回答我的问题先给结论，数据库就用 PostgreSQL。",
        "Deploy with `make release`; see docs/how-to/release.md",
    ],
)
def test_plain_words_are_no_secret(text: str) -> None:
    assert Detectors().types_in(text) == ()


@pytest.mark.parametrize("text", [f"The token is {KEY}.", f"令牌：{KEY}", f"x\nkey={KEY}"])
def test_a_key_between_words_is_one(text: str) -> None:
    assert "GitHub Token" in Detectors().types_in(text)


def test_text_that_only_looks_random_is_named_where_it_is_long() -> None:
    assert Detectors().types_in('blob = "kJ8s0dPq2LmZx7Vb4Tn1Rw9Yc6Hf3Ga5"')
