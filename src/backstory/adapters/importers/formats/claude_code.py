"""Reading Claude Code transcripts: one JSON object a line, skipped where its type is unknown.

A record of type `user` is a human's only if nothing in its structure says otherwise: tool
results, hook context, summaries, notifications and subagents carry that type as well.
"""

from typing import Any

from backstory.adapters.importers.assembly import Assembly
from backstory.adapters.importers.formats.records import (
    EXIT_CODE,
    dict_of,
    kept_command,
    list_of,
    milliseconds_of,
    record_of,
    text_of,
)
from backstory.adapters.importers.turns import BadLineError, ImportedEvent, Record
from backstory.capture.fences import speaker_of
from backstory.model.words import Speaker

HOST = "claude_code"
# Where a record says who it comes from, these are people; most records say nothing.
_HUMAN_ORIGINS = frozenset({"", "human", "user", "cli"})
_MACHINE_SOURCES = frozenset(
    {"system", "loop_wakeup", "schedule_wakeup", "poll_event", "auto-continuation"}
)
_TOOL_MARKS = frozenset({"toolUseResult", "sourceToolUseID", "sourceToolAssistantUUID"})


class ClaudeCodeReader:
    """Reads one transcript into an assembly."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._envelope: tuple[object, ...] = ()  # of the record before
        self._commands: dict[str, str] = {}  # by tool use, until its result comes

    def read(self, line: bytes | bytearray) -> None:
        """Take one line. Raises `BadLineError` where it is not what it says it is."""
        record = record_of(line)
        if record is None:
            return
        if record.get("isSidechain") is True:
            self._assembly.skip(Speaker.SUBAGENT.value)
            return
        self._note_session(record)
        match record.get("type"):
            case "user":
                self._read_user(record)
            case "assistant":
                self._read_assistant(record)
            case "attachment":
                self._read_attachment(record)
            case "system":
                self._read_system(record)
            case _:
                self._assembly.skip("other_record")
        if uuid := text_of(record.get("uuid")):
            self._assembly.seen(uuid)

    def wants(self, head: bytes) -> bool:
        """Whether an oversized line may hold a human's words."""
        return (
            b'"type":"user"' in head.replace(b'": "', b'":"')
            and b'"tool_result"' not in head
            and b'"isSidechain":true' not in head.replace(b'": ', b'":')
        )

    def finish(self) -> None:
        """Nothing is held back."""

    def _note_session(self, record: Record) -> None:
        state = self._assembly.state
        stamp = record.get("timestamp")
        if isinstance(stamp, str):
            # Read as a time only where a turn or an event needs it.
            state["stamp"] = stamp
        envelope = (record.get("sessionId"), record.get("cwd"), record.get("gitBranch"))
        if envelope == self._envelope:
            return
        self._envelope = envelope
        session, cwd, branch = map(text_of, envelope)
        if session:
            self._assembly.enter(session)
        state |= {name: at for name, at in (("cwd", cwd), ("branch", branch)) if at}

    def _at_ms(self) -> int:
        state = self._assembly.state
        return milliseconds_of(state.get("stamp"), default=int(state.get("at_ms", 0)))

    def _read_user(self, record: Record) -> None:
        content = _content(record)
        results = [b for b in _blocks(content) if b.get("type") == "tool_result"]
        if results or not _TOOL_MARKS.isdisjoint(record):
            self._assembly.work()
            self._assembly.skip(Speaker.TOOL_RESULT.value)
            self._note_exit_codes(results)
            return
        speaker, text = _speaker_and_text(record, content)
        self._prompt(record, speaker=speaker, text=text)

    def _prompt(self, record: Record, *, speaker: Speaker, text: str) -> None:
        self._assembly.prompt(
            text,
            key=self._key(record),
            said_at_ms=self._at_ms(),
            speaker=speaker,
            parent=text_of(record.get("parentUuid")) or None,
        )

    def _key(self, record: Record) -> str:
        """Return what names a record wherever it was copied to.

        A resumed session may copy its history under a new session id, with the same UUIDs.
        """
        uuid = text_of(record.get("uuid"))
        session = text_of(record.get("sessionId"))
        if len(uuid) >= 32:
            return uuid
        return f"{session}:{uuid or record.get('timestamp') or self._assembly.at.offset}"

    def _read_assistant(self, record: Record) -> None:
        message = dict_of(record.get("message"))
        if record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
            self._assembly.skip("host_message")
            return
        for block in _blocks(_content(record)):
            if block.get("type") == "text":
                self._assembly.answer(
                    text_of(block.get("text")),
                    key=self._key(record),
                    at_ms=self._at_ms(),
                    message_id=text_of(message.get("id")) or None,
                )
            else:
                self._assembly.work()
                self._note_command(block)

    def _note_command(self, block: dict[str, Any]) -> None:
        if block.get("type") == "tool_use" and block.get("name") == "Bash":
            command = text_of(dict_of(block.get("input")).get("command"))
            if command:
                self._commands[text_of(block.get("id"))] = kept_command(command)

    def _note_exit_codes(self, results: list[Record]) -> None:
        for result in results:
            tool_use = text_of(result.get("tool_use_id"))
            command = self._commands.pop(tool_use, None)
            code = _exit_code(result)
            if command is not None and code is not None:
                self._assembly.event(
                    ImportedEvent(
                        source_key=f"{HOST}:{self._assembly.state.get('session')}:{tool_use}",
                        at_ms=self._at_ms(),
                        command=command,
                        exit_code=code,
                    )
                )

    def _read_attachment(self, record: Record) -> None:
        """Take a prompt that was typed while the assistant worked; nothing else of these."""
        attachment = dict_of(record.get("attachment"))
        kind = attachment.get("type")
        if kind != "queued_command" or attachment.get("commandMode") not in (None, "prompt"):
            is_hook = kind in ("hook_additional_context", "hook_success")
            self._assembly.skip(Speaker.HOOK_CONTEXT.value if is_hook else "other_record")
            return
        speaker, text = _speaker_and_text(attachment, attachment.get("prompt"))
        self._prompt(record, speaker=speaker, text=text)

    def _read_system(self, record: Record) -> None:
        if record.get("subtype") in ("turn_duration", "stop_hook_summary"):
            self._assembly.end_turn()
        self._assembly.skip("other_record")


def _content(record: Record) -> object:
    message = record.get("message")
    if not isinstance(message, dict):
        raise BadLineError(f"is of type {record.get('type')}, but has no message")
    content = message.get("content")
    if not isinstance(content, str | list):
        raise BadLineError(f"is of type {record.get('type')}, but its message has no content")
    return content


def _blocks(content: object) -> list[Record]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in list_of(content) if isinstance(block, dict)]


def _speaker_and_text(source: Record, content: object) -> tuple[Speaker, str]:
    """Return who a prompt is from, and their words as far as blocks tell them apart."""
    texts = [text_of(b.get("text")) for b in _blocks(content) if b.get("type") == "text"]
    if source.get("isCompactSummary") is True:
        return Speaker.COMPACTION_SUMMARY, ""
    if not _is_from_a_person(source):
        return Speaker.SYSTEM_REMINDER, ""
    if isinstance(source.get("planContent"), str):
        return Speaker.COMMAND, "\n".join(texts)
    speakers = [speaker_of(text) for text in texts if text.strip()]
    for speaker in (Speaker.HUMAN, Speaker.COMMAND):
        if speaker in speakers:
            return speaker, "\n".join(t for t in texts if t.strip() and speaker_of(t) is speaker)
    return (speakers or [Speaker.SYSTEM_REMINDER])[0], ""


def _is_from_a_person(source: Record) -> bool:
    is_marked = source.get("isMeta") is True or source.get("isVisibleInTranscriptOnly") is True
    origin = text_of(dict_of(source.get("origin")).get("kind"))
    is_machine = text_of(source.get("promptSource")) in _MACHINE_SOURCES
    return not is_marked and not is_machine and origin in _HUMAN_ORIGINS


def _exit_code(result: Record) -> int | None:
    """Return the exit code that a result tells, or None where it was not run to its end."""
    content = result.get("content")
    texts = [text_of(block.get("text")) for block in _blocks(content)]
    if result.get("is_error") is not True:
        return 0
    match = EXIT_CODE.match(texts[0]) if texts else None
    return int(match.group(1)) if match else None
