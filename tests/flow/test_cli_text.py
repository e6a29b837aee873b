"""What is printed is what was said, literally: it moves no cursor, hides nothing, wraps well."""

import json
import re
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from backstory.cli.render import literal, one_line, plain
from backstory.cli.wrapping import breaks
from commands import run
from projects import a_project

HOSTILE = {
    "markup": "We decided to use [bold red]PostgreSQL[/] for the [link=x]main[/link] database.",
    "colours": "We decided to use \x1b[31mPostgreSQL\x1b[0m for the main database.",
    "window title": "We decided to use PostgreSQL\x1b]0;owned\x07 for the main database.",
    "eight-bit controls": "We decided to use \x9b31mPostgreSQL for the main database.",
    "carriage return": "We decided to use MySQL\rWe decided to use PostgreSQL for the database.",
    "directions": "We decided to use \u202ePostgreSQL\u202c for the \u2066main\u2069 database.",
    "no width": "We decided to use Post\u200bgre\ufeffSQL for the main database.",
    "emoji code": "We decided to use PostgreSQL :smile: for the main database.",
}
ALLOWED_CONTROLS = {"\n", "\t"}
PRINTED = st.text(max_size=200)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return an empty git repository."""
    return a_project(tmp_path / "shop")


def unsafe_in(text: str) -> set[str]:
    """Return the characters of a text that a terminal may act on."""
    return {
        character
        for character in text
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        and character not in {*ALLOWED_CONTROLS, "\u200c", "\u200d"}
    }


@pytest.mark.promise("R156")
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_words_are_printed_literally_by_every_command(project: Path, text: str) -> None:
    run("remember", text, at=project)

    for words in (
        ["list", "--all"],
        ["search", "decided"],
        ["recall", "decided to use"],
        ["why", "decided to use"],
        ["context", "decided to use"],
        ["remember", text],
        ["show", "m_"],
        ["show", text],
    ):
        plainly = run(*words, at=project)
        as_json = run(*words, "--json", at=project)

        assert unsafe_in(plainly.out + plainly.err) == set(), words
        assert unsafe_in(as_json.out) == set(), words
        json.loads(as_json.out)


def test_markup_is_not_taken_for_markup(project: Path) -> None:
    run("remember", HOSTILE["markup"], at=project)

    assert "[bold red]PostgreSQL[/]" in run("search", "PostgreSQL", at=project).out


def test_json_keeps_every_character(project: Path) -> None:
    said = HOSTILE["no width"]
    run("remember", said, at=project)

    assert said in [hit["excerpt"] for hit in run("search", "decided", "--json", at=project).told]


@given(text=PRINTED)
def test_literal_text_has_nothing_that_a_terminal_acts_on(text: str) -> None:
    assert unsafe_in(literal(text)) == set()
    assert literal(literal(text)) == literal(text)


@given(text=PRINTED)
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


@given(text=st.text("abc 中文，。“”-_./é", max_size=120), width=st.integers(12, 40))
def test_wrapped_text_fits_and_loses_nothing(text: str, width: int) -> None:
    cuts = [0, *breaks(text, width=width, indent=4), len(text)]
    pieces = [text[start:end] for start, end in pairwise(cuts)]

    assert "".join(pieces) == text
    assert all(pieces) or not text
    for number, piece in enumerate(pieces):
        assert cell_len(piece.rstrip()) <= (width - 4 if number else width)


def test_chinese_is_broken_inside_a_run_and_not_before_a_mark() -> None:
    text = "m_4k2  decision  两个进程同时写会锁住整个库，所以改用别的数据库。"

    first, *rest = breaks(text, width=30, indent=4)

    assert first > len("m_4k2  decision  ")
    assert text[first] not in "，。"
    assert rest


def test_words_are_broken_only_where_they_are_longer_than_a_line() -> None:
    text = "short words, and https://example.org/a/very/long/address here"
    cuts = [0, *breaks(text, width=20, indent=2), len(text)]
    pieces = [text[start:end].rstrip() for start, end in pairwise(cuts)]

    assert pieces[0] == "short words, and"
    assert pieces[-1].endswith("here")


def test_plain_output_has_no_escape_and_one_line_for_each_item(project: Path) -> None:
    run(
        "remember",
        f"We decided to use PostgreSQL for {'the very ' * 30}main database.",
        at=project,
    )

    out = run("list", at=project).out

    assert re.fullmatch(r"m_\w+  decision  We decided .*main database\n", out)


def test_plain_values_keep_their_names_and_order() -> None:
    assert plain({"b": (1, "x"), "a": {3, 2}}) == {"b": [1, "x"], "a": ["2", "3"]}
    assert plain(Path("a/b")) == "a/b"
