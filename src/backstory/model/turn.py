"""Threads and turns: one conversation, and one exchange in it."""

from dataclasses import dataclass

from backstory.model.ids import ThreadId, TurnId
from backstory.model.words import Speaker, TurnState


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One conversation: a host session, or the active thread of the chat host."""

    id: ThreadId
    host: str  # "api", "cli", "chat", "claude_code", "codex", "gemini", "specstory", …
    host_key: str | None  # the host's own name for the session
    is_active: bool
    started_at_ms: int
    archived_at_ms: int | None = None
    summary: str = ""
    generation: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the user said and the final answer that they saw, verbatim.

    `seq` is the order in which turns were recorded in this store; `said_at_ms` is when the
    host says it happened, which for an imported turn may be long before.
    """

    id: TurnId
    seq: int
    thread_id: ThreadId
    position: int  # place in its thread, from 0
    speaker: Speaker
    user_text: str
    answer_text: str
    state: TurnState
    said_at_ms: int
    recorded_at_ms: int
    finished_at_ms: int | None = None
    origin: str = "api"
    is_imported: bool = False
    source_key: str | None = None
    branch: str | None = None
    error: str | None = None  # why it failed, fit for a person


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """A turn as a host or an importer hands it over, before it has a place."""

    thread_id: ThreadId
    user_text: str
    said_at_ms: int
    speaker: Speaker = Speaker.HUMAN
    origin: str = "api"
    is_imported: bool = False
    source_key: str | None = None
    branch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """The right to finish a turn: its id, the thread it began in, and the owner's token."""

    id: TurnId
    thread_id: ThreadId
    owner: str
    is_replay: bool = (
        False  # the same source key was recorded before; finishing it changes nothing
    )
