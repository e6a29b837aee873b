"""A sentence of ours is said in Chinese; what stands in its holes stays what it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstory.model.words import Language
from backstory.speaking import retold, said, speak
from backstory.speaking.book import Book, Entry, read_book
from backstory.speaking.matching import held_by

HELD = st.text("abc中文 ,;:。`“(){}1\n", max_size=12)
ENTRIES = [e for part in ("help", "screens", "errors", "reasons") for e in read_book(part)]
HOLED = [entry for entry in ENTRIES if len(entry.pieces) > 1]
WHOLE = Book(ENTRIES)
PIECE = st.text("ab .", min_size=1, max_size=3)


def a_book(*pairs: tuple[str, str]) -> Book:
    return Book(Entry(english=english, chinese=chinese) for english, chinese in pairs)


def said_in_chinese(text: str) -> str:
    return WHOLE.said(text)


def test_sentence_without_holes_is_found_as_it_is() -> None:
    book = a_book(("Everything is well.", "一切正常。"))

    assert book.said("Everything is well.") == "一切正常。"
    assert book.said("Everything is well") == "Everything is well"


def test_holes_are_filled_in_the_order_of_the_chinese() -> None:
    book = a_book(("{1} of {2} failed", "{2} 中有 {1} 失败"))

    assert book.said("3 of 12 failed") == "12 中有 3 失败"


def test_the_form_that_knows_most_of_a_sentence_is_taken() -> None:
    book = a_book(
        ("{1} failed", "{1} 失败"),
        ("the job {1} failed", "任务 {1} 失败"),
        ("{1} is off: {2}", "{1} 已关闭：{2:said}"),
        ("it has no more than {1} jobs", "它最多有 {1} 个任务"),
        ("{1} has no more than {2} jobs", "{1} 最多有 {2} 个任务"),
    )

    assert book.said("the job j_1 failed") == "任务 j_1 失败"
    assert book.said("x is off: it has no more than 3 jobs") == "x 已关闭：它最多有 3 个任务"


def test_what_can_be_taken_apart_in_two_ways_stays_as_it_is() -> None:
    book = a_book(("{1} is {2}", "{1} 为 {2}"))

    assert book.said("this is it") == "this 为 it"
    assert book.said("what is is is") == "what is is is"


def test_hole_may_ask_that_a_sentence_of_ours_in_it_is_said_too() -> None:
    book = a_book(("{1} was left: {2}", "{1} 保持原样：{2:said}"), ("it is no list", "它不是列表"))

    assert book.said("a.json was left: it is no list") == "a.json 保持原样：它不是列表"
    assert (
        book.said("a.json was left: Zugriff verweigert") == "a.json 保持原样：Zugriff verweigert"
    )


def test_list_is_said_only_where_all_of_it_is_ours() -> None:
    book = a_book(("it is gone", "它已不存在"), ("it is empty", "它是空的"))

    assert book.said_in_parts("it is gone; it is empty") == "它已不存在；它是空的"
    assert book.said_in_parts("it is gone, it is empty") == "它已不存在、它是空的"
    assert book.said_in_parts("it is gone; nobody knows") == "it is gone; nobody knows"


@given(pieces=st.lists(PIECE, min_size=2, max_size=4), held=st.lists(HELD, min_size=3, max_size=3))
def test_what_is_taken_out_makes_the_sentence_again(pieces: list[str], held: list[str]) -> None:
    texts = held[: len(pieces) - 1]
    text = "".join(part for pair in zip(pieces, [*texts, ""], strict=True) for part in pair)
    found = held_by(pieces, text)

    assert found is not None
    if found:
        assert list(found) == texts


@given(data=st.data())
def test_every_entry_keeps_what_stands_in_its_holes(data: st.DataObject) -> None:
    entry = data.draw(st.sampled_from(HOLED))
    holes = len(entry.pieces) - 1
    held = data.draw(st.lists(HELD, min_size=holes, max_size=holes))
    text = "".join(part for pair in zip(entry.pieces, [*held, ""], strict=True) for part in pair)
    spoken = WHOLE.said(text), WHOLE.said_in_parts(text)

    assert all(one in told for one in held for told in spoken)


def test_name_before_a_sentence_of_ours_stays_as_it_is() -> None:
    assert WHOLE.said_in_parts("a: b: it is a question") == "a：b：这是提问"
    assert WHOLE.said_in_parts("a: b") == "a: b"


@pytest.mark.parametrize("say", [said, retold])
def test_english_is_what_it_was(say: object) -> None:
    speak(Language.ENGLISH)

    assert callable(say)
    assert say("Everything is well.") == "Everything is well."


def test_sentences_of_screens_and_of_layers_below_are_told_apart() -> None:
    speak(Language.CHINESE)
    try:
        told = (
            said("Everything is well."),
            retold("Everything is well."),
            retold("it is a question"),
        )
    finally:
        speak(Language.ENGLISH)

    assert told == ("一切正常。", "Everything is well.", "这是提问")
