"""Jobs run one after another; what fails waits or is buried, and nothing stops the others."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstory.jobs import JobFailedError, Ran, Runners, drain, hold, leases, run_due
from backstory.jobs.leases import renewed
from backstory.jobs.retry import TRIES_MAX
from backstory.model.errors import LeaseLostError, StoreUnavailableError
from backstory.model.job import FailureCause, Job, Lease
from backstory.model.limits import HOUR_MS, JOB_LEASE_MS
from backstory.model.words import JobKind, JobState
from backstory.ports.store import Store
from backstory.store import open_store
from recorded import SettableClock, with_thread


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = with_thread(open_store(tmp_path / "memory.db", now_ms=0))
    yield opened
    opened.close()


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock(1_000)


def enqueue(
    store: Store, subject: str = "th_1", *, kind: JobKind = JobKind.EXTRACT, due_at_ms: int = 0
) -> None:
    with store.writing() as tables:
        tables.jobs.enqueue(kind, subject, due_at_ms=due_at_ms, now_ms=0)


def jobs(store: Store) -> list[Job]:
    with store.reading() as tables:
        return list(tables.jobs.listed())


def finishing(
    store: Store, log: list[str], *, then: Callable[[Lease], None] | None = None
) -> Runners:
    """Return runners that note what they did and finish it as the pipeline does."""

    def run(lease: Lease) -> None:
        log.append(f"{lease.kind} {lease.subject}")
        if then:
            then(lease)
        with store.writing() as tables:
            tables.jobs.finish(lease, now_ms=2_000)

    return {JobKind.EXTRACT: run, JobKind.CONSOLIDATE: run}


def failing(error: Exception) -> Runners:
    def run(lease: Lease) -> None:
        raise error

    return {JobKind.EXTRACT: run}


def test_what_is_due_runs_in_order_and_the_rest_waits(store: Store, clock: SettableClock) -> None:
    enqueue(store, "late", due_at_ms=900)
    enqueue(store, "early", due_at_ms=100)
    enqueue(store, "tomorrow", due_at_ms=1_001)
    log: list[str] = []

    assert run_due(store, finishing(store, log), clock=clock) == Ran(done=2)
    assert log == ["extract early", "extract late"]


@pytest.mark.case("C115")
def test_nothing_is_written_while_nothing_is_due(
    tmp_path: Path, store: Store, clock: SettableClock
) -> None:
    enqueue(store, due_at_ms=5_000)
    log = tmp_path / "memory.db-wal"
    before = log.read_bytes()

    assert run_due(store, {}, clock=clock) == Ran()
    assert log.read_bytes() == before


@pytest.mark.promise("R163")
def test_a_job_that_fails_waits_and_the_others_run(store: Store, clock: SettableClock) -> None:
    enqueue(store, "bad")
    enqueue(store, "good")
    log: list[str] = []

    def refuse(lease: Lease) -> None:
        if lease.subject == "bad":
            raise JobFailedError("no connection", cause=FailureCause.TRANSIENT)

    ran = run_due(store, finishing(store, log, then=refuse), clock=clock)

    assert ran == Ran(done=1, retried=1)
    (job,) = jobs(store)
    assert (job.subject, job.due_at_ms, job.last_error) == ("bad", 6_000, "no connection")


@pytest.mark.parametrize(
    ("error", "due_at_ms", "told"),
    [
        (ZeroDivisionError("by zero"), 6_000, "ZeroDivisionError: by zero"),
        (StoreUnavailableError("locked"), 6_000, "locked"),
        (
            JobFailedError("slow down", cause=FailureCause.TRANSIENT, retry_after_ms=90_000),
            91_000,
            "slow down",
        ),
        (JobFailedError("no money", cause=FailureCause.QUOTA), 1_000 + HOUR_MS, "no money"),
    ],
)
def test_each_class_of_error_has_its_wait_and_its_words(
    store: Store, clock: SettableClock, error: Exception, due_at_ms: int, told: str
) -> None:
    enqueue(store)

    run_due(store, failing(error), clock=clock)

    (job,) = jobs(store)
    assert (job.due_at_ms, job.last_error) == (due_at_ms, told)


@pytest.mark.promise("R165")
@pytest.mark.case("C28")
def test_what_cannot_succeed_is_buried_with_its_last_error(
    store: Store, clock: SettableClock
) -> None:
    enqueue(store)
    runners = failing(JobFailedError("bad reply", cause=FailureCause.INVALID))
    ran = Ran()
    for _ in range(10):
        ran += run_due(store, runners, clock=clock)
        clock.advance(HOUR_MS)

    assert ran == Ran(retried=3, buried=1)
    (job,) = jobs(store)
    assert (job.state, job.last_error) == (JobState.DEAD, "bad reply")


def test_a_job_that_stops_whoever_runs_it_is_given_up_too(
    store: Store, clock: SettableClock
) -> None:
    enqueue(store)
    for _ in range(TRIES_MAX):
        with store.writing() as tables:
            assert tables.jobs.claim(now_ms=clock(), lease_ms=JOB_LEASE_MS)
        clock.advance(JOB_LEASE_MS)

    assert run_due(store, finishing(store, []), clock=clock) == Ran(buried=1)


def test_a_kind_that_nothing_here_runs_waits(store: Store, clock: SettableClock) -> None:
    enqueue(store, "", kind=JobKind.SUMMARIZE)

    assert run_due(store, finishing(store, []), clock=clock) == Ran()
    assert drain(store, finishing(store, []), clock=clock) == Ran()
    (job,) = jobs(store)
    assert (job.due_at_ms, job.attempt, job.last_error) == (0, 0, None)


def test_no_job_is_begun_once_the_loop_is_stopped(store: Store, clock: SettableClock) -> None:
    enqueue(store, "first")
    enqueue(store, "second", due_at_ms=1)
    log: list[str] = []

    ran = run_due(store, finishing(store, log), clock=clock, is_stopped=lambda: bool(log))

    assert ran == Ran(done=1)
    assert log == ["extract first"]


def test_a_failure_keeps_how_it_came_beside_its_words(store: Store, clock: SettableClock) -> None:
    enqueue(store)
    error = JobFailedError("no reply", cause=FailureCause.TRANSIENT, diagnosis="status: 503")

    assert run_due(store, failing(error), clock=clock) == Ran(retried=1)
    (job,) = jobs(store)
    assert (job.last_error, job.diagnosis) == ("no reply", "status: 503")


@pytest.mark.case("C113")
def test_a_result_that_comes_too_late_is_dropped(store: Store, clock: SettableClock) -> None:
    enqueue(store)

    def overrun(lease: Lease) -> None:
        clock.advance(JOB_LEASE_MS)
        with store.writing() as tables:
            assert tables.jobs.claim(now_ms=clock(), lease_ms=JOB_LEASE_MS)

    assert run_due(store, finishing(store, [], then=overrun), clock=clock) == Ran(lost=1)
    (job,) = jobs(store)
    assert job.is_leased


def test_a_failure_that_comes_too_late_changes_nothing(store: Store, clock: SettableClock) -> None:
    enqueue(store)

    def run(lease: Lease) -> None:
        clock.advance(JOB_LEASE_MS)
        with store.writing() as tables:
            tables.jobs.claim(now_ms=clock(), lease_ms=JOB_LEASE_MS)
        raise ZeroDivisionError

    assert run_due(store, {JobKind.EXTRACT: run}, clock=clock) == Ran(lost=1)


def test_no_job_is_begun_after_the_deadline(store: Store, clock: SettableClock) -> None:
    enqueue(store, "a")
    enqueue(store, "b")
    log: list[str] = []

    def take_long(lease: Lease) -> None:
        clock.advance(10_000)

    run_due(store, finishing(store, log, then=take_long), clock=clock, deadline_ms=5_000)

    assert log == ["extract a"]


def test_a_child_that_became_due_runs_in_the_same_run(store: Store, clock: SettableClock) -> None:
    enqueue(store)
    log: list[str] = []

    def ask_for_more(lease: Lease) -> None:
        if lease.kind is JobKind.EXTRACT:
            enqueue(store, "", kind=JobKind.CONSOLIDATE)

    run_due(store, finishing(store, log, then=ask_for_more), clock=clock)

    assert log == ["extract th_1", "consolidate "]


@pytest.mark.promise("R172")
@pytest.mark.case("C114")
def test_the_drain_gives_each_waiting_job_and_its_children_one_try(
    store: Store, clock: SettableClock
) -> None:
    enqueue(store, "later", due_at_ms=HOUR_MS)
    enqueue(store, "bad")
    log: list[str] = []

    def act(lease: Lease) -> None:
        if lease.subject == "bad":
            raise JobFailedError("no connection", cause=FailureCause.TRANSIENT)
        if lease.kind is JobKind.EXTRACT:
            enqueue(store, "", kind=JobKind.CONSOLIDATE, due_at_ms=HOUR_MS)

    ran = drain(store, finishing(store, log, then=act), clock=clock)

    assert ran == Ran(done=2, retried=1)
    assert log == ["extract bad", "extract later", "consolidate "]


def test_the_drain_leaves_a_job_that_comes_again_for_its_time(
    store: Store, clock: SettableClock
) -> None:
    enqueue(store, "th_1")
    log: list[str] = []

    def come_again(lease: Lease) -> None:
        enqueue(store, "th_1", due_at_ms=HOUR_MS)

    ran = drain(store, finishing(store, log, then=come_again), clock=clock)

    assert ran == Ran(done=1)
    assert [job.due_at_ms for job in jobs(store) if job.state is JobState.OPEN] == [HOUR_MS]


def test_the_drain_does_once_more_what_another_job_put_off(
    store: Store, clock: SettableClock
) -> None:
    enqueue(store, "th_1")
    log: list[str] = []

    def put_off(lease: Lease) -> None:
        enqueue(store, "th_1", due_at_ms=clock() + 30_000)

    ran = drain(store, finishing(store, log, then=put_off), clock=clock)

    assert ran == Ran(done=2)


def test_the_drain_leaves_what_somebody_else_holds(store: Store, clock: SettableClock) -> None:
    enqueue(store)
    with store.writing() as tables:
        tables.jobs.claim(now_ms=clock(), lease_ms=JOB_LEASE_MS)

    assert drain(store, finishing(store, []), clock=clock) == Ran()


@pytest.mark.promise("R172")
@pytest.mark.case("C114")
def test_the_drain_ends_when_its_time_is_over(store: Store, clock: SettableClock) -> None:
    for number in range(5):
        enqueue(store, f"th_{number}")

    def take_long(lease: Lease) -> None:
        clock.advance(40_000)

    ran = drain(store, finishing(store, [], then=take_long), clock=clock, budget_ms=60_000)

    assert ran == Ran(done=2)
    assert len(jobs(store)) == 3


@pytest.mark.case("C113")
def test_a_lease_is_renewed_while_its_job_runs(
    store: Store, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "_BEATS", JOB_LEASE_MS)  # a beat each millisecond
    enqueue(store)
    with store.writing() as tables:
        lease = tables.jobs.claim(now_ms=clock(), lease_ms=JOB_LEASE_MS)
    assert lease is not None
    clock.advance(JOB_LEASE_MS - 1)

    with renewed(store, lease, clock=clock):
        while jobs(store)[0].due_at_ms < clock() + JOB_LEASE_MS:
            pass
    with store.writing() as tables:
        tables.jobs.finish(lease, now_ms=clock())


def test_holding_a_lease_that_was_lost_is_refused(store: Store, clock: SettableClock) -> None:
    enqueue(store)
    with store.writing() as tables:
        lease = tables.jobs.claim(now_ms=0, lease_ms=10)
        assert lease is not None
        tables.jobs.claim(now_ms=10, lease_ms=10)

    with pytest.raises(LeaseLostError), store.writing() as tables:
        hold(tables, lease, now_ms=11)
    with renewed(store, lease, clock=clock):
        pass


def test_renewing_ends_when_the_lease_is_lost_and_goes_on_when_the_store_is_busy(
    store: Store, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueue(store)
    with store.writing() as tables:
        lease = tables.jobs.claim(now_ms=0, lease_ms=10)
        assert lease is not None
        tables.jobs.claim(now_ms=10, lease_ms=10)

    assert not leases._renew(store, lease, clock=clock)

    def busy(*_: object, **__: object) -> None:
        raise StoreUnavailableError("locked")

    monkeypatch.setattr(leases, "hold", busy)
    assert leases._renew(store, lease, clock=clock)
