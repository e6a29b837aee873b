"""Reading SpecStory histories: Markdown whose sections are headed by who speaks.

Headers of several ages are read: `_**User**_`, `_**User (time)**_`, `_**Agent (model time)**_`,
`_**Agent (model NAME, mode NAME)**_`, `_**Assistant**_`, each perhaps followed by `(sidechain)`.
Tool output and thoughts inside a section are left out; a header in them, or one that does not fit
the file's own, is content.
"""

import re
from dataclasses import dataclass, field

from backstory.adapters.importers.assembly import Assembly, At
from backstory.adapters.importers.formats.records import digest_of, milliseconds_of
from backstory.adapters.importers.turns import BadLineError
from backstory.capture.fences import speaker_of
from backstory.model.limits import MINUTE_MS
from backstory.model.words import Speaker

HOST = "specstory"
_HEADER = re.compile(r"_\*\*(User|Agent|Assistant|)(?: \(([^\n]{0,200})\))?\*\*_")
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[ T_](\d{2})[:-](\d{2})(?:[:-](\d{2}))?Z?")
# The histories of Cursor time what the user says, and name model and mode of who answers.
_UNTIMED = "model "
_SESSION = re.compile(r"<!-- (\w[\w ]{0,40}?) Session (\S{1,100}) \(")
_BLOCKS = {"<tool-use": "</tool-use>", "<think>": "</think>", "<details>": "</details>"}
_SECTION_CHARS_MAX = 32 * 1024 * 1024
# Sections stand in the order of time, but for some seconds between parallel tools.
_DISORDER_MS = MINUTE_MS


@dataclass(slots=True, kw_only=True)
class _Section:
    speaker: str  # "User", "Agent" or "", of whom nothing is kept
    place: At
    at_ms: int | None
    lines: list[str] = field(default_factory=list)
    size: int = 0
    open_block: str | None = None  # the closing tag that is waited for
    had_block: bool = False


class SpecStoryReader:
    """Reads one history into an assembly."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._section: _Section | None = None
        self._command_at_ms: int | None = None  # a command whose expansion may follow

    def read(self, line: bytes | bytearray) -> None:
        """Take one line. Raises `BadLineError` where bytes of it had to be replaced."""
        text = line.decode("utf-8-sig", "replace").rstrip("\r\n")
        header = self._header(text)
        if header is not None:
            self._flush()
            self._section = header
        elif self._section is None:
            self._note_session(text)
        else:
            self._keep(self._section, text)
        if "\ufffd" in text and b"\xef\xbf\xbd" not in line:
            raise BadLineError("is not UTF-8; what cannot be read was replaced")

    def wants(self, head: bytes) -> bool:
        """Whether an oversized line may hold a human's words."""
        section = self._section
        return not head.startswith(b"_**") and section is not None and section.speaker == "User"

    def finish(self) -> None:
        """Take the last section."""
        self._flush()

    def _header(self, text: str) -> _Section | None:
        match = _HEADER.fullmatch(text.rstrip()) if text.startswith("_**") else None
        if match is None or (self._section is not None and self._section.open_block):
            return None
        info = match.group(2) or ""
        at_ms = _moment_of(info)
        speaker = "Agent" if match.group(1) == "Assistant" else match.group(1)
        if not self._fits(speaker, info, at_ms=at_ms):
            return None
        if "sidechain" in info:
            speaker = ""
            self._assembly.skip(Speaker.SUBAGENT.value)
        self._assembly.state[_timed_by(match.group(1))] = at_ms is not None
        return _Section(speaker=speaker, place=self._assembly.at, at_ms=at_ms)

    def _fits(self, speaker: str, info: str, *, at_ms: int | None) -> bool:
        """Whether a header is one of this file, and not of another that is shown in it."""
        state = self._assembly.state
        is_timed = state.get(_timed_by(speaker))
        if is_timed is None and speaker != "User" and not info.startswith(_UNTIMED):
            is_timed = state.get(_timed_by("User"))
        if is_timed is not None and (at_ms is not None) is not is_timed:
            return False
        return at_ms is None or at_ms >= int(state.get("at_ms", 0)) - _DISORDER_MS

    def _note_session(self, text: str) -> None:
        state = self._assembly.state
        if (match := _SESSION.match(text)) is not None:
            state["agent"], state["session"] = match.groups()
        elif text.startswith("#") and (at_ms := _moment_of(text)) is not None:
            state["at_ms"] = at_ms

    def _keep(self, section: _Section, text: str) -> None:
        if section.speaker == "Agent" and self._is_in_block(section, text):
            return
        section.size += len(text) + 1
        if section.size <= _SECTION_CHARS_MAX:
            section.lines.append(text)

    def _is_in_block(self, section: _Section, text: str) -> bool:
        """Whether a line belongs to tool output or a thought of the agent."""
        if section.open_block is None:
            closing = next((end for tag, end in _BLOCKS.items() if text.startswith(tag)), None)
            if closing is None:
                return False
            section.open_block, section.had_block = closing, True
            # What was said before a tool ran was not the last thing shown.
            section.lines.clear()
        if text.rstrip().endswith(section.open_block):
            section.open_block = None
        return True

    def _flush(self) -> None:
        section, self._section = self._section, None
        if section is None:
            return
        now = self._assembly.at
        # A turn begins where its header stands, not where the next one was met.
        self._assembly.at = section.place
        if section.speaker == "User":
            self._take_prompt(section)
        elif section.speaker == "Agent":
            self._take_answer(section)
        self._assembly.at = now

    def _take_prompt(self, section: _Section) -> None:
        text, state = _text_of(section), self._assembly.state
        speaker = speaker_of(text)
        is_expansion = section.at_ms is not None and section.at_ms == self._command_at_ms
        if speaker is Speaker.HUMAN and is_expansion:
            # A host writes what a command stands for in the same second.
            self._assembly.skip(Speaker.SYSTEM_REMINDER.value)
            return
        self._command_at_ms = section.at_ms if speaker is Speaker.COMMAND else None
        at_ms = section.at_ms or int(state.get("at_ms", 0)) + 1
        count = int(state.get("prompts", 0))
        name = str(section.at_ms) if section.at_ms is not None else f"#{count}"
        session = state.get("session") or state.setdefault("session", str(state.get("file")))
        self._assembly.prompt(
            text, key=f"{session}:{name}:{digest_of(text)}", said_at_ms=at_ms, speaker=speaker
        )
        state["at_ms"], state["prompts"] = at_ms, count + 1

    def _take_answer(self, section: _Section) -> None:
        self._command_at_ms = None
        state = self._assembly.state
        at_ms = section.at_ms or int(state.get("at_ms", 0))
        state["at_ms"] = max(at_ms, int(state.get("at_ms", 0)))
        if section.had_block:
            self._assembly.work()
        if text := _text_of(section):
            key = f"{state.get('session')}:{at_ms}:{digest_of(text)}"
            self._assembly.answer(text, key=key, at_ms=at_ms)


def session_in(head: bytes) -> str | None:
    """Return the host's own name of the session that a history tells, where it names one."""
    text = head.decode("utf-8", "replace")
    beginning = text.partition("\n_**")[0]
    match = re.search(_SESSION, beginning)
    return match.group(2) if match else None


def _text_of(section: _Section) -> str:
    """Return what was said in a section, without the rule that ends it."""
    text = "\n".join(section.lines).strip("\n ")
    if text.endswith("\n---") or text == "---":
        text = text[:-3]
    return text.strip("\n ")


def _timed_by(speaker: str) -> str:
    """Return where it is noted whether headers of this speaker tell the time."""
    return "is_timed" if speaker == "User" else "is_answer_timed"


def _moment_of(text: str) -> int | None:
    match = _MOMENT.search(text)
    if match is None:
        return None
    day, hour, minute, second = match.groups()
    return milliseconds_of(f"{day}T{hour}:{minute}:{second or '00'}+00:00", default=0) or None
