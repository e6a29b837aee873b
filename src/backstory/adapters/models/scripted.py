"""A model that plays what it was given, in order, and records what it was asked.

For tests and examples: nothing leaves the process. What may stand in the script is in `Step`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from backstory.model.job import FailureCause, Usage
from backstory.ports.model_client import (
    Failure,
    Finish,
    ModelRequest,
    Outcome,
    Reply,
    bounded_diagnosis,
)

# A reply's text, a failure's cause, a ready outcome, or a function of the request that gives one.
Step = str | FailureCause | Outcome | Callable[[ModelRequest], "str | FailureCause | Outcome"]

# English and Chinese text have between 1 and 4 characters a token in current tokenisers.
_CHARS_PER_TOKEN = 3


@dataclass(slots=True)
class ScriptedClient:
    """Plays its steps in order; when they are used up, the last one again.

    Without steps it fails as a server that cannot be reached does.
    """

    steps: Sequence[Step] = ()
    model: str = "scripted:model"
    requests: list[ModelRequest] = field(default_factory=list)

    def ask(self, request: ModelRequest) -> Outcome:
        """Record the request and play the next step."""
        self.requests.append(request)
        if not self.steps:
            return self._outcome(FailureCause.TRANSIENT, request)
        step = self.steps[min(len(self.requests), len(self.steps)) - 1]
        return self._outcome(step(request) if callable(step) else step, request)

    def _outcome(self, step: str | FailureCause | Outcome, request: ModelRequest) -> Outcome:
        if isinstance(step, Reply | Failure):
            return step
        if isinstance(step, FailureCause):
            return scripted_failure(step, model=self.model)
        return self._reply(step, request)

    def _reply(self, text: str, request: ModelRequest) -> Reply:
        chars_max = request.output_tokens_max * _CHARS_PER_TOKEN
        usage = Usage(
            tokens_in=request.chars // _CHARS_PER_TOKEN,
            tokens_out=min(len(text), chars_max) // _CHARS_PER_TOKEN,
        )
        finish = Finish.LENGTH if len(text) > chars_max else Finish.STOP
        return Reply(text=text[:chars_max], usage=usage, model=self.model, finish=finish)


def scripted_failure(
    cause: FailureCause, *, model: str = "scripted:model", retry_after_ms: int | None = None
) -> Failure:
    """Return a failure of a cause, as a server might have given it."""
    return Failure(
        cause=cause,
        summary=f"the script says {cause.value}",
        diagnosis=bounded_diagnosis(error_type="Scripted", message=cause.value),
        model=model,
        retry_after_ms=retry_after_ms,
    )


def playing(steps: Iterable[Step]) -> ScriptedClient:
    """Return a client that plays these steps."""
    return ScriptedClient(steps=tuple(steps))
