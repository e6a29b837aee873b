"""Starting a worker in the background, for those who must not wait for it."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from backstory.adapters.locking import LOCK_NAME, is_held
from backstory.model.limits import EXTRACT_WAITING_MS
from backstory.model.words import JobKind
from backstory.wiring.desk import Desk

# Long enough for a turn that waits for company, and for a few calls to a model.
WORKER_SECONDS = 300

Spawn = Callable[[Sequence[str], Path, Mapping[str, str]], None]


def start_worker_if_due(desk: Desk, *, spawn: Spawn | None = None) -> bool:
    """Start a worker where a job is due, or will be shortly, and no worker is there yet.

    Returns at once, and tells whether one was started. Two that are started at one moment are
    one: the second finds the lock taken and ends. Writes nothing itself.
    """
    kinds = [JobKind.EXTRACT, JobKind.CONSOLIDATE]
    if desk.choices.asks_model:
        kinds.append(JobKind.PROPOSE)
    with desk.store.reading() as tables:
        due_at_ms = tables.jobs.next_due_ms(kinds=kinds)
    if due_at_ms is None or due_at_ms > desk.clock() + EXTRACT_WAITING_MS:
        return False
    if is_held(desk.project.state_dir / LOCK_NAME):
        return False
    (spawn or _spawn)(_command(desk), desk.project.state_dir, {**os.environ, **desk.env})
    return True


def _command(desk: Desk) -> list[str]:
    # -P: nothing is imported from the directory that the program is started in.
    program = [sys.executable, "-P", "-m", "backstory.cli.app", "work"]
    return [*program, "--seconds", str(WORKER_SECONDS), "--project", str(desk.project.root)]


def _spawn(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> None:
    subprocess.Popen(
        list(command),
        cwd=folder,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=True,
        start_new_session=True,  # it outlives the terminal and is not interrupted with it
    )
