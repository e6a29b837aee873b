"""Episodes come back as they were stored, and are found by the time they took."""

from backstory.model.ids import EpisodeId
from backstory.ports.store import Store
from findable import an_episode, keep


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
