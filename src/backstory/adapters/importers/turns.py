"""What importers read out of transcripts: turns and events before they have a place in a store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backstory.model.words import Speaker

Record = dict[str, Any]  # one JSON object of a host's file


class BadLineError(Exception):
    """A line is not what its format says. It is counted and named, never fatal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A point of a file at which reading can begin, and what must be known there."""

    offset: int = 0
    line: int = 0  # lines before it
    bad_lines: int = 0
    carry: Mapping[str, Any] = field(default_factory=dict)  # JSON values only


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedEvent:
    """A command that ran in a session, with its exit code. Its output is not kept."""

    source_key: str
    at_ms: int
    command: str
    exit_code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedTurn:
    """A prompt and the last text shown before the next one, as a transcript has them."""

    host: str
    host_key: str  # the session; a branch of one that was rewound has a key of its own
    source_key: str
    said_at_ms: int
    speaker: Speaker
    user_text: str
    answer_text: str
    branch: str | None
    cwd: str | None
    events: tuple[ImportedEvent, ...]
    resume: Place  # where to read on once this turn is kept
