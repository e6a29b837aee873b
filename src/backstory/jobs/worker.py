"""Running the jobs that are due, one after another, each under a lease."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from backstory.jobs.failures import JobFailedError
from backstory.jobs.leases import renewed
from backstory.jobs.retry import TRIES_MAX, delay_ms
from backstory.model.errors import BackstoryError, LeaseLostError, StoreUnavailableError
from backstory.model.ids import JobId
from backstory.model.job import FailureCause, Job, Lease
from backstory.model.limits import EXIT_DRAIN_MS, HOUR_MS, JOB_LEASE_MS
from backstory.model.words import JobKind, JobState
from backstory.ports.clock import Clock
from backstory.ports.store import Store

# Does one job and finishes its lease in the transaction that keeps the result, so that nothing
# is kept for a job that was taken over. A result kept in several transactions begins each with
# `leases.hold`.
Runner = Callable[[Lease], None]
Runners = Mapping[JobKind, Runner]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What became of the jobs of one run."""

    done: int = 0
    retried: int = 0
    buried: int = 0
    lost: int = 0  # somebody else took the job over, or memory was cleared

    def __add__(self, other: "Ran") -> "Ran":
        """Return both together."""
        return Ran(
            done=self.done + other.done,
            retried=self.retried + other.retried,
            buried=self.buried + other.buried,
            lost=self.lost + other.lost,
        )

    @property
    def total(self) -> int:
        """How many jobs were tried."""
        return self.done + self.retried + self.buried + self.lost


def _never() -> bool:
    return False


def run_due(
    store: Store,
    runners: Runners,
    *,
    clock: Clock,
    deadline_ms: int | None = None,
    is_stopped: Callable[[], bool] = _never,
) -> Ran:
    """Run jobs until none is due, until `deadline_ms` or until stopped; a job begun is finished.

    Only jobs of a kind that has a runner: the others wait for somebody who has one. Writes
    nothing where nothing is due. A job that fails is tried later by the schedule of
    `retry` or buried; it never stops the others. Raises what the store raises.
    """
    ran = Ran()
    while not is_stopped() and (deadline_ms is None or clock() < deadline_ms):
        lease = _claim(store, runners, clock=clock)
        if lease is None:
            break
        ran += _run(store, runners, lease=lease, clock=clock)
    return ran


def drain(
    store: Store,
    runners: Runners,
    *,
    clock: Clock,
    budget_ms: int = EXIT_DRAIN_MS,
    is_stopped: Callable[[], bool] = _never,
) -> Ran:
    """Give each job that waits now one try, also before its time, and its children one too.

    For the exit of a program: what takes longer than `budget_ms` in all is left as it is. A
    job that sees to it that it is done again is its own child only where that is soon, and
    before its time only once: else it would be done without end.
    """
    deadline_ms = clock() + budget_ms
    waiting = {job.id for job in _open_jobs(store, runners)}
    tried: set[JobId] = set()
    times: Counter[tuple[JobKind, str]] = Counter()
    ran = Ran()
    while waiting and clock() < deadline_ms and not is_stopped():
        before = {job.id for job in _open_jobs(store, runners)}
        lease = _claim(store, runners, clock=clock, only=sorted(waiting))
        if lease is None:
            break
        tried.add(lease.job_id)
        times[lease.kind, lease.subject] += 1
        waiting.discard(lease.job_id)
        ran += _run(store, runners, lease=lease, clock=clock)
        # How late a child may be due, by how often the same was done here.
        reach_ms = (deadline_ms + 24 * HOUR_MS, deadline_ms, clock())
        waiting |= {
            job.id
            for job in _open_jobs(store, runners)
            if job.due_at_ms <= reach_ms[min(times[job.kind, job.subject], 2)]
        } - (before | tried)
    return ran


def _open_jobs(store: Store, runners: Runners) -> list[Job]:
    with store.reading() as tables:
        jobs = tables.jobs.listed()
    return [job for job in jobs if job.state is JobState.OPEN and job.kind in runners]


def _claim(
    store: Store, runners: Runners, *, clock: Clock, only: Sequence[JobId] | None = None
) -> Lease | None:
    now_ms = clock()
    kinds = tuple(runners)
    # No write lock is taken, and no byte written, while there is nothing to do.
    if only is None and not _is_anything_due(store, now_ms, kinds=kinds):
        return None
    due_by_ms = None if only is None else now_ms + 24 * HOUR_MS
    with store.writing() as tables:
        return tables.jobs.claim(
            now_ms=now_ms, lease_ms=JOB_LEASE_MS, due_by_ms=due_by_ms, only=only, kinds=kinds
        )


def _is_anything_due(store: Store, now_ms: int, *, kinds: Sequence[JobKind]) -> bool:
    with store.reading() as tables:
        return tables.jobs.is_due(now_ms=now_ms, kinds=kinds)


def _run(store: Store, runners: Runners, *, lease: Lease, clock: Clock) -> Ran:
    try:
        if lease.attempt > TRIES_MAX:
            raise JobFailedError(
                f"begun {lease.attempt} times and never ended: whoever ran it was stopped",
                cause=FailureCause.TRANSIENT,
            )
        with renewed(store, lease, clock=clock):
            runners[lease.kind](lease)
    except LeaseLostError:
        return Ran(lost=1)
    # Whatever one job does wrong must not stop the jobs behind it.
    except Exception as error:  # noqa: BLE001
        return _end_failed(store, lease, error=error, clock=clock)
    return Ran(done=1)


def _end_failed(store: Store, lease: Lease, *, error: Exception, clock: Clock) -> Ran:
    cause, retry_after_ms = _judged(error)
    now_ms = clock()
    wait_ms = delay_ms(cause, attempt=lease.attempt, retry_after_ms=retry_after_ms)
    told, diagnosis = _told(error), getattr(error, "diagnosis", "")
    try:
        with store.writing() as tables:
            if wait_ms is None:
                tables.jobs.bury(lease, error=told, diagnosis=diagnosis, now_ms=now_ms)
                return Ran(buried=1)
            tables.jobs.retry(
                lease,
                error=told,
                diagnosis=diagnosis,
                due_at_ms=now_ms + wait_ms,
                now_ms=now_ms,
                is_counted=cause is not FailureCause.CAPPED,
            )
    except LeaseLostError:
        return Ran(lost=1)
    return Ran(retried=1)


def _judged(error: Exception) -> tuple[FailureCause | None, int | None]:
    if isinstance(error, JobFailedError):
        return error.cause, error.retry_after_ms
    if isinstance(error, StoreUnavailableError):
        return FailureCause.TRANSIENT, None
    return None, None


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, BackstoryError) else f"{type(error).__name__}: {error}"
