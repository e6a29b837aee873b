"""One ticket, as GitHub, Linear and Jira write it in their exports, answers and webhooks.

GitHub: https://cli.github.com/manual/gh_issue_list and the REST API's `issue`; Linear: its
GraphQL type `Issue`; Jira: https://developer.atlassian.com/cloud/jira/platform/rest/v3/.
What they say is written by anybody: of it only key, title and place are kept, and it proves
nothing about what the user wants.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backstory.adapters.importers.formats.records import dict_of, milliseconds_of
from backstory.capture.redact import redact
from backstory.model.event import NewEvent
from backstory.model.limits import SECOND_MS
from backstory.model.words import EventKind
from backstory.record import without_half_characters

TITLE_CHARS_MAX = 300
_READ_CHARS_MAX = 1_000
_JIRA_API = re.compile(r"/rest/api/.*")
_CLOSED_STATES = frozenset({"closed", "merged", "completed", "canceled", "cancelled", "done"})

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """A ticket as its tracker tells it. `closed_at_ms` is None while it is open."""

    tracker: str
    key: str  # "#12" or "SHOP-12", as messages and branches name it
    title: str
    url: str = ""
    closed_at_ms: int | None = None


def ticket_of(row: Row) -> Ticket | None:
    """Return the ticket that an object is, or None where it is none that is known.

    One that is closed at a time that nobody tells counts as open: nothing can be dated by it.
    """
    if isinstance(row.get("number"), int) and not isinstance(row.get("number"), bool):
        return _of_github(row)
    if isinstance(row.get("identifier"), str):
        return _of_linear(row)
    if isinstance(row.get("key"), str) and isinstance(row.get("fields"), Mapping):
        return _of_jira(row)
    return None


def closing_event(ticket: Ticket, *, origin: str) -> NewEvent | None:
    """Return the event that a closed ticket is, or None for an open one.

    However often and by whomever it is told, one closing is one event.
    """
    if ticket.closed_at_ms is None:
        return None
    place = ticket.url or f"{ticket.tracker}:{ticket.key}"
    return NewEvent(
        kind=EventKind.TICKET_CLOSED,
        at_ms=ticket.closed_at_ms,
        payload={
            "ticket": ticket.key,
            "title": ticket.title,
            "tracker": ticket.tracker,
            **({"url": ticket.url} if ticket.url else {}),
        },
        origin=origin,
        source_key=f"ticket:{place}:{ticket.closed_at_ms // SECOND_MS}",
    )


def _of_github(row: Row) -> Ticket:
    merged_at = row.get("mergedAt") or row.get("merged_at")
    closed_at = merged_at or row.get("closedAt") or row.get("closed_at")
    return Ticket(
        tracker="github",
        key=f"#{row['number']}",
        title=_title(row.get("title")),
        url=_place(row.get("html_url") or row.get("url")),
        closed_at_ms=_moment(closed_at) if _is_closed(row.get("state")) else None,
    )


def _of_linear(row: Row) -> Ticket:
    state = row.get("state")
    named = dict_of(state).get("type") or row.get("status") or state
    closed_at = row.get("completedAt") or row.get("canceledAt")
    return Ticket(
        tracker="linear",
        key=_one_line(row["identifier"])[:40],
        title=_title(row.get("title")),
        url=_place(row.get("url")),
        closed_at_ms=_moment(closed_at) if _is_closed(named) or not named else None,
    )


def _of_jira(row: Row) -> Ticket:
    fields: Row = row["fields"]
    category = dict_of(dict_of(fields.get("status")).get("statusCategory")).get("key")
    is_closed = category == "done" or (category is None and bool(fields.get("resolution")))
    closed_at = fields.get("resolutiondate") or fields.get("statuscategorychangedate")
    return Ticket(
        tracker="jira",
        key=(key := _one_line(row["key"])[:40]),
        title=_title(fields.get("summary")),
        url=_JIRA_API.sub(f"/browse/{key}", _place(row.get("self"))),
        closed_at_ms=_moment(closed_at) if is_closed else None,
    )


def _is_closed(state: object) -> bool:
    return isinstance(state, str) and state.strip().lower() in _CLOSED_STATES


def _moment(value: object) -> int | None:
    return milliseconds_of(value, default=0) or None


def _title(value: object) -> str:
    return redact(_one_line(value)).text[:TITLE_CHARS_MAX]


def _place(value: object) -> str:
    text = _one_line(value)
    return redact(text).text if text.startswith(("http://", "https://")) else ""


def _one_line(value: object) -> str:
    text = without_half_characters(value[:_READ_CHARS_MAX]) if isinstance(value, str) else ""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
