"""Chinese and English are equals: whatever a person is told can be told in both."""

import re
from collections import Counter
from collections.abc import Iterable

import spoken
from backstory.speaking.book import Book, Entry, read_book
from source_tree import listed

PRINTED = ("words", "screens")
PASSED_ON = ("words", "errors", "reasons", "notices")
PARTS = (*PRINTED, "help", *PASSED_ON[1:])
ENTRIES = [(part, entry) for part in PARTS for entry in read_book(part)]
# What typer and the system say, of which nothing stands in our source.
FROM_OUTSIDE = re.compile(
    r"Missing |No such |Invalid value|Got unexpected|Option |Value |Input |"
    r"\{1\} is not (a valid|one of|in the range)|"
    r"(Permission denied|Is a directory|Not a directory|File |Read-only file|No space|"
    r"Address already|Operation not|Input/output)"
)
BUG = "this is a bug in Backstory ({1}). What was acknowledged is kept. Please report it with"
# What is put together of parts, each form by itself.
COMPOSED = {
    *("{1} item", "{1} items", "{1} turn", "{1} turns", "{1} event", "{1} events"),
    *("1 proposal waits", "{1} proposals wait", "Backstory: {1}"),
    *("memory is off for this machine", "memory is off for this project"),
    *("memory is off for this session", "today's cap of ${1} is reached", "{1} (HTTP {2})"),
    *("switched off in /hooks: {1}", "never reviewed: {1}", "changed since the review: {1}"),
    *("{1} bytes are more than is read of one line; it is no prompt: {2}…",),
    *("{1} bytes are more than is read of one line; it may be a prompt: {2}…",),
    *("{1} names a {2} that is not there", "the row about the store", "{1}, score {2} of {3}"),
    *("the {1} has {2} characters, {3} at the most", "add `{1}` to it yourself"),
    *(f"{BUG} {{2}}", f"{BUG} the lines above", "regular expressions, such as {1}, or {2}"),
}
COMMANDS = re.compile(r"`[^`]*`")
HOLE = re.compile(r"\{(\d+)(?::said)?\}")
HAN = "\u3400-\u9fff"
LATIN_MARK = re.compile(f'[{HAN}][,;:?!()"]|[,;:?!("][{HAN}]|[{HAN}]\\.(?![\\w/])')


def english_of(parts: Iterable[str]) -> set[str]:
    return {entry.english for part in parts for entry in read_book(part)}


def missing(sentences: dict[str, str], parts: Iterable[str]) -> list[str]:
    """Return the sentences that these parts of the book do not hold, with where they are said."""
    known = english_of(parts)
    return [f"{place}: {text}" for text, place in sentences.items() if text not in known]


def test_everything_that_a_command_says_has_an_entry() -> None:
    absent = missing(spoken.said_in("src/backstory/cli"), PRINTED)
    absent += missing(spoken.passed_on_in("src/backstory/cli"), PASSED_ON)

    assert not absent, listed(absent)


def test_nothing_is_printed_in_english_alone() -> None:
    plain = [f"{where}: {text}" for text, where in spoken.printed("src/backstory/cli").items()]

    assert not plain, listed(plain)


def test_nothing_is_said_that_has_no_words_of_its_own() -> None:
    # It would be found in the form of anything else.
    empty = [
        f"{part}: {entry.english}"
        for part, entry in ENTRIES
        if entry.pieces[1:] and not re.search("[A-Za-z]", "".join(entry.pieces))
    ]

    assert not empty, listed(empty)


def test_every_error_has_an_entry() -> None:
    absent = missing(spoken.raised(), PASSED_ON)

    assert not absent, listed(absent)


def test_what_the_layers_below_find_has_an_entry() -> None:
    absent = missing({**spoken.told_elsewhere(), **spoken.worded()}, PARTS)

    assert not absent, listed(absent)


def test_the_help_of_every_command_has_entries() -> None:
    book = Book(read_book("help"))
    absent = [
        f"{name}: {text}" for text, name in spoken.helped().items() if book.said(text) == text
    ]

    assert not absent, listed(absent)


def test_every_entry_is_used() -> None:
    used = spoken.written() | COMPOSED
    used |= {*spoken.said_in("src/backstory/cli"), *spoken.told_elsewhere()}
    used |= {*spoken.worded(), *spoken.helped()}
    of_help = {entry.english for entry in read_book("help") if len(entry.pieces) > 1}
    unused = [
        f"{part}: {entry.english}"
        for part, entry in ENTRIES
        if entry.english not in used | of_help and not FROM_OUTSIDE.match(entry.english)
    ]

    assert not unused, listed(unused)


def test_no_sentence_stands_in_a_printed_or_a_passed_on_part_twice() -> None:
    for parts in (PRINTED, PASSED_ON, ("help",)):
        counts = Counter(entry.english for part in parts for entry in read_book(part))

        assert [english for english, count in counts.items() if count > 1] == []


def test_both_sides_of_an_entry_go_together() -> None:
    apart = [f"{part}: {entry.english}" for part, entry in ENTRIES if not go_together(entry)]

    assert not apart, listed(apart)


def test_marks_of_the_chinese_are_chinese() -> None:
    found = [
        f"{part}: {entry.chinese}"
        for part, entry in ENTRIES
        if LATIN_MARK.search(COMMANDS.sub("", HOLE.sub("中", entry.chinese)))
    ]

    assert not found, listed(found)


def go_together(entry: Entry) -> bool:
    """Whether the Chinese has the holes and the commands of the English, and words of its own."""
    holes, in_chinese = HOLE.findall(entry.english), sorted(HOLE.findall(entry.chinese))
    commands = sorted(COMMANDS.findall(entry.english))
    return (
        holes == in_chinese == [str(number) for number in range(1, len(holes) + 1)]
        and commands == sorted(COMMANDS.findall(entry.chinese))
        and entry.chinese.strip() not in {"", entry.english}
    )
