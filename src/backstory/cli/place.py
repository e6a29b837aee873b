"""Which project a command works on, opened; and what a command is."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backstory.api import Memory, NullMemory, Opening
from backstory.model.errors import UsageError

HOST = "cli"


class IsolatedError(Exception):
    """The purpose is an isolated one: the command does nothing, which is no fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """What every command is told: the project to work on, and how to answer."""

    project: Path | None = None
    as_json: bool = False

    @property
    def folder(self) -> Path:
        """The directory to work on. Raises `UsageError` where there is none."""
        folder = (self.project or Path()).absolute()
        if not folder.exists():
            raise UsageError(f"--project: there is no directory {folder}")
        return folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: what runs, examples for its help, and its JSON where memory is isolated."""

    run: Callable[..., None]
    examples: tuple[str, ...] = ()
    isolated_answer: Any = field(default_factory=lambda: {"isolated": True})


def opening() -> Opening:
    """Return how a command opens memory: it asks no model when it ends, so that nobody waits."""
    return Opening(host=HOST, asks_model_at_close=False)


def opened(invocation: Invocation, *, strict: bool = True) -> Memory | NullMemory:
    """Open the memory of the project that the command is for.

    With `strict` a degraded store is an error, which says what to do; without, it is what
    `status`, `show`, `export`, `doctor` and `clear` look at. Raises `IsolatedError` where the
    purpose is an isolated one.
    """
    memory = opened_or_isolated(invocation, strict=strict)
    report = memory.status() if isinstance(memory, NullMemory) else None
    if report is not None and report.health == "isolated":
        raise IsolatedError(
            f"memory is isolated for {report.purpose}: nothing was read or written. "
            "`backstory purpose` says more."
        )
    return memory


def opened_or_isolated(invocation: Invocation, *, strict: bool = True) -> Memory | NullMemory:
    """Open memory for a command that has an answer of its own where memory is isolated."""
    with warnings.catch_warnings():
        # A command that looks at a degraded store says itself what is wrong.
        warnings.simplefilter("ignore", RuntimeWarning)
        return Memory.open(invocation.folder, strict=strict, opening=opening())
