"""Reading one item is bounded and shows only what may be seen."""

import pytest

from backstory.model.candidate import Quote
from backstory.model.ids import ItemId, ThreadId
from backstory.model.item import Evidence, Item
from backstory.model.words import Role, Status
from backstory.ports.store_rows import NewItem
from backstory.recall import read
from backstory.store import SqliteStore
from findable import a_discussion, an_item
from recorded import a_thread, said, with_thread


def proved(store: SqliteStore, item: Item, *texts: str) -> ItemId:
    evidence = tuple(
        Evidence(
            revision=1,
            quote=Quote(role=Role.USER, start=0, end=len(t), text=t, turn_id=said(store, t)),
            said_at_ms=0,
        )
        for t in texts
    )
    with store.writing() as tables:
        tables.items.add(NewItem(item=item, evidence=evidence), batch="b", actor="x", now_ms=0)
    return item.id


@pytest.mark.promise("R118")
def test_content_sources_and_excerpts_are_bounded(store: SqliteStore) -> None:
    with_thread(store)
    item = an_item("i_1", statement="s" * 3_000, detail="d" * 3_000)
    proved(store, item, *(f"{n}{'q' * 1_500}" for n in range(5)))

    with store.reading() as tables:
        reading = read(tables, item.id)

    assert reading is not None
    assert len(reading.content) == 4_000
    assert [len(quote.text) for quote in reading.sources] == [800, 800, 800]
    assert reading.is_factual


@pytest.mark.promise("R120")
def test_what_may_not_be_seen_cannot_be_read(store: SqliteStore) -> None:
    with_thread(store)
    proved(store, an_item("gone", status=Status.FORGOTTEN), "a")

    with store.reading() as tables:
        assert read(tables, ItemId("gone")) is None
        assert read(tables, ItemId("never there")) is None


@pytest.mark.promise("R122")
def test_a_discussion_is_read_in_its_thread_as_no_fact(store: SqliteStore) -> None:
    here = ThreadId("th_9")
    with_thread(store)
    with store.writing() as tables:
        tables.threads.add(a_thread(here))
    proved(store, a_discussion("talk", here), "weighing Kafka")

    with store.reading() as tables:
        assert read(tables, ItemId("talk")) is None
        reading = read(tables, ItemId("talk"), thread_id=here)

    assert reading is not None
    assert not reading.is_factual
