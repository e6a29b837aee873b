"""A backlog of thousands of turns drains by the day's budget, and holds nothing else up."""

import re
from collections import Counter
from pathlib import Path

import pytest

from backstory import Memory, record
from backstory.adapters.models.scripted import ScriptedClient, playing
from backstory.adapters.spending import Caps
from backstory.adapters.spending.caps import day_start_ms
from backstory.model.ids import ThreadId
from backstory.model.job import CallPurpose
from backstory.model.limits import DAY_MS, EXTRACT_BATCH_TURNS
from backstory.model.turn import NewTurn
from backstory.model.words import JobKind, JobState
from backstory.ports.store import Tables
from modelled import ENV, NOW_MS, a_memory, a_reply, by_purpose, statements, worked
from recorded import SettableClock

TURNS_PER_THREAD = 25
SHOWN = re.compile(r"T[1-9] user\W+receipt number (\d+)")
CALLS_A_DAY = 60


def backlog(memory: Memory, turns: int) -> None:
    """Let so many turns wait for the model that the rules have read, a transaction a thread."""
    for begin in range(0, turns, TURNS_PER_THREAD):
        thread = memory.thread_for("x", f"conversation {begin}")
        with memory._desk.store.writing() as tables:
            for number in range(begin, min(turns, begin + TURNS_PER_THREAD)):
                add_turn(tables, thread, f"receipt number {number}: where does it go?")
            now_ms = memory._desk.clock()
            tables.jobs.enqueue(JobKind.PROPOSE, thread, due_at_ms=now_ms, now_ms=now_ms)


def add_turn(tables: Tables, thread: ThreadId, text: str) -> None:
    new = NewTurn(thread_id=thread, user_text=text, said_at_ms=NOW_MS)
    turn_id = record.add_finished_turn(tables, new, answer="Archive.", now_ms=NOW_MS)
    assert turn_id is not None
    tables.turns.mark_extracted([turn_id])


def speak(memory: Memory, thread: ThreadId, text: str) -> None:
    memory.complete_turn(memory.begin_turn(text, thread=thread), "Archive.")


def shown(client: ScriptedClient) -> Counter[str]:
    asked = [r.user for r in client.requests if r.purpose is CallPurpose.EXTRACT]
    return Counter(number for text in asked for number in SHOWN.findall(text))


@pytest.mark.parametrize("turns", [600, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.timeout(1_800)
def test_a_backlog_drains_day_by_day_and_asks_about_each_turn_once(
    tmp_path: Path, turns: int
) -> None:
    clock = SettableClock(day_start_ms(NOW_MS))
    memory = a_memory(tmp_path, clock=clock)
    backlog(memory, turns)
    client = playing([by_purpose(a_reply())])
    one_call = _tokens_of_one_call(tmp_path)
    caps = Caps(day_tokens=CALLS_A_DAY * one_call, session_tokens=None)
    days = 0
    while memory.status().jobs and days < turns:
        before = len(client.requests)
        worked(memory, client, caps=caps)
        assert len(client.requests) - before <= CALLS_A_DAY + 5
        assert _spent_today(memory) < caps.day_tokens + 2 * one_call  # type: ignore[operator]
        assert all(job.state is JobState.OPEN for job in memory.status().jobs)
        clock.advance(DAY_MS)
        days += 1

    assert memory.status().jobs == ()
    assert days >= turns / EXTRACT_BATCH_TURNS / (CALLS_A_DAY + 5)
    assert set(shown(client).values()) == {1}
    assert len(shown(client)) == turns


@pytest.mark.case("C27")
def test_at_the_cap_of_a_backlog_capture_and_rules_go_on_and_status_says_so(
    tmp_path: Path,
) -> None:
    clock = SettableClock(day_start_ms(NOW_MS))
    env = ENV | {"BACKSTORY_MODEL_DAY_TOKENS": "4000"}
    memory = a_memory(tmp_path, clock=clock, env=env)
    backlog(memory, 60)
    client = playing([by_purpose(a_reply())])
    caps = Caps(day_tokens=4_000, session_tokens=None)
    worked(memory, client, caps=caps)
    asked = len(client.requests)

    speak(memory, memory.thread_for("x", "new"), "We use SQLite for the shop.")
    speak(memory, memory.thread_for("x", "new"), "Fine so.")
    worked(memory, client, caps=caps)

    report = memory.status().model
    assert report is not None
    assert report.capped == "today's cap of 4000 tokens is reached"
    assert report.waiting_turns > 40
    assert statements(memory) == ["We use SQLite for the shop"]
    assert len(client.requests) == asked


def _tokens_of_one_call(tmp_path: Path) -> int:
    """What asking about four such turns takes, as the scripted model counts it."""
    memory = a_memory(tmp_path / "measured")
    backlog(memory, EXTRACT_BATCH_TURNS)
    worked(memory, playing([by_purpose(a_reply())]))
    report = memory.status().model
    assert report is not None
    return report.tokens_today // report.calls_today


def _spent_today(memory: Memory) -> int:
    report = memory.status().model
    return 0 if report is None else report.tokens_today
