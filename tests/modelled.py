"""Memories with a model, for tests: what it is asked is scripted, what becomes of it is real."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backstory import Memory
from backstory.adapters.models.scripted import ScriptedClient, Step
from backstory.adapters.spending import NO_CAPS, Caps
from backstory.model.job import CallPurpose
from backstory.model.limits import SECOND_MS
from backstory.model.words import Kind
from backstory.ports.model_client import ModelRequest
from backstory.wiring.opening import Opening
from backstory.wiring.work.clients import AskedModel
from backstory.wiring.work.worker import Shift, Worker
from model_servers import Answer
from projects import a_project
from recorded import SettableClock

NOW_MS = 1_700_000_000_000
ENV = {"BACKSTORY_MODEL_NAME": "ollama:scripted"}


def a_memory(
    folder: Path, *, clock: SettableClock | None = None, env: dict[str, str] | None = None
) -> Memory:
    """Open the memory of a project whose settings name a model, making the project at first."""
    root = folder / "shop"
    if not root.exists():
        a_project(root)
    opening = Opening(clock=clock or SettableClock(NOW_MS), env=ENV if env is None else env)
    memory = Memory.open(root, opening=opening)
    assert isinstance(memory, Memory)
    return memory


class Passing(threading.Event):
    """What a worker waits with: the time passes at once, until so much of it has passed."""

    def __init__(self, clock: SettableClock, *, lasts_ms: int | None = None) -> None:
        super().__init__()
        self._clock = clock
        self._ends_ms = None if lasts_ms is None else clock() + lasts_ms

    def wait(self, timeout: float | None = None) -> bool:
        """Let the clock tell the end of the wait."""
        self._clock.advance(round((timeout or 0) * SECOND_MS) + 1)
        if self._ends_ms is not None and self._clock() >= self._ends_ms:
            self.set()
        return self.is_set()


def say(memory: Memory, *exchanges: tuple[str, str]) -> None:
    """Let a person say this and see these answers; the rules read it at once."""
    for text, answer in exchanges:
        memory.complete_turn(memory.begin_turn(text), answer)


def worker_of(
    memory: Memory, client: ScriptedClient, *, caps: Caps = NO_CAPS, **fields: Any
) -> Worker:
    """Return the worker of a memory, which asks this client."""
    return Worker(memory._desk, model=AskedModel(client=client, caps=caps), **fields)


def worked(
    memory: Memory, client: ScriptedClient, *, caps: Caps = NO_CAPS, seconds: float = 1
) -> Shift:
    """Run what is due with a model."""
    return worker_of(memory, client, caps=caps).run(seconds=seconds)


def a_proposal(
    statement: str,
    *,
    kind: Kind = Kind.PROJECT_DECISION,
    quote: str = "",
    turn: str = "T1",
    role: str = "user",
    **fields: Any,
) -> dict[str, Any]:
    """One candidate as a model writes it; the quote is the statement unless told."""
    quotes = [{"turn": turn, "role": role, "text": quote or statement}]
    given = {"kind": kind.value, "intent": "assert", "title": "", "quotes": quotes}
    return {"statement": statement, **(given | fields)}


def a_reply(*candidates: dict[str, Any], summary: str = "They speak about the shop.") -> str:
    """What a model answers in stage 1."""
    return json.dumps({"summary": summary, "candidates": list(candidates)}, ensure_ascii=False)


def by_purpose(
    extract: Step, consolidate: Step = '{"operations": []}'
) -> Callable[[ModelRequest], Any]:
    """Play one step for stage 1 and another for stage 2."""

    def step(request: ModelRequest) -> Any:
        chosen = extract if request.purpose is CallPurpose.EXTRACT else consolidate
        return chosen(request) if callable(chosen) else chosen

    return step


def statements(memory: Memory) -> list[str]:
    """What is remembered now, oldest first."""
    return [item.revision.statement for item in memory.list()]


def playing_forever() -> Answer:
    """What a server sends that never comes to an end, until it is released."""
    return Answer(b"{", stalls=True)
