"""Memory: what a user of the library holds."""

import warnings
from pathlib import Path
from types import TracebackType
from typing import Self

from backstory.adapters.project import init_project
from backstory.api.null import BrokenMemory, NullMemory
from backstory.api.telling import Telling
from backstory.model.errors import StoreDegradedError
from backstory.model.words import Purpose
from backstory.wiring.desk import BrokenDesk, Desk, IsolatedDesk
from backstory.wiring.opening import Opening, kept_purpose, open_desk, purpose_named


class Memory(Telling):
    """One project's memory, open for an ordinary purpose.

    Usable from several threads. As a context manager it gives waiting jobs their one try at
    the end and closes the store.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        purpose: Purpose | str | None = None,
        strict: bool = False,
        opening: Opening | None = None,
    ) -> "Memory | NullMemory":
        """Open the memory of the project that `path`, by default the current directory, is in.

        An isolated purpose gets a `NullMemory`, which can neither read nor write. So does a
        project whose store is degraded, after one warning, so that a host goes on without
        memory; with `strict` that raises `StoreDegradedError`. Raises `NoProjectError` where
        there is no project.
        """
        wanted = purpose_named(purpose) if isinstance(purpose, str) else purpose
        desk = open_desk(Path(path or "."), purpose=wanted, opening=opening or Opening())
        match desk:
            case Desk():
                return cls(desk)
            case IsolatedDesk():
                return NullMemory(desk.purpose)
            case BrokenDesk():
                return _broken(desk, strict=strict)

    @classmethod
    def init(cls, path: str | Path, *, opening: Opening | None = None) -> "Memory | NullMemory":
        """Make `path` a project, where it is none yet, and open its memory."""
        opening = opening or Opening()
        init_project(Path(path), env=opening.env)
        return cls.open(path, opening=opening)

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the memory; after an interruption at once, and waiting jobs go on waiting."""
        if kind is not None and not issubclass(kind, Exception):
            self._desk.store.close()
        else:
            self.close()


def isolated_since(memory: Memory) -> Purpose | None:
    """Return the isolated purpose that was set for the project after it was opened, or None.

    For programs that live long: they are to be silent from then on.
    """
    purpose = kept_purpose(memory._desk.store)
    return purpose if purpose is not None and purpose.is_isolated else None


def _broken(desk: BrokenDesk, *, strict: bool) -> BrokenMemory:
    if strict:
        raise StoreDegradedError(desk.store.problem)
    warnings.warn(f"going on without memory: {desk.store.problem}", RuntimeWarning, stacklevel=3)
    return BrokenMemory(desk)
