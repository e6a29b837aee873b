"""`backstory doctor`: looking everything over, and saying what to do."""

from collections.abc import Mapping

import typer

from backstory.cli.place import Command, Invocation, opened
from backstory.cli.render import Screen, one_line, print_json

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
_UNKNOWN = ("", "see docs/how-to/recover-a-store.md")


def doctor(invocation: Invocation) -> None:
    """Look memory over, and say what to do about what is wrong.

    It reads everything and changes nothing; a damaged store is looked over, too. The exit code
    is 1 where something is wrong.
    """
    with opened(invocation, strict=False) as memory:
        report, findings = memory.status(), memory.check()
    if invocation.as_json:
        rows = [
            {"slug": f.slug, "subject": f.subject, "advice": ADVICE.get(f.slug, _UNKNOWN)[1]}
            for f in findings
        ]
        print_json({"health": report.health, "problem": report.problem, "findings": rows})
    else:
        screen = Screen()
        for finding in findings:
            meaning, advice = ADVICE.get(finding.slug, _UNKNOWN)
            screen.line((finding.slug, "red"), f"  {meaning}: {one_line(finding.subject)}")
            screen.line(f"    to do: {advice}")
        if not findings:
            screen.line(("Everything is well.", "green"))
    if findings:
        raise typer.Exit(1)


COMMANDS = {"doctor": Command(run=doctor, isolated_answer={"health": "isolated", "findings": []})}
