"""Jobs: work to be done later, under a lease; and the calls to models that they make."""

from dataclasses import dataclass
from enum import StrEnum

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
    payload: str = "{}"
    diagnosis: str = ""  # the last error as it came, bounded; for debugging alone


class CallPurpose(StrEnum):
    """Why a model is called."""

    EXTRACT = "extract"
    CONSOLIDATE = "consolidate"
    COMPACT = "compact"
    SUMMARIZE = "summarize"
    TEST = "test"


class FailureCause(StrEnum):
    """What kind of thing went wrong, which decides what is done next."""

    TRANSIENT = "transient"  # may work later: no connection, too slow, too busy, a server's fault
    QUOTA = "quota"  # the account has nothing left; waiting a little does not help
    TOO_LONG = "too_long"  # the input or the reply does not fit: split it
    INVALID = "invalid"  # something came back that is no reply
    REFUSED = "refused"  # the model or its provider will not answer this
    MISCONFIGURED = "misconfigured"  # key, model name, address or option: a person must act
    CAPPED = "capped"  # our own cap: nothing was sent


class CallOutcome(StrEnum):
    """What became of a call: a whole reply, one that was cut, or a failure by its cause."""

    OK = "ok"
    CUT = "cut"
    TRANSIENT = "transient"
    QUOTA = "quota"
    TOO_LONG = "too_long"
    INVALID = "invalid"
    REFUSED = "refused"
    MISCONFIGURED = "misconfigured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens that a call took, as its server counted them; 0 where it did not say."""

    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.tokens_in + self.tokens_out


NO_USAGE = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One line of the ledger: a request that left this process, whatever came of it.

    `nano_usd` is the price in billionths of a US dollar, or None where it is not known.
    `is_estimated` says that the server counted no tokens and ours are a guess.
    """

    at_ms: int
    purpose: CallPurpose
    model: str
    usage: Usage
    outcome: CallOutcome
    duration_ms: int
    nano_usd: int | None = None
    is_estimated: bool = False
    session: str = ""
