"""Events: kept with their payload and the text that a quote is a span of."""

import pytest

from backstory.model.event import NewEvent
from backstory.model.words import EventKind
from backstory.ports.store import Store
from recorded import with_thread


@pytest.mark.promise("R64")
def test_an_event_comes_back_with_all_it_said(store: Store) -> None:
    with_thread(store)
    event = NewEvent(
        kind=EventKind.COMMIT,
        at_ms=5,
        payload={"sha": "1a2b", "files": ["数据库.py"], "n": 1.5},
        branch="main",
    )
    with store.writing() as tables:
        event_id = tables.events.add(event, text="改用 SQLite", now_ms=9)
        assert event_id is not None
        stored = tables.events.get(event_id)

    assert stored is not None
    assert stored.payload == event.payload
    assert (stored.text, stored.kind, stored.branch) == ("改用 SQLite", EventKind.COMMIT, "main")
    assert (stored.at_ms, stored.recorded_at_ms, stored.seq) == (5, 9, 1)


def test_an_event_seen_before_is_not_added_again(store: Store) -> None:
    event = NewEvent(kind=EventKind.FILE_SAVED, at_ms=5, source_key="git:1a2b")
    with store.writing() as tables:
        first = tables.events.add(event, text="a.py", now_ms=9)
        second = tables.events.add(event, text="a.py", now_ms=9)
        page = tables.events.page(after_seq=0, limit=9)
        count = tables.events.count()

    assert first is not None
    assert second is None
    assert [found.id for found in page] == [first]
    assert count == 1


def test_events_are_tallied_by_kind_and_origin_with_the_time_of_the_last(store: Store) -> None:
    with store.writing() as tables:
        for number, (kind, origin) in enumerate([("command", "shell")] * 2 + [("commit", "api")]):
            event = NewEvent(kind=EventKind(kind), at_ms=100 - number, origin=origin)
            tables.events.add(event, text="x", now_ms=1)
        assert tables.events.tallies() == {
            (EventKind.COMMAND, "shell"): (2, 100),
            (EventKind.COMMIT, "api"): (1, 98),
        }


@pytest.mark.parametrize(("source_key", "tells"), [("ticket:SHM-1", True), ("shell:1", False)])
def test_a_store_tells_of_work_once_a_tracker_did(
    store: Store, source_key: str, *, tells: bool
) -> None:
    event = NewEvent(kind=EventKind.COMMAND, at_ms=5, source_key=source_key)
    with store.writing() as tables:
        assert not tables.meta.tells_of_work()
        tables.events.add(event, text="closed", now_ms=9)

        assert tables.meta.tells_of_work() is tells
