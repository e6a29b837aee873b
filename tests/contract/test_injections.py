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


def test_of_several_claims_within_a_time_the_first_is_granted(store: Store) -> None:
    def claims(key: str, now_ms: int) -> bool:
        with store.writing() as tables:
            return tables.injections.claim(key, within_ms=10, now_ms=now_ms)

    granted = [claims("a", 100), claims("a", 110), claims("b", 105), claims("a", 95)]
    later = claims("a", 111)

    assert granted == [True, False, True, False]
    assert later
    with store.reading() as tables:
        assert tables.injections.count() == 0  # nothing was shown by it


def test_a_day_counts_what_was_recorded_and_shown_in_it(store: Store) -> None:
    with store.writing() as tables:
        tables.injections.add([("i_1", 1)], part="relevant", thread_id=ONE, now_ms=5)
        tables.injections.add([("i_2", 1), ("i_3", 1)], part="relevant", thread_id=ONE, now_ms=20)
        tables.injections.claim("a", within_ms=1, now_ms=21)
        tables.injections.claim("b", within_ms=1, now_ms=3)

    with store.reading() as tables:
        today = tables.meta.of_day(10)

    assert (today.entries_shown, today.session_starts) == (2, 1)
    assert (today.turns, today.events, today.items_new, today.refused) == (0, 0, 0, 0)
