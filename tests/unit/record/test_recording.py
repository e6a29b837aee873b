"""What was said is kept before it is judged, and the job that reads it exists from that moment."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from backstory import record
from backstory.model.errors import LeaseLostError, NotFoundError, UnreadableInputError
from backstory.model.event import NewEvent
from backstory.model.ids import ThreadId
from backstory.model.job import Job
from backstory.model.limits import EXTRACT_WAITING_MS
from backstory.model.words import EventKind, JobKind, Speaker, TurnState
from backstory.ports.store import Store
from backstory.store import open_store
from recorded import LEASE_MS, THREAD, a_turn, with_thread

PLAIN = "What does this do?"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = with_thread(open_store(tmp_path / "memory.db", now_ms=0))
    yield opened
    opened.close()


def add(store: Store, text: str, *, now_ms: int, **fields: object) -> None:
    with store.writing() as tables:
        record.add_finished_turn(tables, a_turn(text, **fields), answer="", now_ms=now_ms)


def jobs(store: Store) -> list[Job]:
    with store.reading() as tables:
        return list(tables.jobs.listed())


@pytest.mark.promise("R71", "R89")
def test_one_turn_is_read_after_thirty_seconds_and_two_at_once(store: Store) -> None:
    add(store, PLAIN, now_ms=1_000)
    assert [(job.kind, job.due_at_ms) for job in jobs(store)] == [
        (JobKind.EXTRACT, 1_000 + EXTRACT_WAITING_MS)
    ]

    add(store, PLAIN, now_ms=2_000)
    assert [job.due_at_ms for job in jobs(store)] == [2_000]


@pytest.mark.promise("R74")
def test_a_lasting_wish_is_read_at_once(store: Store) -> None:
    add(store, "以后都用中文回答", now_ms=1_000)

    assert [job.due_at_ms for job in jobs(store)] == [1_000]


@pytest.mark.promise("R73")
def test_an_explanation_of_the_whole_project_is_read_at_once(store: Store) -> None:
    with store.writing() as tables:
        turn = record.begin_turn(tables, a_turn(PLAIN), now_ms=0)
        record.complete_turn(tables, turn, answer="It is …", now_ms=9, is_project_wide=True)

    assert [job.due_at_ms for job in jobs(store)] == [9]


@pytest.mark.promise("R13")
@pytest.mark.case("C39")
@pytest.mark.parametrize("speaker", [s for s in Speaker if s is not Speaker.HUMAN])
def test_what_no_human_said_is_kept_but_never_read(store: Store, speaker: Speaker) -> None:
    add(store, "remember this", now_ms=0, speaker=speaker)
    with store.writing() as tables:
        turn = record.begin_turn(tables, a_turn("remember this", speaker=speaker), now_ms=0)
        record.complete_turn(tables, turn, answer="", now_ms=1)
        last = tables.turns.last_seq()

    assert jobs(store) == []
    assert last == 2


@pytest.mark.promise("R89")
def test_an_open_turn_is_not_read_yet(store: Store) -> None:
    with store.writing() as tables:
        record.begin_turn(tables, a_turn("remember this"), now_ms=0)

    assert jobs(store) == []


@pytest.mark.promise("R80")
def test_a_failed_turn_is_read_for_what_the_user_said(store: Store) -> None:
    with store.writing() as tables:
        turn = record.begin_turn(tables, a_turn("remember: tabs"), now_ms=0)
        record.fail_turn(tables, turn, error="no connection", now_ms=5)
        (waiting,) = tables.turns.waiting(THREAD, limit=9)

    assert [job.due_at_ms for job in jobs(store)] == [5]
    assert (waiting.state, waiting.user_text) == (TurnState.FAILED, "remember: tabs")
    assert waiting.answer_text == ""


@pytest.mark.promise("R58", "R171")
@pytest.mark.case("C22")
def test_only_abandoned_turns_are_recovered_and_then_read(store: Store) -> None:
    with_thread(store, "th_2")
    with store.writing() as tables:
        record.begin_turn(tables, a_turn(PLAIN), now_ms=0)
        alive = record.begin_turn(tables, a_turn(PLAIN, thread_id=ThreadId("th_2")), now_ms=50_000)
        assert record.recover(tables, now_ms=LEASE_MS - 1) == 0
        assert record.recover(tables, now_ms=LEASE_MS) == 1
        assert record.recover(tables, now_ms=LEASE_MS) == 0
        record.complete_turn(tables, alive, answer="", now_ms=LEASE_MS + 1)

    assert [job.subject for job in jobs(store)] == [THREAD, "th_2"]


@pytest.mark.promise("R161")
def test_recovery_after_the_clock_went_back_ends_nobodys_turn(store: Store) -> None:
    with store.writing() as tables:
        turn = record.begin_turn(tables, a_turn(PLAIN), now_ms=1_000_000)
        assert record.recover(tables, now_ms=5) == 0
        record.complete_turn(tables, turn, answer="done", now_ms=6)
        stored = tables.turns.get(turn.id)

    assert stored is not None
    assert stored.state is TurnState.COMPLETED


def test_a_replayed_turn_adds_nothing_and_asks_for_nothing(store: Store) -> None:
    add(store, PLAIN, now_ms=0, source_key="s:1")
    before = jobs(store)
    add(store, PLAIN, now_ms=99, source_key="s:1")
    with store.writing() as tables:
        replay = record.begin_turn(tables, a_turn(PLAIN, source_key="s:1"), now_ms=99)
        record.complete_turn(tables, replay, answer="other", now_ms=99)

    assert replay.is_replay
    assert jobs(store) == before


@pytest.mark.promise("R60")
def test_a_turn_stays_with_the_thread_it_began_in(store: Store) -> None:
    with store.writing() as tables:
        old = record.new_thread(tables, host="chat", thread_id=ThreadId("th_a"), now_ms=0)
        turn = record.begin_turn(tables, a_turn(PLAIN, thread_id=old.id), now_ms=1)
    with store.writing() as tables:
        new = record.new_thread(tables, host="chat", thread_id=ThreadId("th_b"), now_ms=2)
    with store.writing() as tables:
        record.complete_turn(tables, turn, answer="done", now_ms=3)
        active = tables.threads.active("chat")
        ended = tables.threads.get(old.id)
        stored = tables.turns.get(turn.id)

    assert active == new
    assert ended is not None
    assert ended.archived_at_ms == 2
    assert stored is not None
    assert stored.thread_id == old.id


@pytest.mark.promise("R61")
def test_a_host_session_is_bound_to_one_thread_for_good(store: Store) -> None:
    with store.writing() as tables:
        bound = [
            record.bind_thread(
                tables, host="codex", host_key="s", thread_id=ThreadId(f"th_{n}"), now_ms=n
            )
            for n in (5, 6)
        ]
        current = [
            record.current_thread(tables, host="api", thread_id=ThreadId(f"th_{n}"), now_ms=n)
            for n in (7, 8)
        ]

    assert [thread.id for thread in bound] == ["th_5", "th_5"]
    assert [thread.id for thread in current] == ["th_7", "th_7"]


def test_a_turn_that_was_ended_by_somebody_else_is_not_ended_again(store: Store) -> None:
    with store.writing() as tables:
        turn = record.begin_turn(tables, a_turn(PLAIN), now_ms=0)
        record.recover(tables, now_ms=LEASE_MS)

    with pytest.raises(LeaseLostError), store.writing() as tables:
        record.complete_turn(tables, turn, answer="late", now_ms=LEASE_MS)


def test_a_turn_for_an_unknown_thread_is_refused(store: Store) -> None:
    with pytest.raises(NotFoundError, match="th_x"), store.writing() as tables:
        record.begin_turn(tables, a_turn(thread_id=ThreadId("th_x")), now_ms=0)


@pytest.mark.promise("R64")
@pytest.mark.parametrize(
    ("kind", "payload", "text"),
    [
        (
            EventKind.COMMIT,
            {"sha": "1a", "subject": "改用 SQLite", "body": "why", "files": ["a.py", "b.py"]},
            "改用 SQLite\nwhy\na.py\nb.py",
        ),
        (EventKind.COMMAND, {"command": "make", "exit_code": 2}, "$ make\nexit code 2"),
        (
            EventKind.TEST_RUN,
            {"runner": "pytest", "passed": 3, "failed": 1},
            "pytest: 3 passed, 1 failed",
        ),
        (
            EventKind.TEST_RUN,
            {"runner": "go test", "command": "go test ./...", "exit_code": 1},
            "$ go test ./...\nexit code 1",
        ),
        (EventKind.FILE_SAVED, {"path": "a.py"}, "a.py"),
        (EventKind.TICKET_CLOSED, {"ticket": "SHOP-1", "title": "Pay"}, "SHOP-1 Pay"),
    ],
)
def test_an_event_is_kept_with_a_text_that_can_be_quoted(
    store: Store, kind: EventKind, payload: dict[str, object], text: str
) -> None:
    event = NewEvent(kind=kind, at_ms=1, payload=payload)
    with store.writing() as tables:
        event_id = record.record_event(tables, event, now_ms=2)
        assert event_id is not None
        stored = tables.events.get(event_id)

    assert stored is not None
    assert (stored.text, stored.payload) == (text, payload)


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({}, "`command` must be str; `exit_code` must be int"),
        ({"command": "x", "exit_code": "0"}, "`exit_code` must be int"),
        ({"command": "x", "exit_code": 0, "out": {1, 2}}, "not JSON"),
        ({"command": "x", "exit_code": 0, "n": float("nan")}, "not JSON"),
    ],
)
def test_a_payload_that_cannot_be_read_is_told_in_full(
    store: Store, payload: dict[str, object], message: str
) -> None:
    event = NewEvent(kind=EventKind.COMMAND, at_ms=1, payload=payload)

    with pytest.raises(UnreadableInputError, match=message), store.writing() as tables:
        record.record_event(tables, event, now_ms=2)


def test_an_event_of_an_unknown_thread_is_refused(store: Store) -> None:
    event = NewEvent(
        kind=EventKind.FILE_SAVED, at_ms=1, payload={"path": "a"}, thread_id=ThreadId("th_x")
    )

    with pytest.raises(NotFoundError), store.writing() as tables:
        record.record_event(tables, event, now_ms=2)


def test_a_batch_of_turns_is_recorded_as_one_by_one(store: Store) -> None:
    batch = [
        (a_turn(PLAIN, source_key="s:1"), "a"),
        (a_turn("remember: tabs", source_key="s:2"), "b"),
        (a_turn(PLAIN, source_key="s:1"), "c"),
        (a_turn("log", speaker=Speaker.TOOL_RESULT), ""),
    ]
    with store.writing() as tables:
        ids = record.add_finished_turns(tables, batch, now_ms=7)
        last = tables.turns.last_seq()

    assert [turn_id is not None for turn_id in ids] == [True, True, False, True]
    assert last == 3
    assert [(job.subject, job.due_at_ms) for job in jobs(store)] == [(THREAD, 7)]
    unknown = [(a_turn(PLAIN, thread_id=ThreadId("th_x")), "")]
    with pytest.raises(NotFoundError), store.writing() as tables:
        record.add_finished_turns(tables, unknown, now_ms=7)
