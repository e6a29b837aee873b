"""Work to be done later: leased by a due time in the future and a token."""

import json
import os
from collections.abc import Sequence
from typing import Any

import apsw

from backstory.model.errors import LeaseLostError, NotFoundError
from backstory.model.ids import JobId
from backstory.model.job import Job, Lease
from backstory.model.limits import DIAGNOSIS_CHARS_MAX, MINUTE_MS
from backstory.model.words import JobKind, JobState
from backstory.store.rows import only_row

# A job written so much later than now was written before the clock was set back. Whoever holds
# one renews it long before, and so writes it anew by the new time.
_CLOCK_SLACK_MS = 10 * MINUTE_MS


class SqliteJobs:
    """The job table. Every write is bound to the generation of the store."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def enqueue(
        self, kind: JobKind, subject: str, *, payload: str = "{}", due_at_ms: int, now_ms: int
    ) -> None:
        """Make sure that an open job exists; an earlier due time wins over a later one.

        A job that somebody works on at this moment is done once more after it, so that what
        it did not see is not missed. One that waits after a failure keeps its time, so that
        new work does not use up its tries.
        """
        self._connection.execute(
            """
            INSERT INTO job
                (kind, subject, payload, due_at_ms, generation, created_at_ms, updated_at_ms)
            VALUES
                (:kind, :subject, :payload, :due_at_ms, (SELECT generation FROM meta), :now_ms,
                 :now_ms)
                ON CONFLICT (kind, subject) WHERE state = 'open' DO UPDATE SET
                   payload = excluded.payload,
                   due_at_ms = iif(lease_token IS NULL AND last_error IS NULL,
                                   min(due_at_ms, excluded.due_at_ms), due_at_ms),
                   again_at_ms = iif(lease_token IS NULL, NULL,
                                     min(coalesce(again_at_ms, excluded.due_at_ms),
                                         excluded.due_at_ms))
            """,
            {
                "kind": kind,
                "subject": subject,
                "payload": payload,
                "due_at_ms": due_at_ms,
                "now_ms": now_ms,
            },
        )

    def claim(
        self,
        *,
        now_ms: int,
        lease_ms: int,
        due_by_ms: int | None = None,
        only: Sequence[JobId] | None = None,
        kinds: Sequence[JobKind] = tuple(JobKind),
    ) -> Lease | None:
        """Lease the job due longest, or return None where nothing is due.

        `due_by_ms` reaches into the future for the exit drain, but never takes a job that
        somebody holds. `only` limits the choice to these jobs, `kinds` to these kinds.
        """
        job_id = self._due(now_ms=now_ms, kinds=kinds, due_by_ms=due_by_ms, only=only)
        if job_id is None:
            return None
        token = os.urandom(8).hex()
        row = only_row(
            self._connection,
            """
            UPDATE job
               SET lease_token = :token, due_at_ms = :deadline_ms, attempt = attempt + 1,
                   again_at_ms = NULL, updated_at_ms = :now_ms
             WHERE id = :id
            RETURNING id, kind, subject, payload, attempt, lease_token, generation, due_at_ms
            """,
            bindings={
                "id": job_id,
                "token": token,
                "deadline_ms": now_ms + lease_ms,
                "now_ms": now_ms,
            },
        )
        return _lease_from(row) if row else None

    def is_due(self, *, now_ms: int, kinds: Sequence[JobKind] = tuple(JobKind)) -> bool:
        """Whether `claim` would find a job; writes nothing."""
        return self._due(now_ms=now_ms, kinds=kinds) is not None

    def next_due_ms(self, *, kinds: Sequence[JobKind] = tuple(JobKind)) -> int | None:
        """Return when the next job of these kinds is due, or its lease ends; writes nothing."""
        row = only_row(
            self._connection,
            """
            SELECT due_at_ms
              FROM job
             WHERE state = 'open' AND generation = (SELECT generation FROM meta)
               AND +kind IN (SELECT value FROM json_each(:kinds))
             ORDER BY due_at_ms, id
             LIMIT 1
            """,
            bindings={"kinds": json.dumps(list(kinds))},
        )
        return row[0] if row else None

    def _due(
        self,
        *,
        now_ms: int,
        kinds: Sequence[JobKind],
        due_by_ms: int | None = None,
        only: Sequence[JobId] | None = None,
    ) -> JobId | None:
        # The plus keeps SQLite from leaving the order of due times for the few kinds.
        row = only_row(
            self._connection,
            """
            SELECT id
              FROM job
             WHERE state = 'open' AND due_at_ms <= :due_by_ms
               AND (due_at_ms <= :now_ms OR lease_token IS NULL)
               AND generation = (SELECT generation FROM meta)
               AND +kind IN (SELECT value FROM json_each(:kinds))
               AND (:only IS NULL OR id IN (SELECT value FROM json_each(:only)))
             ORDER BY due_at_ms, id
             LIMIT 1
            """,
            bindings={
                "now_ms": now_ms,
                "due_by_ms": now_ms if due_by_ms is None else due_by_ms,
                "kinds": json.dumps(list(kinds)),
                "only": None if only is None else json.dumps(list(only)),
            },
        )
        if row is None and only is None:
            return self._stranded(now_ms, kinds)
        return row[0] if row else None

    def _stranded(self, now_ms: int, kinds: Sequence[JobKind]) -> JobId | None:
        # After the clock was set back, what was written before is due in a far future.
        row = only_row(
            self._connection,
            """
            SELECT id
              FROM job
             WHERE state = 'open' AND updated_at_ms > :later_ms
               AND generation = (SELECT generation FROM meta)
               AND +kind IN (SELECT value FROM json_each(:kinds))
             ORDER BY due_at_ms, id
             LIMIT 1
            """,
            bindings={"later_ms": now_ms + _CLOCK_SLACK_MS, "kinds": json.dumps(list(kinds))},
        )
        return row[0] if row else None

    def renew(self, lease: Lease, *, now_ms: int, lease_ms: int) -> None:
        """Keep the right to finish a job for another while."""
        self._connection.execute(
            """
            UPDATE job
               SET due_at_ms = :deadline_ms, updated_at_ms = :now_ms
             WHERE id = :id AND lease_token = :token AND state = 'open'
               AND generation = (SELECT generation FROM meta)
            """,
            {**_fence(lease), "deadline_ms": now_ms + lease_ms, "now_ms": now_ms},
        )
        self._refuse_unless_changed(lease)

    def finish(self, lease: Lease, *, now_ms: int) -> None:
        """End a job; what was asked for meanwhile becomes a new one."""
        again = self._asked_again(lease)
        self._connection.execute(
            """
            UPDATE job
               SET state = 'done', lease_token = NULL, again_at_ms = NULL, last_error = NULL,
                   diagnosis = '', updated_at_ms = :now_ms
             WHERE id = :id AND lease_token = :token AND state = 'open'
               AND generation = (SELECT generation FROM meta)
            """,
            {**_fence(lease), "now_ms": now_ms},
        )
        self._refuse_unless_changed(lease)
        self._note_success(now_ms)
        self._do_again(lease, again, now_ms=now_ms)

    def _asked_again(self, lease: Lease) -> tuple[str, int] | None:
        row = only_row(
            self._connection,
            "SELECT payload, again_at_ms FROM job WHERE id = :id AND again_at_ms IS NOT NULL",
            bindings={"id": lease.job_id},
        )
        return (row[0], row[1]) if row else None

    def _do_again(self, lease: Lease, again: tuple[str, int] | None, *, now_ms: int) -> None:
        if again is None:
            return
        payload, due_at_ms = again
        self.enqueue(
            lease.kind, lease.subject, payload=payload, due_at_ms=due_at_ms, now_ms=now_ms
        )

    def _note_success(self, now_ms: int) -> None:
        self._connection.execute(
            """
            INSERT INTO setting (name, value)
            VALUES ('last_success_ms', :now_ms)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """,
            {"now_ms": str(now_ms)},
        )

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
        self._connection.execute(
            """
            UPDATE job
               SET due_at_ms = :due_at_ms, lease_token = NULL, again_at_ms = NULL,
                   attempt = attempt - :uncounted, last_error = :error,
                   diagnosis = :diagnosis, updated_at_ms = :now_ms
             WHERE id = :id AND lease_token = :token AND state = 'open'
               AND generation = (SELECT generation FROM meta)
            """,
            {
                **_fence(lease),
                "uncounted": int(not is_counted),
                "error": error[:DIAGNOSIS_CHARS_MAX],
                "diagnosis": diagnosis[:DIAGNOSIS_CHARS_MAX],
                "due_at_ms": due_at_ms,
                "now_ms": now_ms,
            },
        )
        self._refuse_unless_changed(lease)

    def bury(self, lease: Lease, *, error: str, now_ms: int, diagnosis: str = "") -> None:
        """End a job that cannot succeed; what was asked for meanwhile becomes a new one."""
        again = self._asked_again(lease)
        self._connection.execute(
            """
            UPDATE job
               SET state = 'dead', lease_token = NULL, again_at_ms = NULL, last_error = :error,
                   diagnosis = :diagnosis, updated_at_ms = :now_ms
             WHERE id = :id AND lease_token = :token AND state = 'open'
               AND generation = (SELECT generation FROM meta)
            """,
            {
                **_fence(lease),
                "error": error[:DIAGNOSIS_CHARS_MAX],
                "diagnosis": diagnosis[:DIAGNOSIS_CHARS_MAX],
                "now_ms": now_ms,
            },
        )
        self._refuse_unless_changed(lease)
        self._do_again(lease, again, now_ms=now_ms)

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
        self._connection.execute(
            """
            INSERT INTO job
                (kind, subject, payload, state, attempt, due_at_ms, generation, last_error,
                 diagnosis, created_at_ms, updated_at_ms)
            VALUES
                (:kind, :subject, :payload, 'dead', 1, :now_ms, (SELECT generation FROM meta),
                 :error, :diagnosis, :now_ms, :now_ms)
            """,
            {
                "kind": kind,
                "subject": subject,
                "payload": payload,
                "error": error[:DIAGNOSIS_CHARS_MAX],
                "diagnosis": diagnosis[:DIAGNOSIS_CHARS_MAX],
                "now_ms": now_ms,
            },
        )

    def _refuse_unless_changed(self, lease: Lease) -> None:
        if self._connection.changes() == 0:
            raise LeaseLostError(
                f"job {lease.job_id} ({lease.kind}) is no longer held: "
                "somebody else took it over, or memory was cleared meanwhile"
            )

    def revive(self, job_id: JobId, *, now_ms: int) -> None:
        """Try a dead job again at once. Raises `NotFoundError` where there is no such dead job."""
        row = only_row(
            self._connection,
            """
            UPDATE job
               SET state = 'done', diagnosis = '', updated_at_ms = :now_ms
             WHERE id = :id AND state = 'dead'
            RETURNING kind, subject, payload
            """,
            bindings={"id": job_id, "now_ms": now_ms},
        )
        if not row:
            raise NotFoundError(f"there is no dead job {job_id}")
        kind, subject, payload = row
        # An open job may have taken its place since; then that one runs at once instead.
        self.enqueue(JobKind(kind), subject, payload=payload, due_at_ms=now_ms, now_ms=now_ms)

    def listed(self) -> tuple[Job, ...]:
        """Return the open and the dead ones, the oldest first."""
        rows = self._connection.execute(
            """
            SELECT id, kind, subject, state, attempt, due_at_ms, lease_token IS NOT NULL,
                   last_error, updated_at_ms, generation, payload, diagnosis
              FROM job
             WHERE state <> 'done'
             ORDER BY id
            """
        )
        return tuple(_job_from(row) for row in rows)

    def last_success_ms(self) -> int | None:
        """Return when a job last ended well."""
        row = only_row(
            self._connection, "SELECT value FROM setting WHERE name = 'last_success_ms'"
        )
        return int(row[0]) if row else None


def _fence(lease: Lease) -> dict[str, str | int]:
    return {"id": lease.job_id, "token": lease.token}


def _lease_from(row: tuple[Any, ...]) -> Lease:
    return Lease(
        job_id=row[0],
        kind=JobKind(row[1]),
        subject=row[2],
        payload=row[3],
        attempt=row[4],
        token=row[5],
        generation=row[6],
        deadline_ms=row[7],
    )


def _job_from(row: tuple[Any, ...]) -> Job:
    return Job(
        id=row[0],
        kind=JobKind(row[1]),
        subject=row[2],
        state=JobState(row[3]),
        attempt=row[4],
        due_at_ms=row[5],
        is_leased=bool(row[6]),
        last_error=row[7],
        updated_at_ms=row[8],
        generation=row[9],
        payload=row[10],
        diagnosis=row[11],
    )
