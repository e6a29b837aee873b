"""Starting a worker in the background, for those who must not wait for it."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from backstory.adapters.locking import LOCK_NAME, is_held
from backstory.adapters.project import Project
from backstory.adapters.system import NO_WINDOW
from backstory.jobs import CALLS_LOOKED_AT, rests_until_ms
from backstory.model.limits import EXTRACT_WAITING_MS
from backstory.model.words import JobKind
from backstory.ports.store import Tables
from backstory.wiring.sources.workplace import Workplace

if TYPE_CHECKING:
    import subprocess

# Jobs that ask a model.
_OF_MODEL = (JobKind.PROPOSE, JobKind.SUMMARIZE)
# Long enough for a turn that waits for company, and for a few calls to a model.
WORKER_SECONDS = 300

Spawn = Callable[[Sequence[str], Path, Mapping[str, str]], None]


def start_worker_if_due(desk: Workplace, *, spawn: Spawn | None = None) -> bool:
    """Start a worker where a job is due, or will be shortly, and no worker is there yet.

    Returns at once, and tells whether one was started. Two that are started at one moment are
    one: the second finds the lock taken and ends. Writes nothing itself.
    """
    now_ms = desk.clock()
    with desk.store.reading() as tables:
        due_at_ms = next_due_ms(
            tables,
            kinds=(JobKind.EXTRACT, JobKind.CONSOLIDATE, JobKind.PROJECT),
            model=desk.choices.model_name if desk.choices.asks_model else None,
            now_ms=now_ms,
        )
    if due_at_ms is None or due_at_ms > now_ms + EXTRACT_WAITING_MS:
        return False
    if is_held(desk.project.state_dir / LOCK_NAME):
        return False
    words = ["work", "--seconds", str(WORKER_SECONDS)]
    start_command(words, project=desk.project, env=desk.env, spawn=spawn)
    return True


def next_due_ms(
    tables: Tables, *, kinds: Sequence[JobKind], model: str | None, now_ms: int
) -> int | None:
    """Return when the next job is due: of these kinds, and of those that ask this model.

    While the model does not answer, what asks it is due when it is asked again.
    """
    of_rules = tables.jobs.next_due_ms(kinds=kinds)
    of_model = None if model is None else tables.jobs.next_due_ms(kinds=_OF_MODEL)
    if model is not None and of_model is not None:
        of_model = max(of_model, rest_of(tables, model=model, now_ms=now_ms) or 0)
    return min((due for due in (of_rules, of_model) if due is not None), default=None)


def rest_of(tables: Tables, *, model: str, now_ms: int) -> int | None:
    """Return when a model that does not answer is asked again, None where it may be asked now."""
    calls = tables.calls.latest(limit=CALLS_LOOKED_AT)
    return rests_until_ms([call for call in calls if call.model == model], now_ms=now_ms)


def start_command(
    words: Sequence[str], *, project: Project, env: Mapping[str, str], spawn: Spawn | None = None
) -> None:
    """Run a command of Backstory on a project in the background, and return at once."""
    # -P: nothing is imported from the directory that the program is started in.
    program = [sys.executable, "-P", "-m", "backstory.cli.app"]
    command = [*program, *words, "--project", str(project.root)]
    (spawn or _spawn)(command, project.state_dir, {**os.environ, **env})


# Those that this process started: looking after them keeps ended ones from staying as zombies.
_STARTED: "list[subprocess.Popen[bytes]]" = []


def _spawn(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
    import subprocess  # noqa: PLC0415 - slow to load, and most hooks start nothing

    _STARTED[:] = [process for process in _STARTED if process.poll() is None]
    started = subprocess.Popen(
        list(command),
        cwd=folder,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=True,
        creationflags=NO_WINDOW,
        start_new_session=True,  # it outlives the terminal and is not interrupted with it
    )
    _STARTED.append(started)
