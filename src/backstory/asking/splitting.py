"""What is done when a batch fails: split it, shrink it, wait, or give it up. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar, assert_never

from backstory.model.job import FailureCause
from backstory.ports.model_client import Failure

T = TypeVar("T")

# A single turn shown in less than this says too little to be judged.
SHOWN_CHARS_MIN = 1_500


@dataclass(frozen=True, slots=True, kw_only=True)
class Split(Generic[T]):
    """Ask about two halves by themselves: one of them is at fault, or the whole is too long."""

    halves: tuple[tuple[T, ...], tuple[T, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shrink:
    """Ask about the same again, showing at most so much of it."""

    chars_max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Nothing is wrong with the batch: try later, when the server or a cap allows."""

    after_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveUp:
    """This one cannot succeed; its failure is kept and the others go on."""


Next: TypeAlias = "Split[T] | Shrink | Wait | GiveUp"


def after_failure(failure: Failure, batch: Sequence[T], *, shown_chars_max: int) -> "Next[T]":
    """Return what to do with a batch whose call failed."""
    match failure.cause:
        case (
            FailureCause.TRANSIENT
            | FailureCause.QUOTA
            | FailureCause.MISCONFIGURED
            | FailureCause.CAPPED
        ):
            return Wait(after_ms=failure.retry_after_ms)
        case FailureCause.TOO_LONG:
            return _shorter(batch, shown_chars_max)
        case FailureCause.INVALID | FailureCause.REFUSED:
            return GiveUp() if len(batch) < 2 else Split(halves=halves_of(batch))
        case never:
            assert_never(never)


def _shorter(batch: Sequence[T], shown_chars_max: int) -> "Next[T]":
    if len(batch) > 1:
        return Split(halves=halves_of(batch))
    smaller = shown_chars_max // 2
    return Shrink(chars_max=smaller) if smaller >= SHOWN_CHARS_MIN else GiveUp()


def halves_of(batch: Sequence[T]) -> tuple[tuple[T, ...], tuple[T, ...]]:
    """Cut a batch of two or more in two, in order, the first half never the shorter."""
    if len(batch) < 2:
        raise ValueError("one cannot be cut in two")
    middle = (len(batch) + 1) // 2
    return tuple(batch[:middle]), tuple(batch[middle:])
