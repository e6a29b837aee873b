"""Whether Backstory works in an agent: its installed hooks, run in a project of their own."""

import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from backstory.adapters.installing.commands import Installed, installed_for
from backstory.adapters.installing.entries import Site
from backstory.adapters.installing.hosts import is_present
from backstory.adapters.installing.notes import is_folder_trusted, passed_over, switched_off
from backstory.adapters.installing.trial import Told, call, events_of
from backstory.adapters.switches import machine_file
from backstory.api import Memory, Opening
from backstory.model.errors import BackstoryError
from backstory.model.words import Kind
from backstory.wiring.by_hand import Note

# What each finding means, and what a person can do about it.
ADVICE: Mapping[str, tuple[str, str]] = {
    "agent-not-installed": ("nothing is entered in its settings", "backstory install {host}"),
    "agent-file-broken": ("a settings file cannot be read", "mend the file; the agent needs it"),
    "agent-program-gone": (
        "its settings name a program that is not there",
        "enter the present one: backstory install {host}",
    ),
    "agent-hooks-off": (
        "its own settings keep hooks from running",
        "change that setting, or do without hooks there",
    ),
    "agent-not-reviewed": (
        "Codex runs no hook that you have not reviewed",
        "start `codex` in a terminal: it says that hooks need review; look and trust them there",
    ),
    "agent-not-trusted": (
        "Codex reads a project's files only where you trust its folder",
        "start `codex` in this folder, and say that you trust it",
    ),
    "agent-memory-off": ("memory is off on this machine", "backstory on --machine"),
    "agent-bad-answer": (
        "a hook gives an answer that the agent would not take",
        "enter it anew: backstory install {host}; report it if that does not help",
    ),
    "agent-not-recorded": (
        "a prompt was not recorded",
        "run `backstory purpose` and `backstory status`: memory may be isolated, off or locked",
    ),
    "agent-not-shown": (
        "what is remembered was not shown",
        "run `backstory purpose` and `backstory status`: memory may be isolated, off or slow",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong in one agent."""

    slug: str
    subject: str

    @property
    def meaning(self) -> str:
        """What it means."""
        return ADVICE[self.slug][0]

    def advice(self, host: str) -> str:
        """What to do about it."""
        return ADVICE[self.slug][1].format(host=host)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What came of trying an agent. Without hooks it was not tried; it may be so on purpose."""

    host: str
    scope: str
    is_installed: bool
    faults: tuple[Fault, ...] = ()
    milliseconds: int = 0  # that the prompt waited for its hook

    @property
    def is_well(self) -> bool:
        """Whether it is installed, and nothing is wrong."""
        return self.is_installed and not self.faults


def tried(host: str, site: Site, *, is_named: bool) -> list[Tried]:
    """Try an agent with the user's settings, and with the project's where there are some.

    One that is in use and has no entry is told; it is a fault only where it was asked for.
    """
    found: list[Tried] = []
    for scope, place in (("user", replace(site, project=None)), ("project", site)):
        installed = installed_for(host, place)
        is_there = scope == "user" or site.project is not None
        if is_there and (installed.hooks or installed.broken):
            found.append(_tried(host, place, installed=installed, scope=scope))
    if not found and (is_named or is_present(host, site)):
        fault = Fault(slug="agent-not-installed", subject=host)
        faults = (fault,) if is_named else ()
        found.append(Tried(host=host, scope="", is_installed=False, faults=faults))
    return found


def _tried(host: str, site: Site, *, installed: Installed, scope: str) -> Tried:
    faults = [*_obstacles(host, site, installed=installed)]
    took = 0
    if installed.hooks and not any(fault.slug == "agent-program-gone" for fault in faults):
        more, took = _end_to_end(host, installed)
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
        yield Fault(slug="agent-not-reviewed", subject=", ".join(hooks))


def _end_to_end(host: str, installed: Installed) -> tuple[list[Fault], int]:
    """Let the hooks record a word and show another one, in a project that goes afterwards."""
    said, known = secrets.token_hex(6), secrets.token_hex(6)
    with tempfile.TemporaryDirectory(prefix="backstory-doctor-") as folder:
        project = _a_project(Path(folder).resolve() / "trial")
        try:
            _remember(project, known)
            answers = _answers(host, installed, project=project, prompt=f"About {known}, {said}?")
            is_recorded = _is_recorded(project, said)
        except BackstoryError as error:
            return [Fault(slug="agent-not-recorded", subject=str(error))], 0
    faults = [
        Fault(slug="agent-bad-answer", subject=f"{event}: {told.fault}")
        for event, told in answers.items()
        if told.fault
    ]
    if not is_recorded:
        faults.append(Fault(slug="agent-not-recorded", subject="the trial's prompt"))
    is_shown = any(known in told.context for told in answers.values())
    if is_recorded and not faults and not is_shown and host != "windsurf":
        faults.append(Fault(slug="agent-not-shown", subject="the trial's item"))
    last = answers.get(events_of(host)[1], Told())
    return faults, last.milliseconds


def _answers(host: str, installed: Installed, *, project: Path, prompt: str) -> Mapping[str, Told]:
    return {
        event: call(host, event, words=installed.hooks[event], project=project, prompt=prompt)
        for event in events_of(host)
        if event in installed.hooks
    }


def _a_project(folder: Path) -> Path:
    """Make what is a git repository for Backstory; git need not be there for it."""
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return folder


def _remember(project: Path, word: str) -> None:
    statement = f"The trial of {word} is remembered."
    with Memory.open(project, opening=_opening()) as memory:
        memory.add_item(Note(kind=Kind.PROJECT_FACT, title=f"Trial {word}", statement=statement))


def _is_recorded(project: Path, word: str) -> bool:
    with Memory.open(project, opening=_opening()) as memory:
        return word in memory.export(project / "told.json").read_text(encoding="utf-8")


def _opening() -> Opening:
    # The trial's own memory is an ordinary one, whatever this shell is for.
    env = {key: value for key, value in os.environ.items() if not key.startswith("BACKSTORY_")}
    return Opening(host="doctor", works_inline=False, env=env)
