"""One delivery of a webhook: whether it is who it says, and which ticket it closes. Pure.

GitHub: https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
Linear: https://linear.app/developers/webhooks
Jira: https://developer.atlassian.com/cloud/jira/platform/webhooks/
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from backstory.adapters.importers.formats.records import dict_of, list_of, milliseconds_of
from backstory.adapters.sources.tickets import Ticket, ticket_of
from backstory.model.limits import MINUTE_MS

# Where each tracker's signature is, and how it begins.
_SIGNATURES = {
    "github": ("x-hub-signature-256", "sha256="),
    "linear": ("linear-signature", ""),
    "jira": ("x-hub-signature", "sha256="),
}
# Linear signs its time; the others are told apart by the closing itself, which is kept once.
_LATE_MS = MINUTE_MS
_CLOSED = frozenset({"completed", "canceled"})


class RefusedError(Exception):
    """A delivery that is not taken: the status that its sender gets, and why."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def is_signed(tracker: str, headers: Mapping[str, str], *, body: bytes, secret: str) -> bool:
    """Whether a body carries the signature that its tracker makes with the secret.

    Looks at the raw bytes and takes the same time for every wrong signature. `headers` have
    names in lower case.
    """
    name, prefix = _SIGNATURES[tracker]
    told = headers.get(name, "")
    wanted = prefix + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(told.strip().lower().encode("utf-8", "replace"), wanted.encode())


def ticket_in(
    tracker: str, headers: Mapping[str, str], *, body: bytes, now_ms: int
) -> Ticket | None:
    """Return the ticket that a signed delivery closes, or None where it closes none.

    Raises `RefusedError` where the body cannot be read, or is an old one sent again.
    """
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, "the body is no JSON") from error
    if not isinstance(payload, dict):
        raise RefusedError(400, "the body is no JSON object")
    match tracker:
        case "github":
            return _of_github(headers.get("x-github-event", ""), payload)
        case "linear":
            _refuse_late(payload, now_ms=now_ms)
            return _of_linear(payload)
        case _:
            return _of_jira(payload)


def _of_github(event: str, payload: Mapping[str, Any]) -> Ticket | None:
    if payload.get("action") != "closed":
        return None
    if event == "issues":
        return ticket_of(dict_of(payload.get("issue")))
    request = dict_of(payload.get("pull_request"))
    if event == "pull_request" and request.get("merged") is True:
        return ticket_of(request)
    return None


def _refuse_late(payload: Mapping[str, Any], *, now_ms: int) -> None:
    sent_at_ms = milliseconds_of(payload.get("webhookTimestamp"), default=0)
    if abs(now_ms - sent_at_ms) > _LATE_MS:
        raise RefusedError(401, "it was sent more than a minute ago")


def _of_linear(payload: Mapping[str, Any]) -> Ticket | None:
    row = dict_of(payload.get("data"))
    is_issue = payload.get("type") == "Issue" and payload.get("action") == "update"
    is_moved = "stateId" in dict_of(payload.get("updatedFrom"))
    if not (is_issue and is_moved and dict_of(row.get("state")).get("type") in _CLOSED):
        return None
    ticket = ticket_of({**row, "url": row.get("url") or payload.get("url")})
    return _dated(ticket, payload.get("createdAt") or payload.get("webhookTimestamp"))


def _of_jira(payload: Mapping[str, Any]) -> Ticket | None:
    changed = [dict_of(one) for one in list_of(dict_of(payload.get("changelog")).get("items"))]
    if not any(one.get("field") == "status" for one in changed):
        return None
    issue = dict_of(payload.get("issue"))
    fields = dict_of(issue.get("fields"))
    category = dict_of(dict_of(fields.get("status")).get("statusCategory")).get("key")
    if category != "done":
        return None
    return _dated(ticket_of({**issue, "fields": fields}), payload.get("timestamp"))


def _dated(ticket: Ticket | None, told_at: object) -> Ticket | None:
    """Return a ticket that was just closed with the time of its delivery, if it tells none."""
    if ticket is None or ticket.closed_at_ms is not None:
        return ticket
    return replace(ticket, closed_at_ms=milliseconds_of(told_at, default=0) or None)
