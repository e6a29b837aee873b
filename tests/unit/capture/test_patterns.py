"""A person's own patterns are read strictly, run quickly on any text, and leave no match."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.capture.patterns import PATTERN_CHARS_MAX, SecretPattern, secret_pattern
from backstory.capture.redact import also_redact, redact

CUSTOMER = secret_pattern(r"ACME-[0-9]{6}", name="customer")
EMPLOYEE = secret_pattern("工号[0-9]+")


@pytest.fixture(autouse=True)
def no_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what a test puts in force end with it."""
    monkeypatch.setattr("backstory.capture.redact._Own.patterns", ())


def test_what_a_pattern_matches_is_replaced_by_its_name() -> None:
    also_redact([CUSTOMER, EMPLOYEE])

    said = redact("ACME-123456 is theirs, 工号40213 is mine.")

    assert said.text == "[REDACTED:customer] is theirs, [REDACTED:custom] is mine."
    assert said.cut(0, 6) == "[REDACTED:customer]"


def test_patterns_add_up_and_hold_for_what_was_redacted_before() -> None:
    before = redact("ACME-123456").text

    also_redact([CUSTOMER])
    also_redact([EMPLOYEE])

    assert (before, redact("ACME-123456").text) == ("ACME-123456", "[REDACTED:customer]")


def test_a_group_limits_what_is_replaced() -> None:
    also_redact([secret_pattern(r"(?i)customer no\. (\d{4})", name="number")])

    assert redact("Customer No. 1234 called").text == "Customer No. [REDACTED:number] called"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("(a+)+b", "is itself repeated"),
        ("(?:a|b)*c", "is itself repeated"),
        ("(?:x{2})+y", "is itself repeated"),
        (r"[\w.]+@[\w.]+\.corp", "may try 65536 ways"),
        ("a?" * 12 + "b", "may try 4096 ways"),
        ("a*", "can match nothing"),
        ("(?:a+)?", "can match nothing"),
        ("^$", "can match nothing"),
        ("a++", "repeats a repetition"),
        (r"(a)\1", "is not read here"),
        ("(?<!x)y", "only (?:…)"),
        ("(a)(b)", "more than one group"),
        ("a{", "bare {"),
        ("a{2000}b", "counts beyond 1000"),
        ("(", "is no regular expression"),
        ("[a", "is no regular expression"),
        ("", "1 to 300"),
        ("a" * (PATTERN_CHARS_MAX + 1), "1 to 300"),
    ],
)
def test_a_pattern_that_could_take_long_or_means_nothing_is_refused(
    written: str, told: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        secret_pattern(written)


@pytest.mark.parametrize("name", ["", "Customer", "customer 1", "kunde_nr", "客户", "a" * 25])
def test_a_name_that_no_placeholder_can_bear_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        secret_pattern("abc", name=name)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("EMP-[0-9]+", "EMP-" + "7" * 5_000),
        (r"[\w.]+@corp", "a" * 256 + "@corp"),
        (r"[]x]{2}\]", "]x]"),
        (r"^id:\t\d{2,3}?$", "one\nid:\t12\ntwo"),
        ("a{,2}b", "aab"),
        (r"(?:ab){3}|cd", "ababab"),
        (r"\bkey\b", "the key"),
    ],
)
def test_a_pattern_matches_what_it_says(written: str, text: str) -> None:
    found = secret_pattern(written).shape.search(text)

    assert found is not None
    assert found.group() == re.search(written, text, re.MULTILINE).group()  # type: ignore[union-attr]


ATOMS = st.sampled_from(["a", "b", ".", r"\d", r"\w", "[ab]", "[^a]", r"\b", "^", "$", "-"])
COUNTS = st.sampled_from(["", "", "+", "*", "?", "{2}", "{1,3}", "{2,}", "+?"])


def _joined(parts: list[tuple[str, str]]) -> str:
    return "".join(f"{part}{count}" for part, count in parts)


PATTERNS = st.recursive(
    st.lists(st.tuples(ATOMS, COUNTS), min_size=1, max_size=4).map(_joined),
    lambda inner: (
        st.tuples(inner, inner).map("|".join)
        | st.tuples(st.lists(st.tuples(inner.map("(?:{})".format), COUNTS), max_size=3)).map(
            lambda parts: _joined(parts[0])
        )
    ),
    max_leaves=5,
)


def _read(written: str) -> SecretPattern | None:
    try:
        return secret_pattern(written)
    except ValueError:
        return None


@given(written=PATTERNS, text=st.text("ab1-. \n", max_size=40))
def test_what_is_read_matches_just_as_it_was_written(written: str, text: str) -> None:
    pattern = _read(written)
    if pattern is None:
        return

    found = [match.span() for match in pattern.shape.finditer(text)]
    assert found == [match.span() for match in re.finditer(written, text, re.MULTILINE)]


@pytest.mark.timeout(60)
@given(written=PATTERNS)
def test_no_pattern_that_is_read_takes_long(written: str) -> None:
    pattern = _read(written)
    if pattern is not None:
        for text in ("a" * 2_000, "ab" * 1_000, "a1-" * 700):
            assert len(list(pattern.shape.finditer(f"{text}!"))) <= len(text) + 1


@given(written=st.text(max_size=40))
def test_any_text_is_a_pattern_or_a_clear_error(written: str) -> None:
    _read(written)


@given(text=st.text("ACME-工号0123456789 ", max_size=60))
def test_redacting_with_own_patterns_leaves_no_match(text: str) -> None:
    also_redact([CUSTOMER, EMPLOYEE])
    once = redact(text).text

    assert CUSTOMER.shape.search(once) is None
    assert EMPLOYEE.shape.search(once) is None
    assert redact(once).text == once


@pytest.mark.parametrize("open_part", ["[a-z]+", "[a-z]*", "[a-z]{2,}"])
def test_an_open_part_is_bounded_where_something_follows_it(open_part: str) -> None:
    followed, last = secret_pattern(f"{open_part}X").shape, secret_pattern(f"X{open_part}Y?").shape

    assert followed.fullmatch("a" * 256 + "X") is not None
    assert followed.fullmatch("a" * 257 + "X") is None
    assert last.fullmatch("X" + "a" * 257) is None
    assert secret_pattern("X[a-z]+").shape.fullmatch("X" + "a" * 5_000) is not None
