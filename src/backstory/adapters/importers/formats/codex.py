"""Reading Codex rollouts: `{"timestamp", "type", "payload"}` a line, in several ages.

Project instructions and environment text carry the role `user` too. Newer files name what each
part of a message is; older ones tell a human's words by an event of their own, so the same
prompt comes twice and is taken once.
"""

import json

from backstory.adapters.importers.assembly import Assembly
from backstory.adapters.importers.formats.records import (
    dict_of,
    digest_of,
    kept_command,
    list_of,
    milliseconds_of,
    record_of,
    text_of,
)
from backstory.adapters.importers.turns import BadLineError, ImportedEvent, Record
from backstory.capture.fences import speaker_of
from backstory.model.words import Speaker

HOST = "codex"
_HUMAN_KIND = "user.text"
_WORKING_ITEMS = frozenset(
    {"reasoning", "function_call", "custom_tool_call", "local_shell_call", "web_search_call"}
)
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "fish"})


class CodexReader:
    """Reads one rollout into an assembly."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._prompted: str | None = None  # the prompt just begun, until the assistant acts
        self._answered: str | None = None

    def read(self, line: bytes | bytearray) -> None:
        """Take one line. Raises `BadLineError` where it is not what it says it is."""
        record = record_of(line)
        if record is None:
            return
        state = self._assembly.state
        state["at_ms"] = milliseconds_of(
            record.get("timestamp"), default=int(state.get("at_ms", 0))
        )
        kind = record.get("type")
        # The oldest files have a message's fields on the line itself.
        payload = dict_of(record.get("payload")) or (record if kind == "message" else {})
        if kind == "session_meta" or _is_old_header(record):
            self._note_session(payload or record)
        elif state.get("is_subagent"):
            self._assembly.skip(Speaker.SUBAGENT.value)
        elif kind in ("response_item", "message"):
            self._read_item(payload)
        elif kind == "event_msg":
            self._read_event(payload)
        else:
            self._assembly.skip("other_record")

    def wants(self, head: bytes) -> bool:
        """Whether an oversized line may hold a human's words."""
        tight = head.replace(b'": "', b'":"')
        return b'"role":"user"' in tight or b'"user_message"' in head or b"UserMessage" in head

    def finish(self) -> None:
        """Nothing is held back."""

    def _note_session(self, meta: Record) -> None:
        """Take the first header; a forked session copies that of its parent behind its own."""
        state = self._assembly.state
        if state.get("session"):
            return
        if not (session := text_of(meta.get("id")) or text_of(meta.get("session_id"))):
            raise BadLineError("is a session header without an id")
        state["session"] = session
        state["cwd"] = text_of(meta.get("cwd")) or None
        state["branch"] = text_of(dict_of(meta.get("git")).get("branch")) or None
        is_started_by_agent = meta.get("thread_source") == "subagent"
        state["is_subagent"] = is_started_by_agent or "subagent" in dict_of(meta.get("source"))

    def _read_item(self, payload: Record) -> None:
        if payload.get("type") != "message":
            if text_of(payload.get("type")) in _WORKING_ITEMS:
                self._work()
            self._assembly.skip("other_record")
            return
        match payload.get("role"):
            case "user":
                self._read_user_message(payload)
            case "assistant":
                text = "\n".join(_part_texts(payload))
                self._answer(text, key=text_of(payload.get("id")))
            case _:
                self._assembly.skip(Speaker.SYSTEM_REMINDER.value)

    def _read_user_message(self, payload: Record) -> None:
        kinds = list_of(_passthrough(payload).get("content_item_kinds"))
        parts = _part_texts(payload)
        if kinds:
            # Images have a kind and no text: pair over the content, not over the texts.
            content = [dict_of(part) for part in list_of(payload.get("content"))]
            pairs = zip(content, kinds, strict=False)
            parts = [text_of(part.get("text")) for part, kind in pairs if kind == _HUMAN_KIND]
        human = [part for part in parts if part.strip() and speaker_of(part) is Speaker.HUMAN]
        if not human:
            self._assembly.skip(_class_of(kinds, parts))
            return
        self._prompt("\n".join(human), key=text_of(payload.get("id")))

    def _read_event(self, payload: Record) -> None:
        match payload.get("type"):
            case "user_message":
                text = text_of(payload.get("message"))
                if payload.get("kind") in (None, "plain") and speaker_of(text) is Speaker.HUMAN:
                    self._prompt(text, key="")
            case "agent_message":
                self._answer(text_of(payload.get("message")), key="")
            case "item_completed":
                self._read_completed(dict_of(payload.get("item")))
            case "exec_command_end":
                self._note_command(payload, payload.get("call_id"))
            case "task_complete":
                self._answer(text_of(payload.get("last_agent_message")), key="")
                self._assembly.end_turn()
            case "turn_aborted":
                self._prompted = None
                self._assembly.end_turn()
            case _:
                self._assembly.skip("other_record")

    def _read_completed(self, item: Record) -> None:
        texts = "\n".join(_part_texts(item))
        match item.get("type"):
            case "UserMessage" if speaker_of(texts) is Speaker.HUMAN:
                self._prompt(texts, key="")
            case "AgentMessage":
                self._answer(texts, key=text_of(item.get("id")))
            case "CommandExecution":
                self._note_command(item, item.get("id"))
            case _:
                self._assembly.skip("other_record")

    def _prompt(self, text: str, *, key: str) -> None:
        if text == self._prompted:
            return
        state = self._assembly.state
        self._prompted, self._answered = text, None
        at = f"{state.get('session')}:{state['at_ms']}:{digest_of(text)}"
        self._assembly.prompt(
            text, key=key or at, said_at_ms=int(state["at_ms"]), speaker=Speaker.HUMAN
        )

    def _answer(self, text: str, *, key: str) -> None:
        self._prompted = None
        if text.strip() and text != self._answered:
            self._answered = text
            at_ms = int(self._assembly.state["at_ms"])
            self._assembly.answer(text, key=key or str(at_ms), at_ms=at_ms)

    def _work(self) -> None:
        self._prompted = None
        self._assembly.work()

    def _note_command(self, source: Record, call: object) -> None:
        command, code = _command_line(source.get("command")), source.get("exit_code")
        self._work()
        if command and isinstance(code, int) and text_of(call):
            state = self._assembly.state
            self._assembly.event(
                ImportedEvent(
                    source_key=f"{HOST}:{state.get('session')}:{call}",
                    at_ms=int(state["at_ms"]),
                    command=kept_command(command),
                    exit_code=code,
                )
            )


def _is_old_header(record: Record) -> bool:
    return "type" not in record and "id" in record and "timestamp" in record


def _passthrough(payload: Record) -> Record:
    return dict_of(payload.get("internal_chat_message_metadata_passthrough"))


def _part_texts(message: Record) -> list[str]:
    return [text_of(dict_of(part).get("text")) for part in list_of(message.get("content"))]


def _class_of(kinds: list[object], parts: list[str]) -> str:
    if "hooks.additional_context" in kinds:
        return Speaker.HOOK_CONTEXT.value
    speaker = speaker_of(parts[0]) if parts and parts[0].strip() else Speaker.SYSTEM_REMINDER
    return (Speaker.SYSTEM_REMINDER if speaker is Speaker.HUMAN else speaker).value


def _command_line(command: object) -> str:
    """Return a command as it was typed: without the shell that ran it."""
    if isinstance(command, str):
        return command
    words = [text_of(word) for word in list_of(command)]
    is_wrapped = len(words) == 3 and words[1] in ("-c", "-lc")
    if is_wrapped and words[0].rsplit("/", 1)[-1] in _SHELLS:
        return words[2]
    return " ".join(word if word.isprintable() and word else json.dumps(word) for word in words)
