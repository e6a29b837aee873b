"""Events: what happened outside the conversation."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from backstory.model.ids import EventId, ThreadId, TurnId
from backstory.model.words import EventKind


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event as a producer hands it over.

    `payload` is what the kind needs, JSON values only: a commit has `sha`, `subject`,
    `files`; a command has `command`, `exit_code`; a test run has `runner`, `passed`,
    `failed`; a saved file has `path`; a closed ticket has `ticket`.
    """

    kind: EventKind
    at_ms: int
    payload: Mapping[str, object] = field(default_factory=dict)
    origin: str = "api"
    thread_id: ThreadId | None = None
    turn_id: TurnId | None = None
    source_key: str | None = None
    branch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A recorded event. `text` is what a quote of it must be a span of."""

    id: EventId
    seq: int
    kind: EventKind
    at_ms: int
    recorded_at_ms: int
    payload: Mapping[str, object]
    text: str
    origin: str
    thread_id: ThreadId | None
    turn_id: TurnId | None
    branch: str | None
