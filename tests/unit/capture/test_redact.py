"""Secrets leave a text, visibly and for good; other words stay."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.capture.redact import redact

ALNUM = string.ascii_letters + string.digits


def mixed(size: int) -> st.SearchStrategy[str]:
    """Random letters and digits, with at least one of each."""
    body = st.text(ALNUM, min_size=size, max_size=size)
    return body.map(lambda text: f"a{text}7")


SECRETS = st.one_of(
    mixed(20).map(lambda s: f"ghp_{s}"),
    mixed(24).map(lambda s: f"sk-proj-{s}"),
    mixed(30).map(lambda s: f"github_pat_{s}"),
    mixed(12).map(lambda s: f"xoxb-{s}"),
    st.text(string.ascii_uppercase + string.digits, min_size=16, max_size=16).map(
        lambda s: f"AKIA{s}"
    ),
    mixed(20).map(lambda s: f"eyJhbGciOi{s}.{s}.{s}"),
    mixed(10).map(lambda s: f"<private>{s}</private>"),
    mixed(40).map(
        lambda s: f"-----BEGIN RSA PRIVATE KEY-----\n{s}\n-----END RSA PRIVATE KEY-----"
    ),
)
BESIDE = st.sampled_from(
    ["password: ", "the password is ", "API_KEY=", "口令是 ", "密码：", "token = ", "密钥为 "]
)
AROUND = st.text("abc ，。:=\n", max_size=20)


@pytest.mark.case("C79")
@given(before=AROUND, secret=SECRETS, after=AROUND)
def test_a_planted_secret_never_survives(before: str, secret: str, after: str) -> None:
    assert secret not in redact(f"{before} {secret} {after}").text


@given(before=AROUND, word=BESIDE, value=mixed(10), after=AROUND)
def test_a_value_beside_its_word_never_survives(
    before: str, word: str, value: str, after: str
) -> None:
    assert value not in redact(f"{before} {word}{value} {after}").text


@given(st.text(max_size=200) | st.tuples(AROUND, SECRETS, AROUND).map(" ".join))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text).text

    assert redact(once).text == once


@given(st.tuples(AROUND, SECRETS, AROUND).map(" ".join), st.integers(0, 40), st.integers(1, 60))
def test_a_cut_never_shows_part_of_a_secret(text: str, start: int, length: int) -> None:
    redacted = redact(text)
    cut = redacted.cut(start, min(start + length, len(text)))

    for secret in redacted.secrets:
        body = text[secret.start : secret.end]
        assert len(body) < 8 or body[:8] not in cut.replace("[REDACTED:", "")


@pytest.mark.parametrize(
    "text",
    [
        "The password is required.",
        "密码每九十天强制更换",
        "Remember the token bucket per API key.",
        "Use tabs, not spaces, in src/app/main.py",
        "git commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "the primary key is order_id",
        "https://example.com/path?x=1",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert redact(text).text == text


def test_the_user_information_of_an_address_goes_and_the_address_stays() -> None:
    said = "postgres://app:s3cret@db.internal/orders"

    assert redact(said).text == "postgres://[REDACTED:url-credentials]@db.internal/orders"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Production is at 8.8.4.4.", "Production is at [REDACTED:ip]."),
        ("ssh root@52.1.2.3", "ssh root@[REDACTED:ip]"),
        ("curl http://203.0.113.9:8443/x", "curl http://[REDACTED:ip]:8443/x"),
        ("服务器 47.96.1.20，端口 22", "服务器 [REDACTED:ip]，端口 22"),
        ("it listens on 2001:db8:85a3::8a2e:370:7334", "it listens on [REDACTED:ip]"),
    ],
)
@pytest.mark.promise("R150")
def test_an_address_on_the_internet_is_replaced(text, kept):
    assert redact(text).text == kept


@pytest.mark.parametrize(
    "text",
    [
        "localhost is 127.0.0.1, and the board is 192.168.5.20 or 10.0.3.7",
        "version 1.2.3.4, v1.2.3.4, package==1.2.3.4, 版本1.2.3.4",
        "Chrome 120.0.6099.109, 1.2.3.4.5 and 20:30:45 and 2026:11:30:12",
    ],
)
def test_an_address_that_names_no_machine_elsewhere_stays(text):
    assert redact(text).text == text
