"""The jobs of a store and the calls to models that they make, as stages see them."""

from collections.abc import Sequence
from typing import Protocol

from backstory.model.ids import JobId
from backstory.model.job import Call, Job, Lease
from backstory.model.words import JobKind
from backstory.ports.store_rows import Expense, Grouping


class Jobs(Protocol):
    """Work to be done later.

    Finishing writes raise `LeaseLostError` where the token or the generation changed.
    """

    def enqueue(
        self, kind: JobKind, subject: str, *, payload: str = "{}", due_at_ms: int, now_ms: int
    ) -> None:
        """Make sure that an open job exists; an earlier due time wins over a later one.

        One that waits after a failure keeps its time; one that is being worked on is done
        once more after it.
        """

    def claim(
        self,
        *,
        now_ms: int,
        lease_ms: int,
        due_by_ms: int | None = None,
        only: Sequence[JobId] | None = None,
        kinds: Sequence[JobKind] = tuple(JobKind),
    ) -> Lease | None:
        """Lease the job due longest, of these kinds and among `only` these where given.

        `due_by_ms` reaches into the future for the exit drain; it never takes a job that
        somebody holds.
        """

    def renew(self, lease: Lease, *, now_ms: int, lease_ms: int) -> None: ...
    def finish(self, lease: Lease, *, now_ms: int) -> None: ...
    def retry(
        self,
        lease: Lease,
        *,
        error: str,
        due_at_ms: int,
        now_ms: int,
        diagnosis: str = "",
        is_counted: bool = True,
    ) -> None:
        """Give a job back, to be tried again at `due_at_ms`; this try may count as none."""

    def bury(self, lease: Lease, *, error: str, now_ms: int, diagnosis: str = "") -> None: ...
    def add_dead(
        self,
        kind: JobKind,
        subject: str,
        *,
        payload: str,
        error: str,
        diagnosis: str,
        now_ms: int,
    ) -> None:
        """Note a part of a job that could not be done, while the rest of it was."""

    def revive(self, job_id: JobId, *, now_ms: int) -> None: ...
    def is_due(self, *, now_ms: int, kinds: Sequence[JobKind] = tuple(JobKind)) -> bool:
        """Whether `claim` would find a job; writes nothing."""

    def next_due_ms(self, *, kinds: Sequence[JobKind] = tuple(JobKind)) -> int | None:
        """Return when the next job of these kinds is due, or its lease ends; writes nothing."""

    def listed(self) -> tuple[Job, ...]:
        """Return the open and the dead ones."""

    def last_success_ms(self) -> int | None: ...


class Calls(Protocol):
    """Calls to models, each kept whatever came of it."""

    def add(self, call: Call) -> None: ...
    def spent(self, *, since_ms: int, session: str | None = None) -> tuple[int, int]:
        """Return the tokens and the billionths of a US dollar spent since a time."""

    def expenses(self, by: Grouping, *, since_ms: int = 0) -> tuple[Expense, ...]:
        """Return what calls cost since a time, summed up; a day is named by its number."""

    def latest(self, *, limit: int) -> tuple[Call, ...]:
        """Return the last calls, newest first."""
