"""What every part of the library works with: one project's store, the clock, the names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from backstory.adapters.project import Project
from backstory.adapters.settings import Choices
from backstory.capture.redact import redact
from backstory.consolidate import REVIEW_SETTING, is_review_on
from backstory.model.words import Purpose
from backstory.ports.clock import Clock, NameSource
from backstory.ports.store import Tables
from backstory.store import DegradedStore, SqliteStore

LIBRARY_HOST = "api"
EXPORTS_NAME = "exports"
VIEWS_NAME = "view"


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
    # When it is closed, what waits for a model gets its one try, too.
    asks_model_at_close: bool = False
    env: Mapping[str, str] = field(default_factory=dict)  # says where hosts keep their sessions
    choices: Choices = field(default_factory=Choices)

    @property
    def exports(self) -> Path:
        """Where exports are written."""
        return self.project.state_dir / EXPORTS_NAME

    @property
    def views(self) -> Path:
        """Where JSON views for other programs are written."""
        return self.project.state_dir / VIEWS_NAME

    def taken(self, text: str) -> str:
        """Return a text as it is stored: as it was said, unless secrets are to be left out."""
        return redact(text).text if self.choices.redacts_at_capture else text

    def is_reviewed(self, tables: Tables) -> bool:
        """Whether new items wait: as this program was told, or the project, or the settings."""
        if self.choices.stated.review is not None:
            return self.choices.stated.review
        if tables.meta.setting(REVIEW_SETTING) is not None:
            return is_review_on(tables)
        return bool(self.choices.filed.review)


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
