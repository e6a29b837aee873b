"""What git's hooks start in the background: new commits are read, and nobody is told of it."""

import os

from backstory.adapters.project import find_project
from backstory.adapters.switches import off_for
from backstory.api import Memory
from backstory.cli.place import HOST, Invocation, opened_or_isolated
from backstory.model.words import JobKind
from backstory.wiring.desk import Desk
from backstory.wiring.opening import Opening, open_desk
from backstory.wiring.reader import store_of


def look_for_commits(invocation: Invocation) -> None:
    """Read what git's history has gained, where there is a memory and it is on.

    A hundred commits in a row start a hundred of these: one is at work, and what it did not
    see is done once more after it.
    """
    project = find_project(invocation.folder, env=os.environ)
    if project is None or not store_of(project).exists():
        return
    if off_for(project, "", env=os.environ) is not None:
        return
    desk = open_desk(invocation.folder, purpose=None, opening=Opening(host=HOST))
    if not isinstance(desk, Desk):
        return
    now_ms = desk.clock()
    with desk.store.writing() as tables:
        tables.jobs.enqueue(JobKind.PROJECT, "", due_at_ms=now_ms, now_ms=now_ms)
    desk.store.close()
    from backstory.api.working import run_worker  # noqa: PLC0415 - loads what asks a model

    with opened_or_isolated(invocation, strict=False) as memory:
        if isinstance(memory, Memory):
            run_worker(memory)
