"""Recording what happened outside the conversation."""

import json
from collections.abc import Mapping

from backstory.model.errors import NotFoundError, UnreadableInputError
from backstory.model.event import NewEvent
from backstory.model.ids import EventId
from backstory.model.words import EventKind
from backstory.ports.store import Tables
from backstory.record.verbatim import refuse_half_characters

# What each kind must say, and of which type. More may stand beside it.
_REQUIRED: Mapping[EventKind, Mapping[str, type]] = {
    EventKind.COMMIT: {"sha": str, "subject": str},
    EventKind.COMMAND: {"command": str, "exit_code": int},
    EventKind.TEST_RUN: {"runner": str, "passed": int, "failed": int},
    EventKind.FILE_SAVED: {"path": str},
    EventKind.TICKET_CLOSED: {"ticket": str},
}


def record_event(tables: Tables, event: NewEvent, *, now_ms: int) -> EventId | None:
    """Store an event, or return None where its source key is known.

    Raises `UnreadableInputError` with everything that is wrong with its payload.
    """
    _refuse_unreadable(event)
    if event.thread_id is not None and tables.threads.get(event.thread_id) is None:
        raise NotFoundError(f"there is no thread {event.thread_id}")
    text = event_text(event)
    refuse_half_characters(text)
    return tables.events.add(event, text=text, now_ms=now_ms)


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
            return f"{payload['runner']}: {payload['passed']} passed, {payload['failed']} failed"
        case EventKind.FILE_SAVED:
            return str(payload["path"])
        case EventKind.TICKET_CLOSED:
            return " ".join(str(payload[name]) for name in ("ticket", "title") if name in payload)


def _texts(value: object) -> list[str]:
    return [str(part) for part in value] if isinstance(value, list | tuple) else []


def _refuse_unreadable(event: NewEvent) -> None:
    problems = [
        f"`{name}` must be {kind.__name__}"
        for name, kind in _REQUIRED[event.kind].items()
        if not isinstance(event.payload.get(name), kind)
    ]
    try:
        json.dumps(dict(event.payload), allow_nan=False)
    except (TypeError, ValueError) as error:
        problems.append(f"the payload is not JSON: {error}")
    if problems:
        raise UnreadableInputError(f"a {event.kind} event cannot be read: {'; '.join(problems)}")
