"""Putting turns together from the records of a transcript, in the order of the file.

A prompt begins a turn; the last text that the assistant showed before the next prompt is its
answer. What else a host writes with the user's role (notifications, summaries, expansions of
commands) begins none.
"""

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from backstory.adapters.importers.turns import ImportedEvent, ImportedTurn, Place
from backstory.capture.fences import strip_injected
from backstory.model.words import Speaker
from backstory.record import without_half_characters

# A prompt's parent is among the last records of the turn before it.
_UUIDS_KEPT = 4096
_UUIDS_CARRIED = 32
_EVENTS_MAX = 2_000  # of one turn; more would only say the same


class At(NamedTuple):
    """Where a line begins; one is made for every line, so that it must cost little."""

    offset: int
    line: int  # lines before it
    bad_lines: int


@dataclass(slots=True, kw_only=True)
class _OpenTurn:
    """A turn whose answer may still change."""

    place: Place
    host_key: str
    source_key: str
    said_at_ms: int
    speaker: Speaker
    user_text: str
    answer: list[str] = field(default_factory=list)
    answer_id: str | None = None
    is_answered: bool = False  # text was the last thing the assistant did
    events: list[ImportedEvent] = field(default_factory=list)
    uuids: deque[str] = field(default_factory=lambda: deque(maxlen=_UUIDS_KEPT))


class Assembly:
    """Collects what a reader tells it into finished turns.

    `state` holds what must be known to go on at a place: session, cwd, branch and whatever
    the reader adds, JSON values only. `at` is where the line being read begins.
    """

    def __init__(self, host: str, carry: Mapping[str, Any]) -> None:
        self.host = host
        self.state: dict[str, Any] = dict(carry)
        self.at = At(0, 0, 0)
        self.closed: deque[ImportedTurn] = deque()
        self.skipped: Counter[str] = Counter()
        self._open: _OpenTurn | None = None
        self._command: _OpenTurn | None = None

    def enter(self, session: str) -> None:
        """Note which session the records are of from here on."""
        if self.state.get("session") == session:
            return
        self.state["session"] = session
        for name in ("fork", "tail", "recent"):
            self.state.pop(name, None)
        if self._open is not None:
            # A prompt of another session does not go back behind this turn.
            self._open.uuids.clear()

    def prompt(
        self, text: str, *, key: str, said_at_ms: int, speaker: Speaker, parent: str | None = None
    ) -> None:
        """Begin a turn with a human's prompt or a command; count anything else as skipped."""
        text = without_half_characters(strip_injected(text))
        if speaker in (Speaker.HUMAN, Speaker.COMMAND) and not text.strip():
            speaker = Speaker.RECALLED
        if speaker is Speaker.HUMAN:
            self._fork_if_rewound(parent, key)
            turn = self._new(text, key=key, said_at_ms=said_at_ms, speaker=speaker)
            self._close(turn.place)
            self._open, self._command = turn, None
        elif speaker is Speaker.COMMAND:
            # Most commands only change the host's settings and are not answered.
            self._command = self._new(text, key=key, said_at_ms=said_at_ms, speaker=speaker)
        else:
            self.skip(speaker.value)

    def answer(self, text: str, *, key: str, at_ms: int, message_id: str | None = None) -> None:
        """Take a text that the assistant showed. Parts of one message belong together."""
        text = without_half_characters(strip_injected(text))
        if not text.strip():
            return
        turn = self._working_turn(key, at_ms)
        if turn is None:
            self.skip("unprompted_answer")
            return
        is_same = message_id is not None and message_id == turn.answer_id
        turn.answer = [*turn.answer, text] if is_same else [text]
        turn.answer_id = message_id
        turn.is_answered = True

    def work(self) -> None:
        """Note that the assistant went on to think or to use a tool."""
        if self._command is not None:
            self._promote_command()
        if self._open is not None:
            self._open.is_answered = False

    def event(self, event: ImportedEvent) -> None:
        """Take a command that ran during the turn."""
        if self._open is not None and len(self._open.events) < _EVENTS_MAX:
            self._open.events.append(event)

    def end_turn(self) -> None:
        """Note that the host said the turn was over."""
        if self._open is not None and self._command is None:
            self._open.is_answered = True

    def seen(self, uuid: str) -> None:
        """Note a record's id, so that a prompt that goes back behind it can be told."""
        if self._open is not None:
            self._open.uuids.append(uuid)

    def rewind(self, key: str) -> None:
        """Note that the conversation went back: what follows is a branch of its own."""
        self.state["fork"] = key[:8]

    def skip(self, what: str) -> None:
        """Count something that is no turn."""
        self.skipped[what] += 1

    def is_waiting(self) -> bool:
        """Whether a turn is open whose answer may still come."""
        return self._open is not None and not self._open.is_answered

    def finish(self, *, is_settled: bool) -> Place:
        """Close what is complete at the end of the file, and return where to read on.

        A turn without an answer stays open for the next reading, unless the file has settled.
        """
        if self._open is None:
            is_over = self._command is None or is_settled
            return self.place() if is_over or self._command is None else self._command.place
        if self.is_waiting() and not is_settled:
            return self._open.place
        recent = list(self._open.uuids)[-_UUIDS_CARRIED:]
        self.state |= {"tail": True, "recent": recent}
        end = self.place()
        self._close(end)
        return end

    def place(self) -> Place:
        """Return the place of the line being read, with the state as it is now."""
        return Place(**self.at._asdict(), carry=dict(self.state))

    def _new(self, text: str, *, key: str, said_at_ms: int, speaker: Speaker) -> _OpenTurn:
        fork = self.state.get("fork")
        session = str(self.state.get("session") or "unknown")
        return _OpenTurn(
            place=self.place(),
            host_key=f"{session}~{fork}" if fork else session,
            source_key=f"{self.host}:{key}",
            said_at_ms=said_at_ms,
            speaker=speaker,
            user_text=text,
        )

    def _working_turn(self, key: str, at_ms: int) -> _OpenTurn | None:
        """Return the turn that the assistant is working at."""
        if self._command is not None:
            self._promote_command()
        if self._open is None and self.state.get("tail"):
            # The turn was kept as complete and went on after all: what was shown last must
            # still be what the next prompt follows.
            self._open = self._new(
                "", key=f"{key}:more", said_at_ms=at_ms, speaker=Speaker.SYSTEM_REMINDER
            )
        return self._open

    def _promote_command(self) -> None:
        command = self._command
        if command is not None:
            self._close(command.place)
            self._open, self._command = command, None

    def _fork_if_rewound(self, parent: str | None, key: str) -> None:
        known = self._open.uuids if self._open is not None else self.state.get("recent", ())
        if parent and known and parent not in known:
            self.rewind(key)
        self.state.pop("tail", None)
        self.state.pop("recent", None)

    def _close(self, resume: Place) -> None:
        turn = self._open
        if turn is None:
            return
        self._open = None
        self.closed.append(
            ImportedTurn(
                host=self.host,
                host_key=turn.host_key,
                source_key=turn.source_key,
                said_at_ms=turn.said_at_ms,
                speaker=turn.speaker,
                user_text=turn.user_text,
                answer_text="\n\n".join(turn.answer),
                branch=turn.place.carry.get("branch"),
                cwd=turn.place.carry.get("cwd"),
                events=tuple(turn.events),
                resume=resume,
            )
        )
