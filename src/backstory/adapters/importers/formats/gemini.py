"""Reading Gemini CLI chats: a header, then messages of which a later one may replace another."""

import re

from backstory.adapters.importers.assembly import Assembly
from backstory.adapters.importers.formats.records import (
    dict_of,
    kept_command,
    list_of,
    milliseconds_of,
    record_of,
    text_of,
)
from backstory.adapters.importers.turns import BadLineError, ImportedEvent, Record
from backstory.capture.fences import speaker_of, strip_injected
from backstory.model.words import Speaker

HOST = "gemini"
_SHELL_TOOL = "run_shell_command"
_EXIT_CODE = re.compile(r"^Exit Code: (-?\d{1,5})$", re.MULTILINE)
_TOOL_TEXT_CHARS = 100_000  # where the exit code of a command is looked for, from the end


class GeminiReader:
    """Reads one chat into an assembly."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._noted_calls: set[str] = set()  # of the turn that is open

    def read(self, line: bytes | bytearray) -> None:
        """Take one line. Raises `BadLineError` where it is not what it says it is."""
        record = record_of(line)
        if record is None:
            return
        if "sessionId" in record and "type" not in record:
            self._note_session(record)
        elif "$set" in record:
            for message in list_of(dict_of(record["$set"]).get("messages")):
                self._read_message(dict_of(message))
        elif "$rewindTo" in record:
            self._assembly.rewind(text_of(record["$rewindTo"]) or "rewound")
        elif "id" in record and "type" in record:
            self._read_message(record)
        else:
            self._assembly.skip("other_record")

    def wants(self, head: bytes) -> bool:
        """Whether an oversized line may hold a human's words."""
        tight = head.replace(b'": "', b'":"')
        return b'"type":"user"' in tight and b'"functionResponse"' not in head

    def finish(self) -> None:
        """Nothing is held back."""

    def _note_session(self, header: Record) -> None:
        state = self._assembly.state
        state["session"] = text_of(header.get("sessionId"))
        state["at_ms"] = milliseconds_of(header.get("startTime"), default=0)
        if header.get("kind") == "subagent":
            state["is_subagent"] = True
        for message in list_of(header.get("messages")):
            self._read_message(dict_of(message))

    def _read_message(self, message: Record) -> None:
        state = self._assembly.state
        if state.get("is_subagent"):
            self._assembly.skip(Speaker.SUBAGENT.value)
            return
        state["at_ms"] = milliseconds_of(
            message.get("timestamp"), default=int(state.get("at_ms", 0))
        )
        match message.get("type"):
            case "user":
                self._read_user(message)
            case "gemini":
                self._read_model(message)
            case _:
                self._assembly.skip("other_record")

    def _read_user(self, message: Record) -> None:
        content = message.get("content")
        if not isinstance(content, str | list):
            raise BadLineError("is a message of the user without content")
        if any("functionResponse" in dict_of(part) for part in list_of(content)):
            self._assembly.work()
            self._assembly.skip(Speaker.TOOL_RESULT.value)
            return
        texts = [strip_injected(text) for text in _texts(content)]
        human = [text for text in texts if text.strip() and speaker_of(text) is Speaker.HUMAN]
        speaker = Speaker.HUMAN if human else _class_of(texts)
        key = text_of(message.get("id")) or str(self._assembly.at.offset)
        if speaker is Speaker.HUMAN and self._assembly.state.get("prompt") == key:
            return  # the same message again, with other fields
        self._assembly.prompt(
            "\n".join(human),
            key=f"{self._assembly.state.get('session')}:{key}",
            said_at_ms=int(self._assembly.state["at_ms"]),
            speaker=speaker,
        )
        if speaker is Speaker.HUMAN:
            # Only now: reading that resumes at this line must take the prompt again.
            self._noted_calls.clear()
            self._assembly.state["prompt"] = key

    def _read_model(self, message: Record) -> None:
        identity = text_of(message.get("id"))
        text = "\n".join(_texts(message.get("content")))
        at_ms = int(self._assembly.state["at_ms"])
        if text.strip():
            # No message id: the same message again replaces what it said before.
            self._assembly.answer(text, key=identity, at_ms=at_ms)
        if calls := [dict_of(call) for call in list_of(message.get("toolCalls"))]:
            self._assembly.work()
            for call in calls:
                self._note_command(call)

    def _note_command(self, call: Record) -> None:
        identity = text_of(call.get("id"))
        command = text_of(dict_of(call.get("args")).get("command"))
        code = _exit_code(call)
        is_new = identity and identity not in self._noted_calls
        if call.get("name") != _SHELL_TOOL or not command or code is None or not is_new:
            return
        self._noted_calls.add(identity)
        state = self._assembly.state
        self._assembly.event(
            ImportedEvent(
                source_key=f"{HOST}:{state.get('session')}:{identity}",
                at_ms=int(state["at_ms"]),
                command=kept_command(command),
                exit_code=code,
            )
        )


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [text_of(dict_of(part).get("text")) for part in list_of(content)]


def _class_of(texts: list[str]) -> Speaker:
    speakers = [speaker_of(text) for text in texts if text.strip()]
    return speakers[0] if speakers else Speaker.HOOK_CONTEXT


def _exit_code(call: Record) -> int | None:
    """Return the exit code that the shell tool wrote at the end of its output."""
    for part in list_of(call.get("result")):
        response = dict_of(dict_of(dict_of(part).get("functionResponse")).get("response"))
        output = text_of(response.get("output"))[-_TOOL_TEXT_CHARS:]
        if found := _EXIT_CODE.findall(output):
            return int(found[-1])
    return None
