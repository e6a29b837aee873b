"""Tickets named in messages and branch names: ABC-123 and #123. Pure."""

import re
from dataclasses import dataclass

from backstory.episodes.messages.parts import parse_message
from backstory.episodes.messages.prose import is_code
from backstory.segment.places import mentioned_tickets

# Standards and algorithms are written like tickets.
_NO_PROJECTS = frozenset(
    {"UTF", "SHA", "ISO", "RFC", "CVE", "CWE", "HTTP", "TLS", "SSL", "MD", "UCS", "BASE", "AES"}
    | {"CP", "KOI", "X", "IEEE", "PEP", "C", "ECMA", "EN", "DIN", "RSA", "HMAC", "CRC", "ARM", "I"}
    | {"PR", "V", "LZ", "UAX", "UTS", "IPV", "GPT", "MIT", "GPL", "LGPL", "BSD", "APACHE", "ARC"}
)
_KEY = re.compile(r"(?<![A-Za-z0-9])([A-Z][A-Z0-9]{1,9})-(\d{1,7})(?![A-Za-z0-9])")
# `feature/123-title`, `123-title`, `issue-123`, `fix/gh-123`
_NUMBERED = re.compile(
    r"(?:^|/)(?:(?:issue|issues|gh|bug|ticket|fix|pr)[-_/#]?)?(\d{1,6})(?=$|[-_/])", re.IGNORECASE
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_CLOSING = frozenset(
    {"close", "closes", "closed", "fix", "fixes", "fixed", "resolve", "resolves", "resolved"}
)
# GitHub's words in running text, https://docs.github.com/issues/tracking-your-work-with-issues
_CLOSED_IN_PROSE = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s*:?\s+((?:#\d{1,7}|[A-Z][A-Z0-9]{1,9}-\d{1,7})"
    r"(?:(?:\s*,\s*|\s+and\s+)(?:#\d{1,7}|[A-Z][A-Z0-9]{1,9}-\d{1,7}))*)|"
    r"(?:关闭|修复|解决)\s*(#\d{1,7})",
    re.IGNORECASE,
)


# As git and GitHub name a merge: https://git-scm.com/docs/git-fmt-merge-msg
_MERGED_BRANCH = re.compile(
    r"Merge (?:remote-tracking )?branch(?:es)? '([^']+)'"
    r"|Merge pull request #\d+ from [^/\s]+/(\S+)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tickets:
    """The tickets of a message: all that it names, and those of them that it closes."""

    named: tuple[str, ...]
    closed: tuple[str, ...]


def tickets_of_message(text: str) -> Tickets:
    """Return the tickets that a commit message names and closes."""
    told = "\n".join(line for line in text.splitlines() if not is_code(line))
    named = [ticket for ticket in mentioned_tickets(told) if _is_ticket(ticket)]
    closing = [t.value for t in parse_message(text).trailers if t.key in _CLOSING]
    closing += [one for found in _CLOSED_IN_PROSE.findall(text) for one in found if one]
    closed = [ticket for part in closing for ticket in mentioned_tickets(part)]
    return Tickets(
        named=tuple(dict.fromkeys(named)),
        closed=tuple(dict.fromkeys(ticket for ticket in closed if ticket in named)),
    )


def tickets_of_merge(subject: str) -> tuple[str, ...]:
    """Return the tickets that the branch is named after that a merge says it brought."""
    found = _MERGED_BRANCH.match(subject)
    return tickets_of_branch(found[1] or found[2]) if found else ()


def tickets_of_branch(branch: str) -> tuple[str, ...]:
    """Return the tickets that a branch is named after."""
    keys = [f"{key}-{number}" for key, number in _KEY.findall(branch)]
    numbers = [] if keys else _NUMBERED.findall(branch)
    found = [*keys, *(f"#{number}" for number in numbers if not _YEAR.fullmatch(number))]
    return tuple(dict.fromkeys(ticket for ticket in found if _is_ticket(ticket)))


def _is_ticket(ticket: str) -> bool:
    project, dash, _ = ticket.partition("-")
    if not dash:
        return ticket.lstrip("#0") != ""
    return project.upper() not in _NO_PROJECTS
