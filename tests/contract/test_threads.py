"""Threads: one for each host session, one active for each host without sessions."""

import pytest

from backstory.model.errors import IllegalOperationError, NotFoundError
from backstory.model.ids import ThreadId
from backstory.ports.store import Store
from recorded import a_thread


@pytest.mark.promise("R61")
@pytest.mark.case("C22")
def test_a_host_session_finds_its_thread_by_its_own_name(store: Store) -> None:
    session = a_thread("th_a", host="claude_code", host_key="session-1")
    with store.writing() as tables:
        tables.threads.add(session)

    with store.reading() as tables:
        assert tables.threads.of_host("claude_code", "session-1") == session
        assert tables.threads.of_host("codex", "session-1") is None


@pytest.mark.promise("R61")
def test_two_threads_cannot_be_active_for_one_host_without_sessions(store: Store) -> None:
    with store.writing() as tables:
        tables.threads.add(a_thread("th_a", host="chat", host_key=None))

    with pytest.raises(IllegalOperationError), store.writing() as tables:
        tables.threads.add(a_thread("th_b", host="chat", host_key=None))


@pytest.mark.promise("R143")
def test_an_archived_thread_makes_room_and_keeps_its_time(store: Store) -> None:
    with store.writing() as tables:
        tables.threads.add(a_thread("th_a", host="chat", host_key=None))
        tables.threads.archive(ThreadId("th_a"), now_ms=5)
        tables.threads.archive(ThreadId("th_a"), now_ms=9)
        tables.threads.add(a_thread("th_b", host="chat", host_key=None, started_at_ms=5))

    with store.reading() as tables:
        old = tables.threads.get(ThreadId("th_a"))
        active = tables.threads.active("chat")
        ids = [thread.id for thread in tables.threads.listed()]

    assert old is not None
    assert (old.is_active, old.archived_at_ms) == (False, 5)
    assert active is not None
    assert active.id == "th_b"
    assert ids == ["th_a", "th_b"]


def test_archiving_an_unknown_thread_is_an_error(store: Store) -> None:
    with pytest.raises(NotFoundError), store.writing() as tables:
        tables.threads.archive(ThreadId("th_x"), now_ms=0)


def test_a_summary_is_kept_with_its_thread(store: Store) -> None:
    with store.writing() as tables:
        tables.threads.add(a_thread("th_a"))
        tables.threads.set_summary(ThreadId("th_a"), "它在谈数据库。")

        kept = tables.threads.get(ThreadId("th_a"))
    assert kept is not None
    assert kept.summary == "它在谈数据库。"
