"""Sessions end at half an hour of silence; episodes at commits, closed tickets, an idle hour."""

import pytest

from backstory.episodes.sessions import episodes_of, is_over, sessions
from backstory.model.event import Event
from backstory.model.ids import EventId
from backstory.model.limits import HOUR_MS, MINUTE_MS
from backstory.model.words import EventKind

START = 1_700_000_000_000


def an_event(
    minute: int, kind: EventKind = EventKind.COMMAND, branch: str | None = "main"
) -> Event:
    return Event(
        id=EventId(f"ev_{minute}"),
        seq=minute + 1,
        kind=kind,
        at_ms=START + minute * MINUTE_MS,
        recorded_at_ms=START,
        payload={},
        text="",
        origin="test",
        thread_id=None,
        turn_id=None,
        branch=branch,
    )


def minutes(groups: object) -> list[list[int]]:
    assert isinstance(groups, tuple)
    return [
        [(event.at_ms - START) // MINUTE_MS for event in getattr(group, "events", group)]
        for group in groups
    ]


@pytest.mark.promise("R67")
def test_half_an_hour_of_silence_ends_a_session() -> None:
    events = [an_event(minute) for minute in (61, 0, 30, 95)]

    assert minutes(sessions(events)) == [[0, 30], [61], [95]]


def test_another_branch_is_another_session_and_no_branch_is_none() -> None:
    events = [an_event(0), an_event(1, branch=None), an_event(2, branch="side"), an_event(3)]

    assert minutes(sessions(events)) == [[0, 1], [2], [3]]


def test_long_work_is_cut_after_eight_hours() -> None:
    events = [an_event(minute) for minute in range(0, 601, 20)]

    assert [group[0] for group in minutes(sessions(events))] == [0, 500]


@pytest.mark.promise("R68")
def test_commit_and_closed_ticket_end_an_episode() -> None:
    events = [
        an_event(0),
        an_event(1, EventKind.COMMIT),
        an_event(2),
        an_event(3, EventKind.TICKET_CLOSED),
        an_event(4),
    ]
    (session,) = sessions(events)

    assert minutes(episodes_of(session)) == [[0, 1], [2, 3], [4]]
    assert session.ended_at_ms - session.started_at_ms == 4 * MINUTE_MS


@pytest.mark.promise("R68")
def test_idle_hour_ends_an_episode_and_less_does_not() -> None:
    events = [an_event(0)]

    assert not is_over([], now_ms=START)
    assert not is_over(events, now_ms=START + HOUR_MS - 1)
    assert is_over(events, now_ms=START + HOUR_MS)
    assert is_over([an_event(0, EventKind.COMMIT)], now_ms=START)
