"""Whether an agent, run by itself, gives its model what the hooks of Backstory answer."""

from dataclasses import dataclass
from pathlib import Path

from backstory.adapters.installing.changes import installing
from backstory.adapters.installing.entries import Site
from backstory.adapters.installing.hosts import entries_for
from backstory.adapters.installing.writing import write_all
from backstory.adapters.locking import LOCK_NAME, WorkerLock
from backstory.adapters.project import require_project
from backstory.adapters.rehearsal.agents import (
    Runnable,
    make_home,
    program_of,
    run_session,
    runnable,
)
from backstory.adapters.rehearsal.listening import listening
from backstory.adapters.system import system_clock
from backstory.cli.commands.agents.faults import Fault
from backstory.cli.commands.agents.trial_project import TrialProject, trial_project


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """What came of running an agent: what is wrong, or why nothing can be said of it."""

    faults: tuple[Fault, ...] = ()
    obstacle: str = ""


def rehearsed(host: str, site: Site) -> Rehearsal | None:
    """Run an agent of this machine once, or return None where it cannot run without a person.

    Its home is one that goes afterwards, with the hooks that installing enters and nothing of
    the user's; its model is this program. So no word of it leaves the machine, nothing is paid
    for, and its history shows nothing.
    """
    agent = runnable(host)
    program = None if agent is None else program_of(agent)
    if agent is None or program is None:
        return None
    with trial_project() as trial:
        home = trial.root.parent / "home"
        make_home(agent, home)
        _install(host, home, site=site)
        lock = WorkerLock(require_project(trial.root, env={}).state_dir / LOCK_NAME)
        lock.take(now_ms=system_clock())  # no hook starts a worker that would outlive the trial
        try:
            return _judged(agent, program, trial=trial, home=home)
        finally:
            lock.release()


def _install(host: str, home: Path, *, site: Site) -> None:
    place = Site(
        home=home,
        env={},
        project=None,
        program=site.program,
        has_mcp=False,
        launcher=site.launcher,
    )
    copies = home / "copies"
    write_all(installing(entries_for(host, place), copies=copies), copies=copies)


def _judged(agent: Runnable, program: str, *, trial: TrialProject, home: Path) -> Rehearsal:
    with listening(agent.wire, said="Understood.") as model:
        complaint = run_session(
            agent,
            program,
            asked=trial.prompt,
            home=home,
            project=trial.root,
            model_url=model.url,
        )
        sent = [body for body in model.sent if trial.prompt in body]
    if complaint or not sent:
        return Rehearsal(obstacle=complaint or "it did not ask its model")
    faults = []
    if not any(trial.remembered in body for body in sent):
        faults.append(Fault(slug="agent-not-passed-on", subject=program))
    if not trial.is_recorded():
        faults.append(
            Fault(slug="agent-not-recorded", subject="the prompt of a session by itself")
        )
    return Rehearsal(faults=tuple(faults))
