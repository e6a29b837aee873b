"""What every part of the library works with: one project's store, the clock, the names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from backstory.adapters.project import Project
from backstory.model.words import Purpose
from backstory.ports.clock import Clock, NameSource
from backstory.store import DegradedStore, SqliteStore

LIBRARY_HOST = "api"
STORE_NAME = "memory.db"
EXPORTS_NAME = "exports"


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One project's memory, open for an ordinary purpose."""

    project: Project
    store: SqliteStore
    purpose: Purpose
    clock: Clock
    ids: NameSource
    host: str = LIBRARY_HOST  # whose active thread is used where no thread is named
    works_inline: bool = True  # run due jobs right after the write that made them due
    env: Mapping[str, str] = field(default_factory=dict)  # says where hosts keep their sessions

    @property
    def exports(self) -> Path:
        """Where exports are written."""
        return self.project.state_dir / EXPORTS_NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenDesk:
    """One project's memory whose store is degraded: it can be looked at, exported and cleared."""

    project: Project
    store: DegradedStore
    clock: Clock
    ids: NameSource
    host: str = LIBRARY_HOST

    @property
    def exports(self) -> Path:
        """Where exports are written."""
        return self.project.state_dir / EXPORTS_NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class IsolatedDesk:
    """An isolated purpose: there is nothing here that could reach a store."""

    purpose: Purpose
