"""Whatever workers do and whenever they die: no job has two holders, and none is lost."""

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from backstory.model.errors import LeaseLostError
from backstory.model.job import Lease
from backstory.model.words import JobKind, JobState
from backstory.store import SqliteStore, clear_store, open_store

LEASE_MS = 100
SUBJECTS = ("a", "b", "c")


class Workers(RuleBasedStateMachine):
    """Several workers on one table, against a plain account of who holds what."""

    leases = Bundle("leases")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.store: SqliteStore = open_store(Path(self.folder.name) / "memory.db", now_ms=0)
        self.now_ms = 0
        self.holder: dict[str, tuple[str, int]] = {}  # subject -> token, deadline
        self.asked: set[str] = set()  # subjects with work that nobody has done yet
        self.generation = 1

    def teardown(self) -> None:
        """Close the store."""
        self.store.close()
        self.folder.cleanup()

    @rule(by_ms=st.integers(1, 2 * LEASE_MS))
    def wait(self, by_ms: int) -> None:
        """Let time pass."""
        self.now_ms += by_ms

    @rule(by_ms=st.integers(1, LEASE_MS))
    def go_back(self, by_ms: int) -> None:
        """Let the clock be set back."""
        self.now_ms = max(0, self.now_ms - by_ms)

    @rule(subject=st.sampled_from(SUBJECTS), in_ms=st.integers(0, 50))
    def enqueue(self, subject: str, in_ms: int) -> None:
        """Ask for work."""
        with self.store.writing() as tables:
            tables.jobs.enqueue(
                JobKind.EXTRACT, subject, due_at_ms=self.now_ms + in_ms, now_ms=self.now_ms
            )
        self.asked.add(subject)

    @rule(target=leases)
    def claim(self) -> Lease | None:
        """Take what is due."""
        with self.store.writing() as tables:
            lease = tables.jobs.claim(now_ms=self.now_ms, lease_ms=LEASE_MS)
        if lease is not None:
            _, deadline_ms = self.holder.get(lease.subject, ("", 0))
            assert deadline_ms <= self.now_ms, "two holders"
            self.holder[lease.subject] = (lease.token, self.now_ms + LEASE_MS)
            self.asked.discard(lease.subject)
        return lease

    def _is_held(self, lease: Lease) -> bool:
        token, _ = self.holder.get(lease.subject, ("", 0))
        return token == lease.token and lease.generation == self.generation

    def _end(self, lease: Lease | None, how: str) -> None:
        if lease is None:
            return
        is_held = self._is_held(lease)
        try:
            with self.store.writing() as tables:
                if how == "finish":
                    tables.jobs.finish(lease, now_ms=self.now_ms)
                elif how == "retry":
                    due_at_ms = self.now_ms + 5
                    tables.jobs.retry(lease, error="e", due_at_ms=due_at_ms, now_ms=self.now_ms)
                else:
                    tables.jobs.bury(lease, error="e", now_ms=self.now_ms)
        except LeaseLostError:
            assert not is_held
            return
        assert is_held
        del self.holder[lease.subject]
        if how == "retry":
            self.asked.add(lease.subject)

    @rule(lease=consumes(leases))
    def finish(self, lease: Lease | None) -> None:
        """End a job well."""
        self._end(lease, "finish")

    @rule(lease=leases)
    def finish_and_come_again(self, lease: Lease | None) -> None:
        """End a job well, and perhaps once more later with the same lease."""
        self._end(lease, "finish")

    @rule(lease=leases)
    def retry(self, lease: Lease | None) -> None:
        """Give a job back."""
        self._end(lease, "retry")

    @rule(lease=leases)
    def bury(self, lease: Lease | None) -> None:
        """Give a job up."""
        self._end(lease, "bury")

    @rule(lease=leases)
    def renew(self, lease: Lease | None) -> None:
        """Hold on to a job."""
        if lease is None:
            return
        is_held = self._is_held(lease)
        try:
            with self.store.writing() as tables:
                tables.jobs.renew(lease, now_ms=self.now_ms, lease_ms=LEASE_MS)
        except LeaseLostError:
            assert not is_held
            return
        assert is_held
        self.holder[lease.subject] = (lease.token, self.now_ms + LEASE_MS)

    @rule()
    def clear(self) -> None:
        """Begin a new generation."""
        cleared = clear_store(
            self.store, host="chat", thread_id=f"th_{self.generation}", now_ms=self.now_ms
        )
        self.generation = cleared.generation
        self.holder.clear()
        self.asked.clear()

    @invariant()
    def what_was_asked_for_is_still_to_be_done(self) -> None:
        """Check that no work was lost."""
        with self.store.reading() as tables:
            jobs = [job for job in tables.jobs.listed() if job.state is JobState.OPEN]
        subjects = [job.subject for job in jobs]
        assert len(subjects) == len(set(subjects))
        assert self.asked | set(self.holder) <= set(subjects)


TestWorkers = Workers.TestCase
TestWorkers.settings = settings(max_examples=25, stateful_step_count=40, deadline=None)
