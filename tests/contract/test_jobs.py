"""Jobs: one open for each subject, held by one, done again where they were asked for meanwhile."""

import pytest

from backstory.model.errors import LeaseLostError, NotFoundError
from backstory.model.ids import JobId
from backstory.model.job import Job, Lease
from backstory.model.words import JobKind, JobState
from backstory.ports.store import Store


def enqueue(store: Store, subject: str = "th_1", *, due_at_ms: int = 0, now_ms: int = 0) -> None:
    with store.writing() as tables:
        tables.jobs.enqueue(JobKind.EXTRACT, subject, due_at_ms=due_at_ms, now_ms=now_ms)


def claim(store: Store, *, now_ms: int = 0, due_by_ms: int | None = None) -> Lease | None:
    with store.writing() as tables:
        return tables.jobs.claim(now_ms=now_ms, lease_ms=100, due_by_ms=due_by_ms)


def held(store: Store, *, now_ms: int = 0) -> Lease:
    lease = claim(store, now_ms=now_ms)
    assert lease is not None
    return lease


def listed(store: Store) -> tuple[Job, ...]:
    with store.reading() as tables:
        return tables.jobs.listed()


def test_a_job_asked_for_twice_is_one_job_due_at_the_earlier_time(store: Store) -> None:
    enqueue(store, due_at_ms=50)
    enqueue(store, due_at_ms=20)
    enqueue(store, due_at_ms=90)

    assert [job.due_at_ms for job in listed(store)] == [20]
    assert claim(store, now_ms=19) is None


def test_the_job_due_longest_is_leased_first(store: Store) -> None:
    enqueue(store, "late", due_at_ms=9)
    enqueue(store, "early", due_at_ms=3)

    assert [held(store, now_ms=10).subject for _ in range(2)] == ["early", "late"]


@pytest.mark.promise("R161")
def test_a_leased_job_is_not_leased_again_before_its_deadline(store: Store) -> None:
    enqueue(store)
    first = held(store, now_ms=0)

    assert claim(store, now_ms=99) is None
    second = held(store, now_ms=100)
    assert (first.attempt, second.attempt) == (1, 2)


@pytest.mark.promise("R162")
def test_a_worker_that_overran_cannot_end_a_job_that_was_taken_over(store: Store) -> None:
    enqueue(store)
    slow = held(store, now_ms=0)
    quick = held(store, now_ms=100)

    for end in ("finish", "retry", "bury", "renew"):
        with pytest.raises(LeaseLostError), store.writing() as tables:
            _end(tables.jobs, end, slow)
    with store.writing() as tables:
        tables.jobs.finish(quick, now_ms=110)
        success = tables.jobs.last_success_ms()

    assert listed(store) == ()
    assert success == 110


def _end(jobs, how, lease):  # type: ignore[no-untyped-def]
    match how:
        case "finish":
            jobs.finish(lease, now_ms=101)
        case "retry":
            jobs.retry(lease, error="e", due_at_ms=200, now_ms=101)
        case "bury":
            jobs.bury(lease, error="e", now_ms=101)
        case "renew":
            jobs.renew(lease, now_ms=101, lease_ms=100)


def test_a_renewed_lease_lasts_longer(store: Store) -> None:
    enqueue(store)
    lease = held(store, now_ms=0)
    with store.writing() as tables:
        tables.jobs.renew(lease, now_ms=90, lease_ms=100)

    assert claim(store, now_ms=189) is None


def test_a_job_asked_for_while_it_is_held_is_done_once_more(store: Store) -> None:
    enqueue(store)
    lease = held(store, now_ms=0)
    enqueue(store, due_at_ms=40, now_ms=10)
    enqueue(store, due_at_ms=30, now_ms=10)
    with store.writing() as tables:
        tables.jobs.finish(lease, now_ms=20)

    (job,) = listed(store)
    assert (job.due_at_ms, job.attempt, job.is_leased) == (30, 0, False)


def test_a_job_that_waits_after_a_failure_keeps_its_time(store: Store) -> None:
    enqueue(store)
    lease = held(store)
    with store.writing() as tables:
        tables.jobs.retry(lease, error="no connection", due_at_ms=500, now_ms=10)
    enqueue(store, due_at_ms=20, now_ms=20)

    (job,) = listed(store)
    assert (job.due_at_ms, job.last_error, job.attempt) == (500, "no connection", 1)


def test_a_try_that_does_not_count_leaves_the_number_of_tries(store: Store) -> None:
    enqueue(store)
    for is_counted in (True, False):
        lease = held(store)
        with store.writing() as tables:
            tables.jobs.retry(lease, error="e", due_at_ms=0, now_ms=0, is_counted=is_counted)

    assert [job.attempt for job in listed(store)] == [1]


@pytest.mark.promise("R165")
def test_a_buried_job_is_listed_and_can_be_revived(store: Store) -> None:
    enqueue(store)
    with store.writing() as tables:
        lease = tables.jobs.claim(now_ms=0, lease_ms=100)
        assert lease is not None
        tables.jobs.bury(lease, error="bad reply", now_ms=1)
    (dead,) = listed(store)
    with store.writing() as tables:
        tables.jobs.revive(dead.id, now_ms=5)

    assert (dead.state, dead.last_error) == (JobState.DEAD, "bad reply")
    assert held(store, now_ms=5).attempt == 1
    with pytest.raises(NotFoundError), store.writing() as tables:
        tables.jobs.revive(dead.id, now_ms=6)


def test_a_job_asked_for_while_it_was_buried_is_not_lost(store: Store) -> None:
    enqueue(store)
    lease = held(store)
    enqueue(store, due_at_ms=7, now_ms=2)
    with store.writing() as tables:
        tables.jobs.bury(lease, error="bad reply", now_ms=3)

    assert [(job.state, job.due_at_ms) for job in listed(store)] == [
        (JobState.DEAD, listed(store)[0].due_at_ms),
        (JobState.OPEN, 7),
    ]


def test_reviving_beside_an_open_job_makes_no_second_one(store: Store) -> None:
    enqueue(store)
    lease = held(store)
    with store.writing() as tables:
        tables.jobs.bury(lease, error="bad reply", now_ms=1)
    enqueue(store, due_at_ms=900, now_ms=2)
    with store.writing() as tables:
        tables.jobs.revive(lease.job_id, now_ms=3)

    assert [(job.state, job.due_at_ms) for job in listed(store)] == [(JobState.OPEN, 3)]


def test_the_exit_drain_reaches_into_the_future_but_takes_nobodys_job(store: Store) -> None:
    enqueue(store, "held")
    held(store)
    enqueue(store, "waits", due_at_ms=500)

    lease = claim(store, now_ms=1, due_by_ms=1_000)
    assert lease is not None
    assert lease.subject == "waits"
    assert claim(store, now_ms=1, due_by_ms=1_000) is None


def test_a_claim_can_be_limited_to_some_jobs(store: Store) -> None:
    enqueue(store, "a")
    enqueue(store, "b")
    wanted = listed(store)[1].id

    with store.writing() as tables:
        lease = tables.jobs.claim(now_ms=0, lease_ms=100, only=[wanted])
        none = tables.jobs.claim(now_ms=0, lease_ms=100, only=[JobId(99)])
    assert lease is not None
    assert lease.subject == "b"
    assert none is None


def test_whether_something_is_due_is_asked_without_a_lease(store: Store) -> None:
    enqueue(store, due_at_ms=10)

    with store.reading() as tables:
        assert not tables.jobs.is_due(now_ms=9)
        assert tables.jobs.is_due(now_ms=10)
        assert tables.jobs.last_success_ms() is None


def test_a_clock_that_was_set_back_strands_no_job(store: Store) -> None:
    day_ms = 86_400_000
    enqueue(store, "waits", due_at_ms=day_ms + 5, now_ms=day_ms)
    enqueue(store, "was held", due_at_ms=day_ms, now_ms=day_ms)
    held(store, now_ms=day_ms)

    assert [held(store, now_ms=60_000).subject for _ in range(2)] == ["waits", "was held"]
    assert claim(store, now_ms=60_000) is None


def test_jobs_of_other_kinds_are_neither_leased_nor_due(store: Store) -> None:
    with store.writing() as tables:
        tables.jobs.enqueue(JobKind.PROPOSE, "th_1", due_at_ms=3, now_ms=0)
        rules = (JobKind.EXTRACT, JobKind.CONSOLIDATE)

        assert not tables.jobs.is_due(now_ms=9, kinds=rules)
        assert tables.jobs.claim(now_ms=9, lease_ms=100, kinds=rules) is None
        assert tables.jobs.next_due_ms(kinds=rules) is None
        assert tables.jobs.next_due_ms() == 3
        lease = tables.jobs.claim(now_ms=9, lease_ms=100, kinds=(JobKind.PROPOSE,))
        assert lease is not None
        assert tables.jobs.next_due_ms() == 109


@pytest.mark.promise("R155")
def test_a_failure_keeps_its_bounded_diagnosis_until_the_job_is_done(store: Store) -> None:
    enqueue(store)
    lease = held(store)
    with store.writing() as tables:
        tables.jobs.retry(lease, error="slow", diagnosis="x" * 30_000, due_at_ms=5, now_ms=1)
    (job,) = listed(store)
    assert (job.last_error, len(job.diagnosis)) == ("slow", 20_000)
    again = held(store, now_ms=5)
    with store.writing() as tables:
        tables.jobs.bury(again, error="never", diagnosis="body: 500", now_ms=6)

    (dead,) = listed(store)
    assert (dead.state, dead.last_error, dead.diagnosis) == (JobState.DEAD, "never", "body: 500")


def test_a_part_that_failed_is_noted_beside_the_job_and_can_be_revived(store: Store) -> None:
    with store.writing() as tables:
        tables.jobs.add_dead(
            JobKind.PROPOSE,
            "th_1",
            payload='{"turns": ["t_1"]}',
            error="refused",
            diagnosis="status: 400",
            now_ms=4,
        )
        tables.jobs.enqueue(JobKind.PROPOSE, "th_1", due_at_ms=9, now_ms=5)
    dead, waiting = listed(store)
    assert (dead.state, dead.payload, dead.attempt) == (JobState.DEAD, '{"turns": ["t_1"]}', 1)

    with store.writing() as tables:
        tables.jobs.revive(dead.id, now_ms=6)

    assert [(job.id, job.due_at_ms) for job in listed(store)] == [(waiting.id, 6)]
