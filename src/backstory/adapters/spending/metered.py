"""A client that asks another one, within caps, and writes every call into the ledger."""

from dataclasses import dataclass, replace
from typing import assert_never

from backstory.adapters.spending.caps import (
    Capped,
    Caps,
    Spent,
    capped_by,
    day_start_ms,
    estimated_usage,
)
from backstory.adapters.spending.prices import nano_usd
from backstory.model.job import Call, CallOutcome, FailureCause
from backstory.ports.clock import Clock
from backstory.ports.ledger import Ledger
from backstory.ports.model_client import (
    Failure,
    Finish,
    ModelClient,
    ModelRequest,
    Outcome,
    Reply,
    bounded_diagnosis,
)

# Since when a session's spending counts: always.
_EVER_MS = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteredClient:
    """A client with a budget. The ledger is written after each call, before its result is used."""

    inner: ModelClient
    ledger: Ledger
    caps: Caps
    clock: Clock
    session: str = ""

    @property
    def model(self) -> str:
        """The name of the model that is asked."""
        return self.inner.model

    def for_session(self, session: str) -> "MeteredClient":
        """Return the same client, spending for one session."""
        return replace(self, session=session)

    def ask(self, request: ModelRequest) -> Outcome:
        """Ask, unless a cap forbids it: then the failure is CAPPED and nothing was sent.

        What was not sent is not booked.
        """
        begun_ms = self.clock()
        capped = self._capped(request, begun_ms)
        if capped is not None:
            return _capped_failure(capped, model=self.model, now_ms=begun_ms)
        outcome = self.inner.ask(request)
        if not isinstance(outcome, Failure) or outcome.is_sent:
            self.ledger.add(self._call(request, outcome, begun_ms=begun_ms))
        return outcome

    def _capped(self, request: ModelRequest, now_ms: int) -> Capped | None:
        today = self.ledger.spent(since_ms=day_start_ms(now_ms))
        session = self.ledger.spent(since_ms=_EVER_MS, session=self.session)
        return capped_by(
            self.caps,
            request,
            today=Spent(tokens=today[0], nano_usd=today[1]),
            session=Spent(tokens=session[0], nano_usd=session[1]),
            now_ms=now_ms,
        )

    def _call(self, request: ModelRequest, outcome: Outcome, *, begun_ms: int) -> Call:
        is_silent = isinstance(outcome, Reply) and outcome.usage.tokens == 0
        usage = outcome.usage
        if isinstance(outcome, Reply) and is_silent:
            usage = estimated_usage(request, outcome.text)
        return Call(
            at_ms=begun_ms,
            purpose=request.purpose,
            model=self.model,
            usage=usage,
            outcome=_outcome_word(outcome),
            duration_ms=max(0, self.clock() - begun_ms),
            nano_usd=nano_usd(self.model, usage),
            is_estimated=is_silent,
            session=self.session,
        )


def _outcome_word(outcome: Outcome) -> CallOutcome:
    match outcome:
        case Reply(finish=Finish.STOP):
            return CallOutcome.OK
        case Reply():
            return CallOutcome.CUT
        case Failure(cause=cause):
            return CallOutcome(cause.value)
        case never:
            assert_never(never)


def _capped_failure(capped: Capped, *, model: str, now_ms: int) -> Failure:
    # A call beyond its own cap never fits as it is: shown shorter, it may.
    cause = FailureCause.TOO_LONG if capped.until_ms is None else FailureCause.CAPPED
    return Failure(
        cause=cause,
        summary=capped.message,
        diagnosis=bounded_diagnosis(
            error_type="Capped", message=capped.message, code=f"cap:{capped.cap}"
        ),
        model=model,
        retry_after_ms=None if capped.until_ms is None else max(0, capped.until_ms - now_ms),
        is_sent=False,
    )
