"""Sessions end at half an hour of silence; episodes at commits, closed tickets, an idle hour."""

from dataclasses import replace

import pytest

from backstory.episodes.sessions import Session, episodes_of, is_commit, is_over, sessions
from backstory.model.event import Event
from backstory.model.ids import EventId, ThreadId, TurnId
from backstory.model.limits import HOUR_MS, MINUTE_MS
from backstory.model.turn import Turn
from backstory.model.words import EventKind, Speaker, TurnState

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


def a_turn(minute: int, *, until: int = 0, state: TurnState = TurnState.COMPLETED) -> Turn:
    said_at_ms = START + minute * MINUTE_MS
    return Turn(
        id=TurnId(f"t_{minute}"),
        seq=minute + 1,
        thread_id=ThreadId("th"),
        position=minute,
        speaker=Speaker.HUMAN,
        user_text="",
        answer_text="",
        state=state,
        said_at_ms=said_at_ms,
        recorded_at_ms=said_at_ms,
        finished_at_ms=None if state is TurnState.OPEN else START + until * MINUTE_MS,
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
    session = Session(events=(an_event(0),))
    committed = Session(events=(an_event(0, EventKind.COMMIT),))

    assert not is_over(Session(), now_ms=START)
    assert not is_over(session, now_ms=START + HOUR_MS - 1)
    assert is_over(session, now_ms=START + HOUR_MS)
    assert is_over(committed, now_ms=START)


def test_turns_take_part_and_the_work_on_an_answer_is_no_silence() -> None:
    turns = [a_turn(0, until=50), a_turn(70), a_turn(101)]

    found = sessions([an_event(45)], turns)

    assert [len(one.turns) for one in found] == [2, 1]
    assert minutes(found) == [[45], []]
    assert found[0].ended_at_ms == START + 70 * MINUTE_MS


def test_turn_that_waits_for_its_answer_is_not_over_until_nobody_can_be_at_it() -> None:
    session = Session(turns=(a_turn(0, state=TurnState.OPEN),))

    assert not is_over(session, now_ms=START + 2 * HOUR_MS)
    assert is_over(session, now_ms=START + 9 * HOUR_MS)


@pytest.mark.parametrize(
    ("command", "code", "made"),
    [
        ("git commit -m 'pool: bound it'", 0, True),
        ("cd shop && git -C shop merge side", 0, True),
        ("git commit -m x", 1, False),
        ("git commit --dry-run", 0, False),
        ("git merge --abort", 0, False),
        ("git commit-tree 1234", 0, False),
        ("echo git commit", 0, False),
        ("git log", 0, False),
    ],
)
def test_command_that_made_a_commit_is_known_by_what_it_is(
    command: str, code: int, made: bool
) -> None:
    event = replace(an_event(0), payload={"command": command, "exit_code": code})

    assert is_commit(event) is made
