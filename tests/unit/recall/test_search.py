"""Search finds raw turns by their words, with their place, indexed or not."""

import pytest

from backstory.index import reindex
from backstory.model.words import Role
from backstory.recall import catch_up, search
from backstory.store import SqliteStore
from recorded import begun, said, with_thread


def caught_up(store: SqliteStore) -> SqliteStore:
    with store.writing() as tables:
        while catch_up(tables, limit=2):
            pass
    return store


def places(store: SqliteStore, query: str, *, limit: int = 10) -> list[int]:
    with store.reading() as tables:
        return [hit.position for hit in search(tables, query, limit=limit)]


def conversation(store: SqliteStore) -> SqliteStore:
    with_thread(store)
    said(store, "Let us use cursor pagination.", answer="Done: the list takes a cursor.")
    said(store, "好，数据库的备份几点跑？", answer="每天凌晨两点。")
    said(store, "What is for lunch?", answer="Soup, with a pagination of crackers.")
    return store


def test_user_words_come_before_those_of_an_answer(store: SqliteStore) -> None:
    conversation(store)

    assert places(caught_up(store), "pagination") == [0, 2]


def test_chinese_words_are_found(store: SqliteStore) -> None:
    conversation(store)

    assert places(caught_up(store), "資料庫備份")[0] == 1


def test_turns_that_are_not_indexed_are_searched_one_by_one(store: SqliteStore) -> None:
    conversation(store)

    assert places(store, "pagination") == [0, 2]
    assert places(store, "备份") == [1]


def test_an_open_turn_waits_for_its_answer(store: SqliteStore) -> None:
    conversation(store)
    begun(store, "Is pagination done?")
    caught_up(store)

    with store.reading() as tables:
        assert tables.turn_texts.watermark() == 3
    assert 3 in places(store, "pagination")


def test_each_hit_has_its_place_side_and_excerpt(store: SqliteStore) -> None:
    with_thread(store)
    said(store, "hello", answer="Intro. " * 80 + "The kiosk writes to SQLite. " + "Outro. " * 80)
    caught_up(store)

    with store.reading() as tables:
        (hit,) = search(tables, "kiosk")

    assert hit.role is Role.ASSISTANT
    assert "kiosk writes" in hit.excerpt
    assert len(hit.excerpt) <= 240


def test_a_turn_beside_the_best_is_found_for_a_whole_question(store: SqliteStore) -> None:
    with_thread(store)
    said(store, "Where did you travel with your brother last summer?")
    said(store, "Lisbon!")
    for number in range(5):
        said(store, f"Unrelated talk {number}")
    caught_up(store)

    assert 1 in places(store, "where travelled the brother in summer")
    assert places(store, "brother") == [0]


def test_one_name_of_several_words_finds_no_turn_beside_the_best(store: SqliteStore) -> None:
    with_thread(store)
    said(store, "We keep it in PostgreSQL, by way of LongRunningJob.")
    said(store, "Answer in Chinese.")
    caught_up(store)

    assert places(store, "PostgreSQL") == places(store, "LongRunningJob") == [0]


def test_nothing_is_found_for_nothing(store: SqliteStore) -> None:
    conversation(store)
    caught_up(store)

    assert places(store, "") == places(store, "the of") == places(store, "zebra") == []
    assert places(store, "pagination", limit=0) == []


def test_reindexing_lets_search_catch_up_again(store: SqliteStore) -> None:
    conversation(store)
    before = places(caught_up(store), "pagination")
    reindex(store)

    assert places(caught_up(store), "pagination") == before


@pytest.mark.parametrize("picture", ["🚀", "✅", "👩‍💻", "🇨🇳"])
def test_a_picture_finds_the_turn_that_it_stands_in(store: SqliteStore, picture: str) -> None:
    conversation(store)
    said(store, f"The release is out {picture}", answer="好。")

    assert places(caught_up(store), picture) == [3]
