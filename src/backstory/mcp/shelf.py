"""The project's memory as the server holds it: opened when it is first asked for."""

import os
import threading
import warnings
from collections.abc import Mapping
from pathlib import Path

from backstory.adapters.project import find_project
from backstory.adapters.switches import off_for
from backstory.api import Memory, NullMemory, Opening
from backstory.model.recall import TurnHit
from backstory.model.words import Purpose, Role

HOST = "mcp"
_SEARCHED = 10


class Shelf:
    """One project's memory for many calls, each in a thread of its own.

    Between calls nothing is open but connections: no transaction, no lock.
    """

    def __init__(self, folder: Path, *, env: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._env = dict(os.environ if env is None else env)
        self._lock = threading.Lock()
        self._memory: Memory | NullMemory | None = None

    def memory(self) -> Memory | NullMemory:
        """Return memory; one that holds nothing where it is off, isolated or broken.

        Raises `NoProjectError` where the server runs in no project.
        """
        project = find_project(self._folder, env=self._env)
        if off_for(project, self._env.get("CLAUDE_CODE_SESSION_ID", ""), env=self._env):
            return NullMemory(Purpose.CODING)
        with self._lock, warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # status tells what is wrong
            if self._memory is None or isinstance(self._memory, NullMemory):
                opening = Opening(host=HOST, env=self._env)
                self._memory = Memory.open(self._folder, opening=opening)
            return self._memory

    def close(self) -> None:
        """Let go of the store; what waits is done by whoever comes next."""
        if self._memory is not None:
            self._memory.close()


def proves(hits: tuple[TurnHit, ...], words: str) -> bool:
    """Whether a user said exactly these words, line breaks aside."""
    wanted = " ".join(words.split())
    users = [" ".join(hit.excerpt.split()) for hit in hits if hit.role is Role.USER]
    return bool(wanted) and any(wanted in said for said in users)


def is_said(memory: Memory | NullMemory, words: str) -> bool:
    """Whether the user said these words in a conversation that is recorded here."""
    return proves(memory.search(words, limit=_SEARCHED), words)
