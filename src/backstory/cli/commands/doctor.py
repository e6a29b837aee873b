"""`backstory doctor`: looking everything over, and saying what to do."""

import os
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from backstory.adapters.installing.entries import Site
from backstory.adapters.installing.hosts import hosts
from backstory.adapters.project import find_project
from backstory.cli.commands.agents.installing import site_of
from backstory.cli.commands.agents.rehearsing import Rehearsal
from backstory.cli.commands.agents.trying import Tried, tried
from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, colon, joined, one_line, print_json
from backstory.model.errors import UsageError
from backstory.speaking import retold, said
from backstory.store import Finding

# What each finding means, and what a person can do about it.
ADVICE: Mapping[str, tuple[str, str]] = {
    "unsafe-sqlite": (
        "this SQLite can lose commits",
        "install a newer one: pip install --upgrade apsw",
    ),
    "open-to-others": (
        "other people of this machine can read it",
        "take their rights away: chmod -R go-rwx on the directory of the store",
    ),
    "log-grows": (
        "a program holds the store open, so that its log cannot be emptied",
        "end programs that use memory and hang; the next change then empties the log",
    ),
    "degraded": (
        "the store cannot be used",
        "save what can be read with `backstory export`, then `backstory clear --confirm`",
    ),
    "index-corrupt": (
        "the file is damaged",
        "save what can be read with `backstory export`, then `backstory clear --confirm`",
    ),
    "dangling-row": (
        "a row names another that is not there",
        "save what there is with `backstory export`, and report it: this should not happen",
    ),
    "meta-missing": (
        "the row about the store itself is missing",
        "save what can be read with `backstory export`, then `backstory clear --confirm`",
    ),
    "unproved-item": (
        "an item has nothing that proves it",
        "look at it with `backstory show`; forget it, or edit it to make it yours",
    ),
    "misquoted-item": (
        "an item quotes words that are not where it says",
        "look at it with `backstory show`; forget it, or say it anew",
    ),
    "dead-job": (
        "work was given up after many tries",
        "`backstory status` shows the last error; `backstory work --retry` tries again",
    ),
    "unreadable": (
        "this could not be checked",
        "see the problem that `backstory status` names",
    ),
    "index-differs": (
        "an item is not found by its own words",
        "build the index anew: backstory reindex",
    ),
    "tracked-by-git": (
        "git tracks a file of memory, which would be published and merged",
        "take it out of git: git rm --cached on it, and commit",
    ),
}
_Hosts = Annotated[
    list[str] | None,
    typer.Argument(metavar="HOST", help=f"{', '.join(hosts())}. Default: memory and all of them."),
]
_Runs = Annotated[
    bool | None,
    typer.Option("--run/--no-run", help="Start the agents themselves. Default: those named."),
]
# Whose subject is a sentence of ours; of the others it is a name, a path or a title.
_IN_OUR_WORDS = frozenset({"unsafe-sqlite", "degraded", "dangling-row", "meta-missing"})
_IN_OUR_WORDS |= {"unreadable", "log-grows"}
_UNKNOWN = ("", "see docs/how-to/recover-a-store.md")


def doctor(invocation: Invocation, host: _Hosts = None, runs: _Runs = None) -> None:
    """Look memory over, and say what to do about what is wrong.

    It reads everything and changes nothing; a damaged store is looked over, too. In each agent
    it is installed for, the very hooks that are entered are run in a project made for it, with
    a prompt as that agent sends it. With names, only these agents are tried, and those that can
    run without a person (claude-code, codex, gemini, copilot) are run, too: in a home of its own,
    with this program as their model, so that nothing is sent anywhere and nothing paid for. The
    exit code is 1 where something is wrong.
    """
    _refuse_unknown(host or [])
    names, is_named = host or hosts(), bool(host)
    is_run = is_named if runs is None else runs
    site = _site(invocation)
    agents = [one for name in names for one in tried(name, site, is_named=is_named, runs=is_run)]
    report, findings = None, tuple[Finding, ...]()
    if not host:
        with opened(invocation, strict=False) as memory:
            report, findings = memory.status(), memory.check()
    if invocation.as_json:
        health = {} if report is None else {"health": report.health, "problem": report.problem}
        rows = [_finding_row(finding) for finding in findings]
        print_json({**health, "findings": rows, "agents": [_agent_row(one) for one in agents]})
    else:
        _tell(Screen(), findings, agents=agents)
    if findings or any(one.faults for one in agents):
        raise typer.Exit(1)


COMMANDS = {
    "doctor": Command(
        run=doctor,
        examples=("backstory doctor", "backstory doctor claude-code", "backstory doctor --run"),
        isolated_answer={"health": "isolated", "findings": [], "agents": []},
    )
}


def _run_row(rehearsal: Rehearsal | None) -> dict[str, object] | None:
    """Return what came of running the agent itself; null where it was not."""
    if rehearsal is None:
        return None
    works = None if rehearsal.obstacle else not rehearsal.faults
    return {"works": works, "obstacle": rehearsal.obstacle}


def _refuse_unknown(names: list[str]) -> None:
    unknown = [name for name in names if name not in hosts()]
    if unknown:
        raise UsageError(f"{unknown[0]!r} is no agent; there are {joined(hosts())}")


def _site(invocation: Invocation) -> Site:
    project = find_project(invocation.folder, env=os.environ)
    return site_of(invocation, "user" if project is None else "project", has_mcp=True)


def _tell(screen: Screen, findings: Sequence[Finding], *, agents: Sequence[Tried]) -> None:
    for finding in findings:
        meaning, advice = ADVICE.get(finding.slug, _UNKNOWN)
        subject = one_line(finding.subject)
        subject = retold(subject) if finding.slug in _IN_OUR_WORDS else subject
        screen.line((finding.slug, "red"), f"  {colon(said(meaning))}{subject}")
        screen.line(f"    {colon(said('to do'))}{said(advice)}")
    for one in agents:
        _tell_agent(screen, one)
    if not agents:
        screen.line(said("No agent was found: `backstory install HOST` enters Backstory in one."))
    if not findings and not any(one.faults for one in agents):
        screen.line((said("Everything is well."), "green"))


def _tell_agent(screen: Screen, one: Tried) -> None:
    where = f"{one.host} ({one.scope})" if one.scope else one.host
    if one.is_well:
        told = said(f"works; a prompt waits {one.milliseconds} ms for it")
        screen.line((where, "green"), f"  {told}")
    elif not one.faults:
        told = said(f"is not installed: backstory install {one.host}")
        screen.line((where, "dim"), f"  {told}")
    for fault in one.faults:
        told = f"{colon(said(fault.meaning))}{retold(one_line(fault.subject))}"
        screen.line((where, "red"), f"  {told}")
        screen.line(f"    {colon(said('to do'))}{said(fault.advice(one.host))}")
    if one.rehearsal is not None and one.rehearsal.obstacle:
        obstacle = retold(one_line(one.rehearsal.obstacle))
        screen.line((f"    {colon(said('not run by itself'))}{obstacle}", "dim"))
    elif one.rehearsal is not None and not one.rehearsal.faults:
        told = said("run by itself, it recorded a prompt and showed its model what is remembered")
        screen.line(f"    {told}")


def _finding_row(finding: Finding) -> dict[str, object]:
    advice = ADVICE.get(finding.slug, _UNKNOWN)[1]
    return {"slug": finding.slug, "subject": finding.subject, "advice": advice}


def _agent_row(one: Tried) -> dict[str, object]:
    faults = [
        {"slug": fault.slug, "subject": fault.subject, "advice": fault.advice(one.host)}
        for fault in one.faults
    ]
    return {
        "host": one.host,
        "scope": one.scope,
        "installed": one.is_installed,
        "milliseconds": one.milliseconds,
        "run": _run_row(one.rehearsal),
        "findings": faults,
    }
