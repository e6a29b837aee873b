"""Episodes come back as they were stored, and are found by the time they took."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstory.model.ids import EpisodeId
from backstory.ports.store import Store
from findable import an_episode, keep


@pytest.mark.promise("R46")
def test_an_episode_comes_back_whole(store: Store) -> None:
    episode = an_episode(
        "e_1",
        objective="给目录列表加上分页",
        decisions=[("cursor", "offsets skip rows"), ("no total", "")],
        changes=("src/list.ts",),
        problems=("null sort key; solved by the id",),
        todos=["export has none"],
        keywords=("分页",),
        branch="http/paging",
        tickets=("SHM-1", "SHM-2"),
        ended_at_ms=None,
    )
    keep(store, episode, an_episode("e_2"))

    with store.reading() as tables:
        back = tables.episodes.get(EpisodeId("e_1"))
        listed = tables.episodes.listed()
        many = tables.episodes.many([EpisodeId("e_2"), EpisodeId("none"), EpisodeId("e_1")])

    assert back is not None
    assert back.summary == episode.summary
    assert (back.branch, back.tickets, back.ended_at_ms) == (
        "http/paging",
        ("SHM-1", "SHM-2"),
        None,
    )
    assert [one.id for one in listed] == ["e_1", "e_2"]
    assert [one.id for one in many] == ["e_2", "e_1"]


def test_an_episode_that_is_not_there_is_none(store: Store) -> None:
    with store.reading() as tables:
        assert tables.episodes.get(EpisodeId("none")) is None


def test_episodes_of_a_time_are_those_that_overlap_it(store: Store) -> None:
    keep(
        store,
        an_episode("before", started_at_ms=10, ended_at_ms=19),
        an_episode("into", started_at_ms=10, ended_at_ms=20),
        an_episode("inside", started_at_ms=22, ended_at_ms=None),
        an_episode("after", started_at_ms=30, ended_at_ms=40),
    )

    with store.reading() as tables:
        assert tables.episodes.within(20, 30, limit=9) == ("inside", "into")
        assert tables.episodes.within(20, 30, limit=1) == ("inside",)


_AT = st.integers(0, 40)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    times=st.lists(st.tuples(_AT, st.none() | _AT), max_size=6),
    period=st.tuples(_AT, _AT),
    limit=st.integers(1, 12),
)
def test_what_goes_on_in_any_time_is_all_that_overlaps_it_newest_first(
    store: Store, times: list[tuple[int, int | None]], period: tuple[int, int], limit: int
) -> None:
    start_ms, end_ms = period
    with store.reading() as tables:
        first = len(tables.episodes.listed())
    keep(
        store,
        *(
            an_episode(f"e_{first + place}", started_at_ms=began, ended_at_ms=ended)
            for place, (began, ended) in enumerate(times)
        ),
    )

    with store.reading() as tables:
        listed = sorted(tables.episodes.listed(), key=lambda e: (-e.started_at_ms, -e.seq))
        found = tables.episodes.within(start_ms, end_ms, limit=limit)

    overlapping = [
        one.id
        for one in listed
        if one.started_at_ms < end_ms
        and (one.started_at_ms if one.ended_at_ms is None else one.ended_at_ms) >= start_ms
    ]
    assert list(found) == overlapping[:limit]
