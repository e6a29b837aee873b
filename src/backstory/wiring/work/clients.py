"""The model that a worker asks: opened from the settings, stoppable, and saying why it is not."""

import threading
from dataclasses import dataclass, field, replace
from types import FrameType

from backstory.adapters.models.choosing import ChosenModel, chosen_model
from backstory.adapters.models.opening import open_client
from backstory.adapters.spending import NO_CAPS, Caps
from backstory.model.errors import ModelAddressError, ModelKeyError
from backstory.model.job import FailureCause
from backstory.model.limits import SECOND_MS
from backstory.ports.clock import Clock
from backstory.ports.model_client import (
    Failure,
    ModelClient,
    ModelRequest,
    Outcome,
    bounded_diagnosis,
)
from backstory.wiring.desk import Desk

# A call that has less time is paid for and hardly answered.
_WORTH_ASKING_MS = 3 * SECOND_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedModel:
    """A model that can be asked, and what may be spent on it."""

    client: ModelClient
    caps: Caps = NO_CAPS


def asked_model(desk: Desk) -> AskedModel | None:
    """Return the model that the settings name, or None where there is none or it is off.

    One that is named and cannot be asked is a client that says why, so that turns wait for it.
    """
    try:
        chosen = chosen_model(desk.choices)
    except ModelAddressError as error:
        name = desk.choices.stated.model or desk.choices.filed.model or ""
        return AskedModel(client=UnusableClient(model=name, problem=str(error)))
    if chosen is None:
        return None
    return AskedModel(client=_opened(chosen, desk), caps=chosen.caps)


def _opened(chosen: ChosenModel, desk: Desk) -> ModelClient:
    try:
        return open_client(chosen.address, desk.env)
    except (ModelAddressError, ModelKeyError) as error:
        return UnusableClient(model=chosen.address.name, problem=str(error))


class StopAskingError(BaseException):
    """A signal came while a model was being asked: nobody waits for its answer any more."""


@dataclass(slots=True)
class Stop:
    """Whether the worker is to end. A call to a model is given up at once, all else is ended.

    `deadline_ms` is when calls have to be over, where whoever waits for them waits no longer.
    """

    event: threading.Event = field(default_factory=threading.Event)
    is_asking: bool = False
    deadline_ms: int | None = None

    def is_set(self) -> bool:
        """Whether it is to end."""
        return self.event.is_set()

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """End; what the main thread runs at a signal."""
        del number, frame
        self.event.set()
        if self.is_asking:
            raise StopAskingError


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppableClient:
    """A client whose call ends when the worker is to end; then it failed, and is tried later."""

    inner: ModelClient
    stop: Stop
    clock: Clock

    @property
    def model(self) -> str:
        """The name of the model that is asked."""
        return self.inner.model

    def ask(self, request: ModelRequest) -> Outcome:
        """Ask for as long as there is time, unless the worker is to end."""
        left_ms = request.timeout_ms
        if self.stop.deadline_ms is not None:
            left_ms = min(left_ms, self.stop.deadline_ms - self.clock())
        if left_ms < _WORTH_ASKING_MS:
            return _failure(
                self.model, FailureCause.TRANSIENT, summary="no time was left to ask the model"
            )
        try:
            self.stop.is_asking = True
            if not self.stop.is_set():
                return self.inner.ask(replace(request, timeout_ms=left_ms))
            is_sent = False
        except StopAskingError:
            is_sent = True  # what came of the call is never known
        finally:
            self.stop.is_asking = False
        failure = _failure(self.model, FailureCause.TRANSIENT, summary="the worker was stopped")
        return replace(failure, is_sent=is_sent)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusableClient:
    """A model that is named and cannot be asked: every call says why, and sends nothing."""

    model: str
    problem: str

    def ask(self, request: ModelRequest) -> Outcome:
        """Say why."""
        del request
        return _failure(self.model, FailureCause.MISCONFIGURED, summary=self.problem)


def _failure(model: str, cause: FailureCause, *, summary: str) -> Failure:
    return Failure(
        cause=cause,
        summary=summary,
        diagnosis=bounded_diagnosis(error_type="Unasked", message=summary),
        model=model,
        is_sent=False,
    )
