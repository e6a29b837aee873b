"""Building the files of other programs, as small as a test needs them."""

import json
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

from backstory.adapters.importers.formats import detect
from backstory.adapters.importers.report import FileReport
from backstory.adapters.importers.transcript import Transcript
from backstory.adapters.importers.turns import ImportedTurn

NOW_MS = 1_800_000_000_000
SESSION = "5f0c6a1e-7d53-4b7e-9a55-0c1d2e3f4a5b"


class Claude:
    """Makes the lines of one Claude Code session, each the child of the one before."""

    def __init__(self, session: str = SESSION, cwd: str = "/home/dev/app") -> None:
        self.session = session
        self.cwd = cwd
        self.last: str | None = None
        self._numbers = count(1)

    def user(self, content: Any, **more: Any) -> str:
        """Return a record with the role of the user."""
        message = {"role": "user", "content": content}
        return self.record("user", {"message": message, **more})

    def said(self, text: str, **more: Any) -> str:
        """Return a text of the assistant."""
        return self.assistant([{"type": "text", "text": text}], **more)

    def assistant(self, blocks: list[Any], *, message_id: str | None = None, **more: Any) -> str:
        """Return a message of the assistant."""
        message = {"id": message_id or f"msg_{next(self._numbers)}", "role": "assistant"}
        return self.record("assistant", {"message": {**message, "content": blocks}, **more})

    def ran(self, command: str, *, tool: str = "toolu_1") -> str:
        """Return the use of a shell command."""
        use = {"type": "tool_use", "id": tool, "name": "Bash", "input": {"command": command}}
        return self.assistant([use])

    def result(self, text: str, *, tool: str = "toolu_1", is_error: bool = False) -> str:
        """Return what a tool gave back."""
        block = {"type": "tool_result", "tool_use_id": tool, "content": text}
        return self.user([{**block, "is_error": is_error}], toolUseResult={"stdout": text})

    def attached(self, attachment: dict[str, Any]) -> str:
        """Return something the host attached."""
        return self.record("attachment", {"attachment": attachment})

    def record(self, kind: str, fields: dict[str, Any]) -> str:
        """Return any record as a line."""
        number = next(self._numbers)
        uuid = f"{self.session[:24]}{number:012d}"
        envelope = {
            "parentUuid": self.last,
            "isSidechain": False,
            "type": kind,
            "uuid": uuid,
            "timestamp": f"2026-11-20T10:{number // 60 % 60:02d}:{number % 60:02d}.000Z",
            "sessionId": self.session,
            "cwd": self.cwd,
            "gitBranch": "main",
        }
        self.last = uuid
        return json.dumps({**envelope, **fields}, ensure_ascii=False)


def codex(kind: str, payload: dict[str, Any], *, second: int = 0) -> str:
    stamp = f"2026-11-20T11:00:{second:02d}.000Z"
    return json.dumps({"timestamp": stamp, "type": kind, "payload": payload})


def codex_header(**more: Any) -> str:
    return codex("session_meta", {"id": "cx-1", "cwd": "/home/dev/app", "source": "cli", **more})


def codex_message(role: str, texts: list[str], *, kinds: list[str] | None = None) -> str:
    part = "output_text" if role == "assistant" else "input_text"
    payload: dict[str, Any] = {
        "type": "message",
        "role": role,
        "content": [{"type": part, "text": text} for text in texts],
    }
    if kinds:
        payload["id"] = f"msg_{texts[0][:20]}"
        payload["internal_chat_message_metadata_passthrough"] = {"content_item_kinds": kinds}
    return codex("response_item", payload)


def written(path: Path, lines: Iterable[str]) -> Path:
    """Write lines to a file and return it."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def read_all(path: Path, *, is_final: bool = True) -> tuple[list[ImportedTurn], FileReport]:
    """Read a transcript from its start, without a store."""
    transcript = Transcript(path, detect(path), cursor=None, now_ms=0, is_final=is_final)
    turns = list(transcript.turns(on_progress=lambda _read, _total: None))
    return turns, transcript.report


def exchanges(path: Path) -> list[tuple[str, str]]:
    """Return what was said and answered in a transcript."""
    return [(turn.user_text, turn.answer_text) for turn in read_all(path)[0]]
