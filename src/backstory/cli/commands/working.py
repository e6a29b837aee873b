"""`backstory work`: doing what waits, once or for a while."""

from typing import Annotated

import typer

from backstory.api import Memory
from backstory.cli.commands.agents.hinting import look_for_commits
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, counted, print_json
from backstory.speaking import said


def work(
    invocation: Invocation,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try again what was given up, too.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", min=0, metavar="N", help="Go on with what becomes due in N s."),
    ] = None,
    commits: Annotated[
        bool, typer.Option("--commits", hidden=True, help="As a git hook calls it.")
    ] = False,
) -> None:
    """Do what waits: read new turns, ask the model, bring memory up to date.

    Without `--seconds` every waiting job gets one try, within a minute. One worker is at work
    in a project at a time; SIGTERM ends it, and what it was doing is done later.
    """
    if commits:
        look_for_commits(invocation)
        return
    from backstory.api.working import run_worker  # noqa: PLC0415 - loads what asks a model

    with opened(invocation) as memory:
        assert isinstance(memory, Memory)
        revived = memory.revive() if retry else 0
        shift = run_worker(memory, seconds=seconds)
        jobs = memory.status().jobs
    left = sum(1 for job in jobs if job.state == "open")
    done, failed = shift.ran.done, shift.ran.total - shift.ran.done
    if invocation.as_json:
        told = {"done": done, "failed": failed, "left": left, "elsewhere": shift.is_elsewhere}
        print_json(told)
        return
    screen = Screen()
    if shift.is_elsewhere:
        screen.line(said("Another worker is at work in this project."))
        return
    jobs_done = counted(done, "job")
    if revived:
        jobs_done = said(f"{jobs_done} done, {revived} of them once more")
    else:
        jobs_done = said(f"{jobs_done} done")
    screen.line(said(f"{jobs_done}, {failed} failed, {left} left."))


COMMANDS = {
    "work": Command(run=work, examples=("backstory work", "backstory work --seconds 300")),
}
