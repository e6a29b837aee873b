"""A page that people follow is there in English and in Chinese, and both take the same steps."""

import re
from itertools import zip_longest
from pathlib import Path

import pytest

from source_tree import ROOT, listed

DOCS = ROOT / "docs"
FOLLOWED = ("tutorial", "how-to")
ENGLISH = sorted(
    path for name in FOLLOWED for path in (DOCS / name).glob("*.md") if ".zh" not in path.suffixes
)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What may differ: what is between quotation marks, and what a command is given to read.
QUOTED = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'')
GIVEN = re.compile(r"^> .*(?<!END)\n|^>\n", re.MULTILINE)


def test_every_page_that_people_follow_is_there_in_both_languages() -> None:
    chinese = {path for name in FOLLOWED for path in (DOCS / name).glob("*.zh.md")}

    assert chinese == {twin_of(path) for path in ENGLISH}


@pytest.mark.parametrize("page", ENGLISH, ids=lambda page: page.stem)
def test_twins_have_as_many_headings_blocks_and_tables(page: Path) -> None:
    assert shape(page) == shape(twin_of(page))


@pytest.mark.parametrize("page", ENGLISH, ids=lambda page: page.stem)
def test_twins_run_the_same_commands_but_for_what_is_between_quotation_marks(page: Path) -> None:
    differing = [
        f"{first}\n  is in Chinese\n{second}"
        for first, second in zip_longest(steps(page), steps(twin_of(page)))
        if first != second
    ]

    assert not differing, listed(differing)


@pytest.mark.parametrize("page", ENGLISH, ids=lambda page: page.stem)
def test_twins_name_the_same_commands_settings_and_files_in_their_sentences(page: Path) -> None:
    assert named(page) == named(twin_of(page))


@pytest.mark.parametrize("page", ENGLISH, ids=lambda page: page.stem)
def test_twins_lead_to_each_other_under_their_titles(page: Path) -> None:
    twin = twin_of(page)

    assert page.read_text().splitlines()[2] == f"[中文]({twin.name})"
    assert twin.read_text().splitlines()[2] == f"[English]({page.name})"


def twin_of(page: Path) -> Path:
    """Return where the Chinese twin of an English page is."""
    return page.with_suffix(".zh.md")


def shape(page: Path) -> tuple[list[str], list[str], int]:
    """Return the levels of a page's headings, the kinds of its blocks, and the rows of tables."""
    prose = BLOCK.sub("", page.read_text())
    return (
        re.findall(r"^(#+) ", prose, re.MULTILINE),
        [language for language, _ in BLOCK.findall(page.read_text())],
        len(re.findall(r"^\|", prose, re.MULTILINE)),
    )


def steps(page: Path) -> list[str]:
    """Return what the blocks of a page do, without what is between quotation marks."""
    return [
        QUOTED.sub('"…"', step)
        for language, text in BLOCK.findall(page.read_text())
        for step in (commands(text) if language == "console" else text.splitlines())
    ]


def commands(text: str) -> list[str]:
    """Return the commands of a console block, without what they print."""
    return re.findall(r"^(?:\$ |> ).*$", GIVEN.sub("", text), re.MULTILINE)


def named(page: Path) -> set[str]:
    """Return what is set as code in the sentences of a page."""
    return set(re.findall(r"`([^`\n]+)`", BLOCK.sub("", page.read_text())))
