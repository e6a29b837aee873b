"""Recording what happened outside the conversation."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from backstory.model.errors import NotFoundError, UnreadableInputError
from backstory.model.event import NewEvent
from backstory.model.ids import EventId
from backstory.model.words import EventKind
from backstory.record.telling import expect_telling_of
from backstory.record.verbatim import refuse_half_characters

if TYPE_CHECKING:
    from backstory.ports.store import Tables

# What each kind must say, and of which type. More may stand beside it. A test run says how it
# ended, too: by its counts, or by the command and its exit code.
_REQUIRED: Mapping[EventKind, Mapping[str, type]] = {
    EventKind.COMMIT: {"sha": str, "subject": str},
    EventKind.COMMAND: {"command": str, "exit_code": int},
    EventKind.TEST_RUN: {"runner": str},
    EventKind.FILE_SAVED: {"path": str},
    EventKind.TICKET_CLOSED: {"ticket": str},
}
_COMMAND = _REQUIRED[EventKind.COMMAND]
_COUNTS: Mapping[str, type] = {"passed": int, "failed": int}


def record_event(tables: "Tables", event: NewEvent, *, now_ms: int) -> EventId | None:
    """Store an event, or return None where its source key is known.

    Raises `UnreadableInputError` with everything that is wrong with its payload.
    """
    _refuse_unreadable(event)
    if event.thread_id is not None and tables.threads.get(event.thread_id) is None:
        raise NotFoundError(f"there is no thread {event.thread_id}")
    text = event_text(event)
    refuse_half_characters(text)
    event_id = tables.events.add(event, text=text, now_ms=now_ms)
    if event_id is not None:
        expect_telling_of(tables, event, now_ms=now_ms)
    return event_id


def event_text(event: NewEvent) -> str:
    """Return the event as a person would read it; a quote of the event is a span of this."""
    payload = event.payload
    match event.kind:
        case EventKind.COMMIT:
            parts = [payload["subject"], payload.get("body"), *_texts(payload.get("files"))]
            return "\n".join(str(part) for part in parts if part)
        case EventKind.COMMAND:
            return f"$ {payload['command']}\nexit code {payload['exit_code']}"
        case EventKind.TEST_RUN:
            return "\n".join(_test_run_lines(payload))
        case EventKind.FILE_SAVED:
            return str(payload["path"])
        case EventKind.TICKET_CLOSED:
            return " ".join(str(payload[name]) for name in ("ticket", "title") if name in payload)


def _test_run_lines(payload: Mapping[str, object]) -> list[str]:
    lines = []
    if _all_are(payload, _COMMAND):
        lines.append(f"$ {payload['command']}\nexit code {payload['exit_code']}")
    if _all_are(payload, _COUNTS):
        passed, failed = payload["passed"], payload["failed"]
        lines.append(f"{payload['runner']}: {passed} passed, {failed} failed")
    return lines


def _all_are(payload: Mapping[str, object], fields: Mapping[str, type]) -> bool:
    return all(isinstance(payload.get(name), kind) for name, kind in fields.items())


def _texts(value: object) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list | tuple) else []


def _refuse_unreadable(event: NewEvent) -> None:
    problems = [
        f"`{name}` must be {kind.__name__}"
        for name, kind in _REQUIRED[event.kind].items()
        if not isinstance(event.payload.get(name), kind)
    ]
    if event.kind is EventKind.TEST_RUN and not (
        _all_are(event.payload, _COUNTS) or _all_are(event.payload, _COMMAND)
    ):
        problems.append("`passed` and `failed` must be int, or `command` str and `exit_code` int")
    try:
        json.dumps(dict(event.payload), allow_nan=False)
    except (TypeError, ValueError) as error:
        problems.append(f"the payload is not JSON: {error}")
    if problems:
        raise UnreadableInputError(f"a {event.kind} event cannot be read: {'; '.join(problems)}")
