"""What a desk and what a hook holds have in common, in a module that no prompt loads."""

from collections.abc import Mapping
from typing import Protocol

from backstory.adapters.project import Project
from backstory.adapters.settings import Choices
from backstory.ports.clock import Clock
from backstory.store import SqliteStore


class Workplace(Protocol):
    """What a desk and what a hook holds have in common, for what serves both."""

    @property
    def project(self) -> Project:
        """The project."""

    @property
    def store(self) -> SqliteStore:
        """Its store."""

    @property
    def choices(self) -> Choices:
        """What the settings say."""

    @property
    def clock(self) -> Clock:
        """What time it is."""

    @property
    def env(self) -> Mapping[str, str]:
        """Where hosts and the home directory are, and what a worker finds in its environment."""
