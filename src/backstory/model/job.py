"""Jobs: work to be done later, under a lease."""

from dataclasses import dataclass

from backstory.model.ids import JobId
from backstory.model.words import JobKind, JobState


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to run one job until its deadline. Every finishing write names the token."""

    job_id: JobId
    kind: JobKind
    subject: str  # the thread for extraction, "" where there is one per project
    payload: str  # JSON
    attempt: int  # from 1
    token: str
    generation: int
    deadline_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job as status shows it."""

    id: JobId
    kind: JobKind
    subject: str
    state: JobState
    attempt: int
    due_at_ms: int
    is_leased: bool
    last_error: str | None
    updated_at_ms: int
    generation: int
