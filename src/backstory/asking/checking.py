"""One question, one reading and at most one repair turn that tells what was wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from backstory.asking.fences import Part, fenced
from backstory.capture.redact import redact
from backstory.model.job import FailureCause
from backstory.ports.model_client import (
    Failure,
    Finish,
    ModelClient,
    ModelRequest,
    Outcome,
    Reply,
    bounded_diagnosis,
)

T = TypeVar("T")

PROBLEMS_TOLD_MAX = 12
_PROBLEM_CHARS_MAX = 300
# What of its first reply a model is shown again.
_SHOWN_REPLY_CHARS_MAX = 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Generic[T]):
    """What could be read of a reply, and what was wrong with the rest.

    `value` is None where nothing could be read. `problems` are sentences for the model: each
    names what is wrong and what would be right.
    """

    value: T | None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Generic[T]):
    """A reply that was read, at the first or the second try."""

    value: T
    problems: tuple[str, ...]  # what stayed wrong and is left out
    model: str
    is_repaired: bool = False


def ask_checked(
    client: ModelClient, request: ModelRequest, *, read: Callable[[str], Reading[T]]
) -> Answered[T] | Failure:
    """Ask, read, and where something is wrong ask once more with the reasons.

    The better of the two readings counts, so a repair turn never makes a reply worse. A reply
    that the output limit cut is a failure as TOO_LONG: what is left of it may mislead.
    """
    first = _whole(client.ask(request))
    if isinstance(first, Failure):
        return first
    reading = read(first.text)
    if reading.value is not None and not reading.problems:
        return Answered(value=reading.value, problems=(), model=first.model)
    second = _whole(client.ask(repair_request(request, first.text, problems=reading.problems)))
    nothing: Reading[T] = Reading(value=None)
    repaired = read(second.text) if isinstance(second, Reply) else nothing
    if repaired.value is not None and not _is_better(reading, repaired):
        return Answered(
            value=repaired.value, problems=repaired.problems, model=first.model, is_repaired=True
        )
    if reading.value is not None:
        return Answered(value=reading.value, problems=reading.problems, model=first.model)
    # A repair that did not come about says nothing about the batch; one that did, does.
    return second if isinstance(second, Failure) else _invalid(first, reading.problems)


def _is_better(first: Reading[T], second: Reading[T]) -> bool:
    return first.value is not None and len(first.problems) <= len(second.problems)


def _whole(outcome: Outcome) -> Outcome:
    """Return a reply that was not cut, or the failure."""
    if isinstance(outcome, Failure) or outcome.finish is Finish.STOP:
        return outcome
    return Failure(
        cause=FailureCause.TOO_LONG,
        summary="the reply was cut by the output limit",
        diagnosis=bounded_diagnosis(error_type="Cut", message="the reply was cut"),
        model=outcome.model,
        usage=outcome.usage,
    )


def _invalid(reply: Reply, problems: Sequence[str]) -> Failure:
    return Failure(
        cause=FailureCause.INVALID,
        summary="the reply could not be read, nor could its repair",
        diagnosis=bounded_diagnosis(
            error_type="Unreadable", message="; ".join(problems), body=reply.text
        ),
        model=reply.model,
        usage=reply.usage,
    )


def repair_request(
    request: ModelRequest, reply_text: str, *, problems: Sequence[str]
) -> ModelRequest:
    """Return the request again, with the reply that was wrong and the reasons."""
    told = [problem[:_PROBLEM_CHARS_MAX] for problem in problems[:PROBLEMS_TOLD_MAX]]
    parts = [
        # A model may guess a secret that it was not shown; it goes back no more than it went out.
        Part(label="your reply", text=redact(reply_text[:_SHOWN_REPLY_CHARS_MAX]).text),
        Part(
            label="what is wrong with it",
            text=redact("\n".join(f"- {problem}" for problem in told)).text,
        ),
    ]
    again = (
        "Your reply to this could not be used as it is. Reply again with all of the JSON, put"
        " right; leave out what cannot be put right.\n\n"
    )
    return replace(request, user=f"{request.user}\n\n{again}{fenced(parts)}")
