"""A project with a memory of its own, in which an agent is tried and which goes afterwards."""

import os
import secrets
import string
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from backstory.api import Memory, Opening
from backstory.model.words import Kind
from backstory.wiring.by_hand import Note

_WORD_CHARS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialProject:
    """The project, and a word that nobody has said: where it turns up is where it went."""

    root: Path
    word: str

    @property
    def remembered(self) -> str:
        """What is remembered, which nothing but memory can tell an agent."""
        return f"The trial of {self.word} is remembered."

    @property
    def prompt(self) -> str:
        """What is asked."""
        return f"What do you know of the trial of {self.word}?"

    def is_recorded(self) -> bool:
        """Whether the prompt is in the project's memory."""
        with Memory.open(self.root, opening=_opening()) as memory:
            return self.prompt in memory.export(self.root / "told.json").read_text(
                encoding="utf-8"
            )


@contextmanager
def trial_project() -> Iterator[TrialProject]:
    """Make a project that remembers one thing, and remove it with all that is in it."""
    # Whatever an agent started may still be writing there for a moment.
    with tempfile.TemporaryDirectory(
        prefix="backstory-doctor-", ignore_cleanup_errors=True
    ) as folder:
        root = Path(folder).resolve() / "trial"
        # To Backstory this is a git repository; git need not be there for it.
        for name in ("objects", "refs"):
            (root / ".git" / name).mkdir(parents=True)
        (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        trial = TrialProject(root=root, word=_a_word())
        title, fact = f"Trial {trial.word}", Kind.PROJECT_FACT
        with Memory.open(root, opening=_opening()) as memory:
            memory.add_item(Note(kind=fact, title=title, statement=trial.remembered))
        yield trial


def _a_word() -> str:
    # Letters alone: what mixes them with digits is searched for by its parts.
    return "".join(secrets.choice(string.ascii_lowercase) for _ in range(_WORD_CHARS))


def _opening() -> Opening:
    # The trial's own memory is an ordinary one, whatever this shell is for.
    env = {key: value for key, value in os.environ.items() if not key.startswith("BACKSTORY_")}
    return Opening(host="doctor", works_inline=False, env=env)
