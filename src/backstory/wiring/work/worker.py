"""The worker: the one who runs a project's jobs, those that ask a model among them."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from backstory.adapters.locking import LOCK_NAME, WorkerLock
from backstory.adapters.spending import MeteredClient
from backstory.jobs import Ran, Runners, drain, run_due
from backstory.model.ids import ThreadId
from backstory.model.job import Lease
from backstory.model.limits import EXIT_DRAIN_MS, SECOND_MS
from backstory.model.words import JobKind
from backstory.ports.model_client import ModelClient
from backstory.wiring.desk import Desk
from backstory.wiring.story.rewording import renew_index
from backstory.wiring.story.summarizing import run_summarize
from backstory.wiring.story.upkeep import run_project
from backstory.wiring.work.asking import Asking, run_propose
from backstory.wiring.work.clients import AskedModel, Stop, StoppableClient, asked_model
from backstory.wiring.work.ledger import StoreLedger
from backstory.wiring.work.ruling import rules_for, surroundings_of
from backstory.wiring.work.starting import next_due_ms, rest_of

# How often an idle worker looks for work. Looking reads, and writes nothing.
_LOOK_EVERY_S = 1.0
_BRIEFLY_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """What one run of the worker did; nothing where another one was at work."""

    ran: Ran = field(default_factory=Ran)
    is_elsewhere: bool = False


class Worker:
    """Runs one project's jobs in this process, under the project's lock.

    `model` stands in for the one that the settings name. The lock is taken when there is
    something to do, and kept until the run ends.
    """

    def __init__(
        self, desk: Desk, *, model: AskedModel | None = None, stop: Stop | None = None
    ) -> None:
        model = model or asked_model(desk)
        self._desk = desk
        self._stop = stop or Stop()
        self._rules = _rules(desk, is_model_asked=model is not None)
        self._model = {} if model is None else _model_runners(desk, model, stop=self._stop)
        self._model_name = None if model is None else model.client.model
        self._lock = WorkerLock(desk.project.state_dir / LOCK_NAME)

    @property
    def stop(self) -> Stop:
        """What ends it."""
        return self._stop

    def settle(self, *, even_silent: bool = True) -> Shift:
        """Give every waiting job one try, due or not, within a minute; the rules' jobs first.

        A model that does not answer is asked only if `even_silent`, as a person wants it.
        """
        return self._shift(lambda: self._settle(even_silent=even_silent))

    def run(self, *, seconds: float | None) -> Shift:
        """Run what is or becomes due for so many seconds at the most; None is until stopped.

        Ends early where nothing becomes due in that time. Idle, it writes nothing.
        """
        if seconds is None:
            return self._shift(lambda: self._work(deadline_ms=None))
        deadline_ms = self._desk.clock() + round(seconds * SECOND_MS)
        if not self._has_work(deadline_ms):
            return Shift()
        return self._shift(lambda: self._work(deadline_ms=deadline_ms))

    def _shift(self, work: Callable[[], Ran]) -> Shift:
        if not self._lock.take(now_ms=self._desk.clock()):
            return Shift(is_elsewhere=True)
        try:
            renew_index(self._desk)
            return Shift(ran=work())
        finally:
            self._lock.release()

    def _settle(self, *, even_silent: bool) -> Ran:
        deadline_ms = self._desk.clock() + EXIT_DRAIN_MS
        ran = self._drain(self._rules, deadline_ms)
        if self._model and (even_silent or not self._is_model_silent()):
            self._stop.deadline_ms = deadline_ms
            # What the model proposes is decided by a job of the rules.
            ran += self._drain(self._model, deadline_ms)
            ran += self._due(self._rules, deadline_ms)
            self._stop.deadline_ms = None
        return ran

    def _drain(self, jobs: Runners, deadline_ms: int) -> Ran:
        clock = self._desk.clock
        return drain(
            self._desk.store,
            jobs,
            clock=clock,
            budget_ms=max(0, deadline_ms - clock()),
            is_stopped=self._stop.is_set,
        )

    def _work(self, *, deadline_ms: int | None) -> Ran:
        ran = Ran()
        while not self._stop.is_set() and not self._is_over(deadline_ms):
            # All that the rules have to do, then one job of the model, so that none waits long.
            done = self._due(self._rules, deadline_ms)
            if not self._is_model_silent():
                done += self._due(self._model, deadline_ms, jobs_max=1)
            ran += done
            if not done.total and not self._waits(deadline_ms):
                break
        return ran

    def _due(self, jobs: Runners, deadline_ms: int | None, *, jobs_max: int | None = None) -> Ran:
        begun = 0

        def is_enough() -> bool:
            nonlocal begun
            begun += 1
            return self._stop.is_set() or (jobs_max is not None and begun > jobs_max)

        store, clock = self._desk.store, self._desk.clock
        return run_due(store, jobs, clock=clock, deadline_ms=deadline_ms, is_stopped=is_enough)

    def _waits(self, deadline_ms: int | None) -> bool:
        """Wait until there may be work; False where none comes before the end."""
        if not self._has_work(deadline_ms):
            return False
        due_in_s = (self._next_due_ms() - self._desk.clock()) / SECOND_MS
        self._stop.event.wait(min(max(due_in_s, _BRIEFLY_S), _LOOK_EVERY_S))
        return True

    def _is_over(self, deadline_ms: int | None) -> bool:
        return deadline_ms is not None and self._desk.clock() >= deadline_ms

    def _has_work(self, deadline_ms: int | None) -> bool:
        return deadline_ms is None or self._next_due_ms() < deadline_ms

    def _next_due_ms(self) -> float:
        with self._desk.store.reading() as tables:
            due_at_ms = next_due_ms(
                tables,
                kinds=tuple(self._rules),
                model=self._model_name,
                now_ms=self._desk.clock(),
            )
        return float("inf") if due_at_ms is None else due_at_ms

    def _is_model_silent(self) -> bool:
        """Whether it does not answer, so that nobody asks it now."""
        if self._model_name is None:
            return False
        with self._desk.store.reading() as tables:
            now_ms = self._desk.clock()
            return rest_of(tables, model=self._model_name, now_ms=now_ms) is not None


def _rules(desk: Desk, *, is_model_asked: bool) -> Runners:
    def project(lease: Lease) -> None:
        run_project(desk, lease, is_model_asked=is_model_asked)

    return {**rules_for(desk, is_model_asked=is_model_asked), JobKind.PROJECT: project}


def metered(desk: Desk, model: AskedModel, *, client: ModelClient) -> MeteredClient:
    """Return a client that spends within the model's caps and books every call."""
    return MeteredClient(
        inner=client, ledger=StoreLedger(store=desk.store), caps=model.caps, clock=desk.clock
    )


def _model_runners(desk: Desk, model: AskedModel, *, stop: Stop) -> Runners:
    asked = metered(
        desk, model, client=StoppableClient(inner=model.client, stop=stop, clock=desk.clock)
    )

    def client_for(thread_id: ThreadId) -> ModelClient:
        return asked.for_session(thread_id)

    asking = Asking(
        client_for=client_for,
        clock=desk.clock,
        ids=desk.ids,
        surroundings=surroundings_of(desk),
    )
    return {
        JobKind.PROPOSE: lambda lease: run_propose(desk.store, lease, asking=asking),
        JobKind.SUMMARIZE: lambda lease: run_summarize(desk, lease, client=asked),
    }


@contextmanager
def ended_by_signals(stop: Stop) -> Iterator[None]:
    """Let SIGTERM and SIGINT end the worker while the block runs. Main thread only."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.signal(number, stop.on_signal) for number in numbers]
    try:
        yield
    finally:
        for number, earlier in zip(numbers, before, strict=True):
            signal.signal(number, earlier)
