"""What commands teach: one failed, and a later one like it worked. Pure."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backstory.episodes.messages.parts import bare_subject, parse_message
from backstory.episodes.messages.phrases import begins
from backstory.episodes.sessions import is_commit
from backstory.episodes.summaries import FIX_TYPES
from backstory.model.event import Event
from backstory.model.limits import MINUTE_MS
from backstory.model.words import EventKind

# What worked so much later, or after so many other commands, was another matter.
_MINUTES_MAX = 20
_BETWEEN_MAX = 12
# Two commands are the same attempt where they share half of their words.
_SHARE_MIN = 0.5
_WORDS_MAX = 40
_CHARS_MAX = 300
# Ended by the user (SIGINT, SIGTERM, SIGHUP, a closed pipe): nothing failed.
_ENDED = frozenset({129, 130, 137, 141, 143})
# A test run that names its command is one as well; without a command it teaches nothing here.
_RUN = frozenset({EventKind.COMMAND, EventKind.TEST_RUN})
# Looking around fails and succeeds without teaching anything.
_LOOKING = frozenset(
    {"cd", "ls", "cat", "less", "grep", "rg", "find", "echo", "pwd", "which", "man", "vim", "vi"}
    | {"nano", "head", "tail", "test", "[", "ssh", "ping", "curl", "kill", "sleep", "exit"}
)
# `-m "subject"`, `-am 'subject'`
_MESSAGE = re.compile(r"\s-[a-z]*m\s*([\"'])(.+?)\1", re.DOTALL)
_OPTION = re.compile(r"^--?[A-Za-z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A command that failed here, and the one that worked instead."""

    failed: Event
    worked: Event

    @property
    def statement(self) -> str:
        """What to remember, in no words but those of the two events."""
        code = self.failed.payload.get("exit_code")
        failed, worked = command_of(self.failed), command_of(self.worked)
        return f"Use `{worked}`: `{failed}` exits with code {code}"


def lessons(events: Sequence[Event]) -> tuple[Lesson, ...]:
    """Return what the commands of one session teach, each pair once, in order."""
    commands = [event for event in events if event.kind in _RUN]
    found: dict[tuple[str, str], Lesson] = {}
    for place, failed in enumerate(commands):
        if not _has_failed(failed):
            continue
        worked = next(_answers(failed, commands[place + 1 : place + 1 + _BETWEEN_MAX]), None)
        if worked is not None:
            pair = (command_of(failed), command_of(worked))
            found.setdefault(pair, Lesson(failed=failed, worked=worked))
    return tuple(found.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What failed and later passed unchanged: not the command was wrong but what it ran on."""

    failed: Event
    passed: Event


def mended(events: Sequence[Event]) -> tuple[Mended, ...]:
    """Return the commands and test runs that failed at first and passed in the end, in order."""
    first: dict[str, Event] = {}
    last: dict[str, Event] = {}
    for event in events:
        name, is_bad = _attempt(event)
        if is_bad:
            first.setdefault(name, event)
            last.pop(name, None)
        elif name in first and is_bad is not None:
            last[name] = event
    return tuple(Mended(failed=first[name], passed=passed) for name, passed in last.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """What failed, the commit that says how it was mended, and that it passed then."""

    failed: Event
    passed: Event
    commit: Event

    @property
    def statement(self) -> str:
        """What to remember, in no words but those of the events."""
        code, command = self.failed.payload.get("exit_code"), command_of(self.failed)
        known = command and isinstance(code, int)
        what = f"`{command}` exits with code {code}" if known else self.failed.text
        return f"{what}: {_subject(self.commit)}"


def fixed(events: Sequence[Event]) -> tuple[Fixed, ...]:
    """Return what the last commit of these events mended, where it says that it fixes."""
    commit = next((event for event in reversed(events) if is_commit(event)), None)
    if commit is None or not _is_fix(_subject(commit)):
        return ()
    return tuple(
        Fixed(failed=one.failed, passed=one.passed, commit=commit) for one in mended(events)
    )


def _subject(commit: Event) -> str:
    """Return the subject of a commit: as it was recorded, or as its command gave it."""
    if commit.kind is EventKind.COMMIT:
        return str(commit.payload.get("subject", "")).strip()
    found = _MESSAGE.search(str(commit.payload.get("command", "")))
    return "" if found is None else (found[2] or "").partition("\n")[0].strip()


def _is_fix(subject: str) -> bool:
    message = parse_message(subject)
    return message.type in FIX_TYPES or begins("fix_start", bare_subject(subject))


def _attempt(event: Event) -> tuple[str, bool | None]:
    """Return what was tried and whether it failed; None where nothing can be told."""
    payload = event.payload
    if event.kind is EventKind.TEST_RUN:
        failed, code = payload.get("failed"), payload.get("exit_code")
        is_bad = next((n > 0 for n in (failed, code) if isinstance(n, int)), None)
        return command_of(event) or str(payload.get("runner", "")), is_bad
    if event.kind is not EventKind.COMMAND:
        return "", None
    if _has_failed(event):
        return command_of(event), True
    return command_of(event), False if payload.get("exit_code") == 0 else None


def command_of(event: Event) -> str:
    """Return a command on one line."""
    return " ".join(str(event.payload.get("command", "")).split())[:_CHARS_MAX]


def _answers(failed: Event, later: Sequence[Event]) -> Iterator[Event]:
    """Yield what worked in place of a command: the same again ends the search."""
    for event in later:
        if event.at_ms - failed.at_ms > _MINUTES_MAX * MINUTE_MS:
            return
        if command_of(event) == command_of(failed):
            # It was not the command that was wrong.
            if not _has_failed(event):
                return
        elif event.payload.get("exit_code") == 0 and _are_alike(failed, event):
            yield event


def _has_failed(event: Event) -> bool:
    code = event.payload.get("exit_code")
    words = _words(command_of(event))
    is_telling = bool(words) and words[0] not in _LOOKING
    return is_telling and isinstance(code, int) and code != 0 and code not in _ENDED


def _are_alike(failed: Event, worked: Event) -> bool:
    one, other = _words(command_of(failed)), _words(command_of(worked))
    if not one or not other or other[0] in _LOOKING:
        return False
    plain = [{word for word in words if not _OPTION.match(word)} for words in (one, other)]
    shared = len(plain[0] & plain[1])
    return shared >= 1 and shared >= _SHARE_MIN * max(len(plain[0]), len(plain[1]))


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)[:_WORDS_MAX]
    except ValueError:
        return command.split()[:_WORDS_MAX]
