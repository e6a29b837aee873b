"""A server that does not answer is asked once at a time, and all else goes on meanwhile."""

from pathlib import Path

import pytest

from backstory import Memory
from backstory.adapters.models.scripted import ScriptedClient, Step
from backstory.adapters.spending import Caps
from backstory.api import Opening
from backstory.model.job import FailureCause
from backstory.model.limits import DAY_MS, MINUTE_MS, SECOND_MS
from backstory.model.words import JobState, Kind
from backstory.ports.model_client import ModelRequest
from backstory.wiring.work.clients import AskedModel, Stop
from backstory.wiring.work.starting import start_worker_if_due
from modelled import (
    ENV,
    NOW_MS,
    Passing,
    a_memory,
    a_proposal,
    a_reply,
    by_purpose,
    statements,
    worked,
    worker_of,
)
from recorded import SettableClock

NAME = ENV["BACKSTORY_MODEL_NAME"]
THREADS = 12
CUSTOMERS = "Our customers are schools in Bavaria"


def a_client(step: Step) -> ScriptedClient:
    """Return a client under the name that the settings give, so that status knows of it."""
    return ScriptedClient(steps=(step,), model=NAME)


def waiting_threads(memory: Memory, count: int = THREADS) -> None:
    for number in range(count):
        speak(memory, f"conversation {number}", "Where do receipts go?")


def speak(memory: Memory, name: str, text: str) -> None:
    thread = memory.thread_for("x", name)
    for words in (text, "Fine so."):
        memory.complete_turn(memory.begin_turn(words, thread=thread), "Good.")


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock(NOW_MS)


@pytest.fixture
def memory(tmp_path: Path, clock: SettableClock) -> Memory:
    memory = a_memory(tmp_path, clock=clock)
    waiting_threads(memory)
    return memory


@pytest.mark.promise("R174")
def test_a_server_that_hangs_is_not_asked_job_after_job(
    memory: Memory, clock: SettableClock
) -> None:
    def hang(request: ModelRequest) -> FailureCause:
        clock.advance(request.timeout_ms)
        return FailureCause.TRANSIENT

    client = a_client(hang)

    worker_of(memory, client, stop=Stop(event=Passing(clock))).run(seconds=300)
    speak(memory, "one more", "We use SQLite for the shop.")

    # A minute each, and 5 s, 30 s and 2 min after them.
    assert len(client.requests) == 3
    assert statements(memory) == ["We use SQLite for the shop"]
    assert all(job.attempt <= 1 for job in memory.status().jobs)


@pytest.mark.promise("R174")
def test_a_server_that_is_down_is_asked_by_two_threads_and_by_one_at_a_time_from_then_on(
    memory: Memory, clock: SettableClock
) -> None:
    client = a_client(FailureCause.TRANSIENT)
    worked(memory, client)
    at_first = len(client.requests)

    counts = []
    for wait_ms in (29 * SECOND_MS, SECOND_MS, MINUTE_MS, MINUTE_MS, 10 * MINUTE_MS):
        clock.advance(wait_ms)
        worked(memory, client)
        counts.append(len(client.requests))

    assert at_first == 2
    assert counts == [2, 3, 3, 4, 5]


def test_one_answer_ends_the_silence(memory: Memory, clock: SettableClock) -> None:
    worked(memory, a_client(FailureCause.TRANSIENT))
    clock.advance(MINUTE_MS)
    client = a_client(by_purpose(a_reply()))

    worked(memory, client)

    assert len(client.requests) == THREADS
    assert memory.status().jobs == ()
    assert memory.status().last_error is None


def test_status_says_when_a_model_that_does_not_answer_is_asked_again(
    memory: Memory, clock: SettableClock
) -> None:
    before = memory.status().model
    worked(memory, a_client(FailureCause.TRANSIENT))
    silent = memory.status().model
    clock.advance(30 * SECOND_MS)
    after = memory.status().model

    assert before is not None
    assert silent is not None
    assert after is not None
    assert silent.silent_until_ms == NOW_MS + 30 * SECOND_MS
    assert (before.silent_until_ms, after.silent_until_ms) == (None, None)


def test_another_model_is_asked_at_once(memory: Memory) -> None:
    worked(memory, a_client(FailureCause.TRANSIENT))
    other = ScriptedClient(steps=(by_purpose(a_reply()),), model="ollama:other")

    worked(memory, other)

    # Two have failed before and wait for their own time.
    assert len(other.requests) == THREADS - 2


def test_no_worker_is_started_for_a_model_that_does_not_answer(
    memory: Memory, clock: SettableClock
) -> None:
    worked(memory, a_client(FailureCause.TRANSIENT))
    worked(memory, a_client(FailureCause.TRANSIENT))
    clock.advance(31 * SECOND_MS)
    worked(memory, a_client(FailureCause.TRANSIENT))
    started: list[object] = []

    def spawn(*call: object) -> None:
        started.append(call)

    while_silent = start_worker_if_due(memory._desk, spawn=spawn)
    clock.advance(3 * MINUTE_MS)

    assert not while_silent
    assert start_worker_if_due(memory._desk, spawn=spawn)
    assert len(started) == 1


def test_a_job_waits_for_a_cap_as_long_as_it_takes(tmp_path: Path) -> None:
    clock = SettableClock(NOW_MS)
    memory = a_memory(tmp_path, clock=clock)
    speak(memory, "long", f"{CUSTOMERS}.")
    capped = a_client(by_purpose(a_reply()))
    for _ in range(60):
        worked(memory, capped, caps=Caps(call_tokens=None, day_tokens=0))
        clock.advance(DAY_MS)
    [job] = memory.status().jobs
    found = a_proposal(CUSTOMERS, kind=Kind.PROJECT_FACT)

    worked(memory, a_client(by_purpose(a_reply(found))))

    assert capped.requests == []
    assert (job.state, job.attempt) == (JobState.OPEN, 0)
    assert statements(memory) == [CUSTOMERS]


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> list[ScriptedClient]:
    """Let the settings name this client: the first of the list, once there is one."""
    clients: list[ScriptedClient] = []
    monkeypatch.setattr(
        "backstory.wiring.work.worker.asked_model", lambda _: AskedModel(client=clients[0])
    )
    return clients


@pytest.mark.promise("R172")
def test_a_memory_that_is_closed_asks_once_about_each_conversation_within_a_minute(
    memory: Memory, clock: SettableClock, named: list[ScriptedClient]
) -> None:
    def slow(_: ModelRequest) -> str:
        clock.advance(25 * SECOND_MS)
        return a_reply()

    named.append(a_client(by_purpose(slow)))
    begun_ms = clock()

    memory.close()

    assert [request.timeout_ms for request in named[0].requests] == [60_000, 35_000, 10_000]
    assert clock() - begun_ms <= 75 * SECOND_MS


@pytest.mark.promise("R172")
def test_a_memory_whose_model_fails_at_its_end_warns_and_is_closed(
    memory: Memory, named: list[ScriptedClient]
) -> None:
    named.append(a_client(FailureCause.TRANSIENT))

    with pytest.warns(RuntimeWarning, match="tried again later"):
        memory.close()

    assert len(named[0].requests) >= 1


def test_a_memory_that_is_closed_leaves_a_silent_model_alone(
    memory: Memory, named: list[ScriptedClient]
) -> None:
    worked(memory, a_client(FailureCause.TRANSIENT))
    named.append(a_client(by_purpose(a_reply())))

    memory.close()

    assert named[0].requests == []


def test_a_memory_that_was_opened_so_asks_nothing_when_it_is_closed(
    tmp_path: Path, memory: Memory, named: list[ScriptedClient]
) -> None:
    named.append(a_client(by_purpose(a_reply())))
    opening = Opening(env=ENV, clock=memory._desk.clock, asks_model_at_close=False)

    Memory.open(tmp_path / "shop", opening=opening).close()

    assert named[0].requests == []
