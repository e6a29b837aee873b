"""One structured request to a language model, and the two things that can come of it.

A client sends each request once: retrying is for the worker that runs the job. It offers the
model no tools, keeps no conversation and asks for no reasoning. One suite in tests/contract
proves every adapter of this port.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from backstory.model.job import NO_USAGE, CallPurpose, FailureCause, Usage
from backstory.model.limits import DIAGNOSIS_CHARS_MAX

MODEL_TIMEOUT_MS = 60_000  # requirement: 60 s for a call, all of it
OUTPUT_TOKENS_MAX = 6_000

# What a bounded diagnosis leaves for each part but the body, which gets the rest.
_NAME_CHARS = 200
_MESSAGE_CHARS = 4_000
_CUT = " …(cut)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """What is asked of a model: fixed instructions, the input, and the shape of the reply."""

    purpose: CallPurpose
    system: str
    user: str
    schema: Mapping[str, object]  # JSON schema; every property required, nothing additional
    schema_name: str = "reply"
    output_tokens_max: int = OUTPUT_TOKENS_MAX
    timeout_ms: int = MODEL_TIMEOUT_MS

    @property
    def chars(self) -> int:
        """How long the input is."""
        return len(self.system) + len(self.user)


class Finish(StrEnum):
    """Why a reply ended."""

    STOP = "stop"
    LENGTH = "length"  # cut by the output limit: what is there is a part


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model answered, as text: nothing in it has been read or checked."""

    text: str
    usage: Usage
    model: str
    finish: Finish = Finish.STOP


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What is kept of an error for a person: never the request, a prompt, a header or a key.

    Build one with `bounded_diagnosis`.
    """

    type: str
    message: str
    status: int | None = None
    code: str = ""
    body: str = ""

    def __post_init__(self) -> None:
        """Refuse one that is too long to keep."""
        if len(self.text) > DIAGNOSIS_CHARS_MAX:
            raise ValueError(f"a diagnosis has at most {DIAGNOSIS_CHARS_MAX} characters")

    @property
    def text(self) -> str:
        """All of it, one part a line, as a debugging person sees it."""
        status = "" if self.status is None else str(self.status)
        parts = {"type": self.type, "status": status, "code": self.code}
        lines = [f"{name}: {value}" for name, value in parts.items() if value]
        return "\n".join([*lines, f"message: {self.message}", f"body: {self.body}"])


def bounded_diagnosis(
    *, error_type: str, message: str, status: int | None = None, code: str = "", body: str = ""
) -> Diagnosis:
    """Build a diagnosis within DIAGNOSIS_CHARS_MAX, cutting the body first."""
    named = Diagnosis(
        type=_cut(error_type, _NAME_CHARS),
        message=_cut(message, _MESSAGE_CHARS),
        status=status,
        code=_cut(code, _NAME_CHARS),
    )
    room = DIAGNOSIS_CHARS_MAX - len(named.text)
    return Diagnosis(
        type=named.type,
        message=named.message,
        status=status,
        code=named.code,
        body=_cut(body, room),
    )


def _cut(text: str, chars_max: int) -> str:
    return text if len(text) <= chars_max else text[: chars_max - len(_CUT)] + _CUT


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A call that gave no reply. `cause` decides what is done; `summary` is fit for a person."""

    cause: FailureCause
    summary: str
    diagnosis: Diagnosis
    model: str
    retry_after_ms: int | None = None  # what the server, or our cap, asked us to wait
    usage: Usage = NO_USAGE
    is_sent: bool = True  # False where it failed before anything left this process


Outcome = Reply | Failure


class ModelClient(Protocol):
    """A language model that can be asked."""

    @property
    def model(self) -> str:
        """Its name, "provider:model"."""
        ...

    def ask(self, request: ModelRequest) -> Outcome:
        """Send one request and wait for what comes of it, at most for its timeout.

        Never raises for what a network, a server or a model does.
        """
        ...
