"""Keeping a lease while its job runs longer than the lease does."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from backstory.model.errors import LeaseLostError, StoreUnavailableError
from backstory.model.job import Lease
from backstory.model.limits import JOB_LEASE_MS, SECOND_MS
from backstory.ports.clock import Clock
from backstory.ports.store import Store, Tables

# A lease is renewed this often within its time, so that one missed beat does not lose it.
_BEATS = 3


def hold(tables: Tables, lease: Lease, *, now_ms: int) -> None:
    """Refuse to write for a job that somebody else holds now.

    To be called first in every transaction that writes what a job made: raises
    `LeaseLostError` where the lease was taken over or memory was cleared, and extends the
    lease otherwise.
    """
    tables.jobs.renew(lease, now_ms=now_ms, lease_ms=JOB_LEASE_MS)


@contextmanager
def renewed(store: Store, lease: Lease, *, clock: Clock) -> Iterator[None]:
    """Renew a lease from a second thread until the block ends."""
    ended = threading.Event()
    beat = threading.Thread(
        target=_beat,
        args=(store, lease),
        kwargs={"clock": clock, "ended": ended},
        name=f"lease-{lease.job_id}",
        daemon=True,
    )
    beat.start()
    try:
        yield
    finally:
        ended.set()
        beat.join()


def _beat(store: Store, lease: Lease, *, clock: Clock, ended: threading.Event) -> None:
    try:
        while not ended.wait(JOB_LEASE_MS / _BEATS / SECOND_MS):
            if not _renew(store, lease, clock=clock):
                return
    finally:
        store.close()


def _renew(store: Store, lease: Lease, *, clock: Clock) -> bool:
    try:
        with store.writing() as tables:
            hold(tables, lease, now_ms=clock())
    except LeaseLostError:
        return False  # the job itself will be told when it writes
    except StoreUnavailableError:
        return True  # the next beat may do better
    return True
