"""Tickets out of files and out of the `gh` program."""

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backstory.adapters.sources.tickets.shapes import Ticket, ticket_of
from backstory.adapters.system import NO_WINDOW
from backstory.model.errors import SourceUnavailableError, UnreadableInputError

_FILE_BYTES_MAX = 64 * 1024 * 1024
_DEPTH_MAX = 6  # {"data": {"team": {"issues": {"nodes": […]}}}} of a GraphQL answer
_GH_SECONDS = 120
_COMPLAINT_CHARS_MAX = 300
# What `gh` tells of each sort; https://cli.github.com/manual/gh_pr_list
_ISSUES = ("issue", "list", "--state", "closed", "--json", "number,title,state,closedAt,url")
_MERGED = ("pr", "list", "--state", "merged", "--json", "number,title,state,mergedAt,url")


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketsRead:
    """The tickets of one place, and how many objects there were none."""

    tickets: tuple[Ticket, ...]
    unknown: int = 0


def tickets_in(path: Path) -> TicketsRead:
    """Return the tickets of a JSON file, or of one with an object a line.

    Raises `UnreadableInputError` where it is neither, or holds no ticket at all.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(_FILE_BYTES_MAX + 1)
    except OSError as error:
        raise UnreadableInputError(f"{path} cannot be read: {error.strerror}") from error
    return tickets_of(raw, name=str(path))


def tickets_of(raw: bytes, *, name: str) -> TicketsRead:
    """Return the tickets that bytes hold. Raises `UnreadableInputError` as `tickets_in` does."""
    if len(raw) > _FILE_BYTES_MAX:
        raise UnreadableInputError(f"{name} has more than {_FILE_BYTES_MAX:,} bytes")
    rows = list(_rows(_parsed(raw, name), depth=0))
    found = [ticket_of(row) for row in rows]
    tickets = tuple(ticket for ticket in found if ticket is not None)
    if rows and not tickets:
        raise UnreadableInputError(f"{name} holds no ticket of GitHub, Linear or Jira")
    return TicketsRead(tickets=tickets, unknown=len(found) - len(tickets))


def tickets_from_gh(folder: Path, *, limit: int, environ: Mapping[str, str]) -> TicketsRead:
    """Ask GitHub, by the `gh` program, for the newest closed issues and merged pull requests.

    Raises `SourceUnavailableError` where the program is missing, fails or takes too long.
    """
    return together(
        tickets_of(_asked(folder, (*words, "--limit", str(limit)), environ=environ), name="gh")
        for words in (_ISSUES, _MERGED)
    )


def together(parts: Iterable[TicketsRead]) -> TicketsRead:
    """Return the tickets of several places."""
    read = list(parts)
    return TicketsRead(
        tickets=tuple(ticket for part in read for ticket in part.tickets),
        unknown=sum(part.unknown for part in read),
    )


def _asked(folder: Path, words: tuple[str, ...], *, environ: Mapping[str, str]) -> bytes:
    quiet = {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1"}
    try:
        done = subprocess.run(
            ["gh", *words],
            cwd=folder,
            env={**environ, **quiet},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            creationflags=NO_WINDOW,
            timeout=_GH_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SourceUnavailableError(f"gh took more than {_GH_SECONDS} seconds") from error
    except OSError as error:
        raise SourceUnavailableError(
            f"gh cannot be run ({error.strerror}). Install it from https://cli.github.com, or "
            "import a file: `backstory tickets import FILE`"
        ) from error
    if done.returncode:
        complaint = " ".join(done.stderr.decode("utf-8", "replace").split())
        raise SourceUnavailableError(f"gh {words[0]} failed: {complaint[:_COMPLAINT_CHARS_MAX]}")
    return done.stdout


def _parsed(raw: bytes, name: str) -> object:
    try:
        text = raw.decode("utf-8-sig")
        if not text.strip():
            raise UnreadableInputError(f"{name} is empty")
        try:
            return json.loads(text)
        except ValueError:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise UnreadableInputError(f"{name} is no JSON: {error}") from error


def _rows(value: object, *, depth: int) -> Iterator[Mapping[str, Any]]:
    """Yield the objects that a list holds, however deep it lies in an answer."""
    if isinstance(value, list):
        yield from (row for row in value if isinstance(row, dict))
        return
    if not isinstance(value, dict) or depth > _DEPTH_MAX:
        return
    if ticket_of(value) is not None:
        yield value
        return
    for part in value.values():
        if isinstance(part, dict | list):
            yield from _rows(part, depth=depth + 1)
