"""What was said last is decided last, however long the conversations are that wait at once."""

from pathlib import Path

from backstory.model.ids import ThreadId
from backstory.model.limits import EXTRACT_BATCH_TURNS, JOB_LEASE_MS
from backstory.model.words import JobKind
from backstory.pipeline import run_extract
from backstory.store import SqliteStore, open_store
from recorded import THREAD, said, with_thread

NOW_MS = 1_000_000


def read_a_batch(store: SqliteStore) -> str:
    """Run the extraction that is due first, and return whose it was."""
    with store.writing() as tables:
        lease = tables.jobs.claim(now_ms=NOW_MS, lease_ms=JOB_LEASE_MS)
    assert lease is not None
    run_extract(store, lease, clock=lambda: NOW_MS)
    return lease.subject


def test_a_conversation_is_read_to_its_end_before_a_later_one_begins(tmp_path: Path) -> None:
    store = with_thread(with_thread(open_store(tmp_path / "memory.db", now_ms=0)), "later")
    for number in range(EXTRACT_BATCH_TURNS + 1):
        for at_ms, thread in ((0, THREAD), (50_000, "later")):
            said(
                store,
                f"Why does test {number} fail?",
                thread_id=ThreadId(thread),
                said_at_ms=at_ms + number,
                is_imported=True,
            )
    with store.writing() as tables:
        for thread in (THREAD, "later"):
            tables.jobs.enqueue(JobKind.EXTRACT, thread, due_at_ms=NOW_MS, now_ms=NOW_MS)

    order = [read_a_batch(store) for _ in range(4)]

    assert order == [THREAD, THREAD, "later", "later"]
