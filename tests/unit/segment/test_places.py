"""A path is found by whole segments from its end, never by a part of a name."""

from pathlib import PurePath, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.segment.places import (
    branch_term,
    clean_path,
    folder_terms,
    inner_path,
    mentioned_paths,
    mentioned_tickets,
    path_term,
    path_terms,
    ticket_term,
)


@pytest.mark.parametrize("end", ["src/auth/controller.js", "controller.js", "auth/controller"])
def test_a_file_is_found_by_its_end_with_and_without_suffix(end: str) -> None:
    assert path_term(end) in path_terms("src/auth/controller.js")


@pytest.mark.case("C122")
@pytest.mark.parametrize("other", ["src/aa.py", "other/src/a.py.bak", "xsrc/a.py", "src/a"])
def test_a_path_is_not_found_by_part_of_a_segment(other: str) -> None:
    assert path_term("src/a.py") not in path_terms(other)


@pytest.mark.case("C45")
def test_separators_case_and_dots_do_not_count() -> None:
    assert clean_path(".\\Src\\Auth//x.PY") == clean_path("src/auth/x.py") == "src/auth/x.py"


def test_folders_come_nearest_first() -> None:
    assert folder_terms("a/b/c.ts") == ("/a/b", "/a")


def test_branches_and_tickets_are_terms_that_no_word_equals() -> None:
    assert branch_term("Fix/Paging") == "@fix/paging"
    assert ticket_term("#42") == ticket_term("42") == "#42"


def test_mentions_are_told_from_prose() -> None:
    text = "See src/http/page.ts and SHM-311 (was #42); it works, e.g. in UTF-8-land"

    assert "src/http/page.ts" in mentioned_paths(text)
    assert mentioned_tickets(text) == ("SHM-311", "#42")


@given(st.text())
def test_any_path_gives_terms_that_can_be_stored(path: str) -> None:
    for term in path_terms(path):
        term.encode("utf-8")
    assert not clean_path(path) or path_term(path) in path_terms(path)


@pytest.mark.case("C45")
@pytest.mark.parametrize(
    ("path", "root", "stored"),
    [
        (PureWindowsPath("C:\\work\\Shop\\src\\a.py"), "c:/WORK/shop", "src/a.py"),
        (PureWindowsPath("src\\店铺\\a.py"), "C:/work", "src/店铺/a.py"),
        (PureWindowsPath(".\\a.py"), "C:/work", "a.py"),
        (PureWindowsPath("D:\\work\\a.py"), "C:/work", "D:\\work\\a.py"),
        (PureWindowsPath("\\\\server\\share\\a.py"), "\\\\Server\\Share", "a.py"),
        (PurePosixPath("/w/shop/src/a.py"), "/w/shop", "src/a.py"),
        (PurePosixPath("/W/shop/src/a.py"), "/w/shop", "/W/shop/src/a.py"),
        (PurePosixPath("/w/shop-old/a.py"), "/w/shop", "/w/shop-old/a.py"),
    ],
)
def test_a_path_is_stored_from_the_top_with_forward_slashes(
    path: PurePath, root: str, stored: str
) -> None:
    assert inner_path(path, type(path)(root)) == stored


@pytest.mark.case("C45")
@given(st.lists(st.text(st.characters(exclude_characters="/\\\0:."), min_size=1), min_size=1))
def test_one_file_has_one_name_on_every_system(segments: list[str]) -> None:
    windows = PureWindowsPath("C:\\work").joinpath(*segments)
    posix = PurePosixPath("/work").joinpath(*segments)
    stored = inner_path(windows, PureWindowsPath("c:/Work"))

    assert stored == inner_path(posix, PurePosixPath("/work"))
    assert path_terms(stored) == path_terms(stored.replace("/", "\\"))
