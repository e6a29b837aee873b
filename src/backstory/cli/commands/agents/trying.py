"""Whether Backstory works in an agent: its installed hooks, run in a project of their own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from backstory.adapters.installing.commands import Installed, installed_for
from backstory.adapters.installing.entries import Site
from backstory.adapters.installing.hosts import is_present
from backstory.adapters.installing.notes import is_folder_trusted, passed_over, switched_off
from backstory.adapters.installing.trial import Told, call, events_of
from backstory.adapters.switches import machine_file
from backstory.cli.commands.agents.faults import Fault
from backstory.cli.commands.agents.rehearsing import Rehearsal, rehearsed
from backstory.cli.commands.agents.trial_project import TrialProject, trial_project
from backstory.model.errors import BackstoryError


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What came of trying an agent. Without hooks it was not tried; it may be so on purpose."""

    host: str
    scope: str
    is_installed: bool
    faults: tuple[Fault, ...] = ()
    milliseconds: int = 0  # that the prompt waited for its hook
    rehearsal: Rehearsal | None = None  # None where the agent itself was not run

    @property
    def is_well(self) -> bool:
        """Whether it is installed, and nothing is wrong."""
        return self.is_installed and not self.faults


def tried(host: str, site: Site, *, is_named: bool, runs: bool) -> list[Tried]:
    """Try an agent with the user's settings, and with the project's where there are some.

    One that is in use and has no entry is told; it is a fault only where it was asked for.
    Where it has hooks and `runs`, the agent itself is run once.
    """
    found: list[Tried] = []
    for scope, place in (("user", replace(site, project=None)), ("project", site)):
        installed = installed_for(host, place)
        is_there = scope == "user" or site.project is not None
        if is_there and (installed.hooks or installed.broken):
            found.append(_tried(host, place, installed=installed, scope=scope))
    if not found and (is_named or is_present(host, site)):
        fault = Fault(slug="agent-not-installed", subject="yours or this project's")
        faults = (fault,) if is_named else ()
        found.append(Tried(host=host, scope="", is_installed=False, faults=faults))
    if runs and any(one.is_installed for one in found):
        rehearsal = rehearsed(host, site)
        more = () if rehearsal is None else rehearsal.faults
        found[-1] = replace(found[-1], faults=(*found[-1].faults, *more), rehearsal=rehearsal)
    return found


def _tried(host: str, site: Site, *, installed: Installed, scope: str) -> Tried:
    faults = [*_obstacles(host, site, installed=installed)]
    took = 0
    if installed.hooks and not any(fault.slug == "agent-program-gone" for fault in faults):
        more, took = _replayed(host, installed)
        faults += more
    return Tried(
        host=host, scope=scope, is_installed=True, faults=tuple(faults), milliseconds=took
    )


def _obstacles(host: str, site: Site, *, installed: Installed) -> Iterator[Fault]:
    for told in installed.broken:
        yield Fault(slug="agent-file-broken", subject=told)
    if installed.missing:
        yield Fault(slug="agent-program-gone", subject=installed.missing)
    for told in switched_off(host, site):
        yield Fault(slug="agent-hooks-off", subject=told)
    if host == "codex" and installed.hooks:
        yield from _unreviewed(site)
    if machine_file().exists():
        yield Fault(slug="agent-memory-off", subject=str(machine_file()))


def _unreviewed(site: Site) -> Iterator[Fault]:
    if not is_folder_trusted(site):
        yield Fault(slug="agent-not-trusted", subject=str(site.project))
    hooks = passed_over(site)
    if hooks:
        yield Fault(slug="agent-not-reviewed", subject="; ".join(hooks))


def _replayed(host: str, installed: Installed) -> tuple[list[Fault], int]:
    """Let the hooks record a word and show another one, in a project that goes afterwards."""
    try:
        with trial_project() as trial:
            answers = _answers(host, installed, trial=trial)
            is_recorded = trial.is_recorded()
    except BackstoryError as error:
        return [Fault(slug="agent-not-recorded", subject=str(error))], 0
    faults = [
        Fault(slug="agent-bad-answer", subject=f"{event}: {told.fault}")
        for event, told in answers.items()
        if told.fault
    ]
    if not is_recorded:
        faults.append(Fault(slug="agent-not-recorded", subject="the trial's prompt"))
    is_shown = any(trial.word in told.context for told in answers.values())
    if is_recorded and not faults and not is_shown and host != "windsurf":
        faults.append(Fault(slug="agent-not-shown", subject="the trial's item"))
    last = answers.get(events_of(host)[1], Told())
    return faults, last.milliseconds


def _answers(host: str, installed: Installed, *, trial: TrialProject) -> Mapping[str, Told]:
    return {
        event: call(
            host, event, words=installed.hooks[event], project=trial.root, prompt=trial.prompt
        )
        for event in events_of(host)
        if event in installed.hooks
    }
