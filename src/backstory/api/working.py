"""Running a memory's jobs with the model that the settings name, and choosing that model.

Not loaded with the rest of the library: what asks a model takes long to load.
"""

import threading
from collections.abc import Callable
from contextlib import suppress

from backstory.adapters.models.addresses import ModelAddress
from backstory.adapters.models.keeping import keep_model
from backstory.adapters.settings import user_file
from backstory.api.memory import Memory
from backstory.model.errors import BackstoryError
from backstory.model.job import CallPurpose
from backstory.ports.model_client import ModelRequest, Outcome
from backstory.wiring.story.summarizing import summarize_now
from backstory.wiring.work.choosing import TurnsLeft, chosen, paused
from backstory.wiring.work.clients import AskedModel, Stop, asked_model
from backstory.wiring.work.starting import start_worker_if_due
from backstory.wiring.work.worker import Shift, Worker, ended_by_signals, metered

__all__ = [
    "BackgroundWorker",
    "StandbyWorker",
    "choose_model",
    "run_worker",
    "start_worker",
    "summarize",
    "try_model",
]

# How long the end of a program waits for the job that is being run.
_END_S = 5.0
# How often a worker that stands by looks for work, and how far it looks ahead.
_STANDBY_S = 1.0


def run_worker(memory: Memory, *, seconds: float | None = None) -> Shift:
    """Give every waiting job one try; with `seconds` run what becomes due in that time, too.

    SIGTERM and SIGINT end it: a call to a model is given up, and its job is tried again later.
    To be called in the main thread. What another worker does is not done twice.
    """
    memory.take_in_shell()
    worker = Worker(memory._desk)
    with ended_by_signals(worker.stop):
        return worker.settle() if seconds is None else worker.run(seconds=seconds)


def start_worker(memory: Memory) -> bool:
    """Start a worker in the background if there is something for it, and return at once."""
    return start_worker_if_due(memory._desk)


class BackgroundWorker:
    """The worker as a thread of a program that lives long. A context manager."""

    def __init__(self, memory: Memory, *, model: AskedModel | None = None) -> None:
        self._desk = memory._desk
        self._stop = Stop()
        self._worker = Worker(self._desk, model=model, stop=self._stop)
        self._thread = threading.Thread(target=self._run, name="backstory-worker", daemon=True)

    def __enter__(self) -> "BackgroundWorker":
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End after the job that is being run; a call to a model is not waited for."""
        self._stop.event.set()
        self._thread.join(_END_S)

    def _run(self) -> None:
        try:
            # Where another worker is at work, this one waits for its end.
            while self._worker.run(seconds=None).is_elsewhere:
                if self._stop.event.wait(_END_S):
                    return
        finally:
            self._desk.store.close()  # this thread's connection


class StandbyWorker:
    """Runs a project's jobs in a thread, with the lock taken only while there is work.

    So whoever comes first does the work, and nobody does it twice. Nothing is done while
    `is_idle` says so. Idle, it writes nothing.
    """

    def __init__(self, memory: Memory, *, is_idle: Callable[[], bool]) -> None:
        self._store = memory._desk.store
        self._stop = Stop()
        self._worker = Worker(memory._desk, stop=self._stop)
        self._is_idle = is_idle
        self._thread = threading.Thread(target=self._run, name="backstory-standby", daemon=True)

    def begin(self) -> None:
        """Start the thread."""
        self._thread.start()

    def end(self, *, within_s: float) -> None:
        """End after the job that is being run, or leave it to the end of the program."""
        self._stop.event.set()
        self._thread.join(within_s)

    def _run(self) -> None:
        try:
            while not self._stop.event.wait(_STANDBY_S):
                self._look()
        finally:
            self._store.close()  # this thread's connection

    def _look(self) -> None:
        # A store that is locked or gone for a while may be there again later.
        with suppress(BackstoryError):
            if not self._is_idle():
                self._worker.run(seconds=_STANDBY_S)


def summarize(memory: Memory, name: str) -> str | None:
    """Sum up an episode now: by rule, and with the model that the settings name.

    Returns why no model added to it, as a sentence for a person, or None where one did. What
    was dropped of its answer is told by `Memory.episode`. Raises `NotFoundError`.
    """
    by_rule = memory.summarize_episode(name)
    model = asked_model(memory._desk)
    if model is None:
        return "no model is named"
    client = metered(memory._desk, model, client=model.client)
    return summarize_now(memory._desk, by_rule.id, client=client)


def try_model(memory: Memory) -> tuple[AskedModel, Outcome] | None:
    """Ask the model that the settings name for one word, or return None where there is none."""
    model = asked_model(memory._desk)
    if model is None:
        return None
    request = ModelRequest(
        purpose=CallPurpose.TEST,
        system="You are being tested. Reply with one JSON object and nothing else.",
        user='Reply with {"answer": "ready"}.',
        schema={
            "type": "object",
            "properties": {"answer": {"type": "string"}},
            "required": ["answer"],
            "additionalProperties": False,
        },
        schema_name="answer",
        output_tokens_max=400,
    )
    return model, metered(memory._desk, model, client=model.client).ask(request)


def choose_model(
    address: ModelAddress | None, *, memory: Memory | None, with_history: bool = False
) -> TurnsLeft:
    """Let the user's settings name a model, or none, and return which turns were left before.

    A model is not asked about what was said before unless `with_history`; the one that was
    asked last goes on with what waited for it.
    """
    keep_model(user_file(), address)
    if memory is None:
        return TurnsLeft()
    desk = memory._desk
    with desk.store.writing() as tables:
        if address is None:
            return paused(tables, desk.choices.filed)
        return chosen(tables, address, with_history=with_history, now_ms=desk.clock())
