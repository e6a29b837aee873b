"""The log of what was shown knows each revision, thread by thread."""

from backstory.model.ids import ThreadId
from backstory.ports.store import Store

ONE, OTHER = ThreadId("th_1"), ThreadId("th_2")


def test_only_what_this_thread_saw_in_full_counts_as_shown(store: Store) -> None:
    with store.writing() as tables:
        tables.injections.add([("i_1", 1), ("e_1", 2)], part="relevant", thread_id=ONE, now_ms=1)
        tables.injections.add([("i_1", 1)], part="relevant", thread_id=ONE, now_ms=2)
        tables.injections.add([("i_2", 1)], part="index", thread_id=ONE, now_ms=3)
        tables.injections.add([("i_3", 1)], part="relevant", thread_id=OTHER, now_ms=4)
        tables.injections.add([("i_4", 1)], part="relevant", thread_id=None, now_ms=5)

    with store.reading() as tables:
        assert tables.injections.shown(ONE) == {("i_1", 1), ("e_1", 2)}
        assert tables.injections.count() == 6
