"""What a hook shows: the index when a session starts, and with a prompt what matters for it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from backstory import inject
from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.hooks.keeping import human_prompt, thread_of
from backstory.inject.fences import fenced, one_line
from backstory.model.limits import HOOK_CHARS_MAX
from backstory.model.recall import Cues, Question
from backstory.wiring.reader import Reader
from backstory.wiring.recalling import recalled

if TYPE_CHECKING:
    from backstory.ports.store import Tables

# What is left of a hook's 9,000 characters is for the last episode and what is still to do.
_INDEX_BYTES_MAX = 7_500
_TODOS_MAX = 5
_LINE_CHARS_MAX = 160
# What a prompt is about stands at one of its ends; a pasted log lies between.
_ASKED_CHARS = 2_000
# The branch that everybody is on says nothing of what a prompt is about.
_MAIN_BRANCHES = frozenset({"main", "master", "trunk", "develop", "dev"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A text for the model, and the entries to be logged as shown."""

    text: str = ""
    entries: tuple[tuple[str, int], ...] = ()
    notice: str = ""  # for the person


def look_up(call: HostCall, reader: Reader, *, branch: str | None) -> Shown:
    """Return what this moment's answer shows. Nothing is written."""
    with reader.store.reading() as tables:
        if call.happening is Happening.SESSION_START:
            return at_start(tables, now_ms=call.at_ms)
        return for_prompt(tables, call, root=reader.project.root, branch=branch)


def at_start(tables: "Tables", *, now_ms: int) -> Shown:
    """Return the index of memory, the last episode, what is left to do and what to tell."""
    from backstory.hooks import inbox  # noqa: PLC0415 - not for a prompt

    index = inject.index_of(tables, bytes_max=_INDEX_BYTES_MAX)
    story = _story(tables)
    text = "\n".join(part for part in (index, story) if part)
    text = text if len(text) <= HOOK_CHARS_MAX else index
    return Shown(text=text, notice=inbox.notice(tables, now_ms=now_ms))


def for_prompt(tables: "Tables", call: HostCall, *, root: Path, branch: str | None) -> Shown:
    """Return what matters for a prompt and was not shown in this session before."""
    text = _asked(human_prompt(call))
    if not text:
        return Shown()
    thread_id = thread_of(tables, call)
    question = Question(text=text, cues=_cues(branch), thread_id=thread_id)
    found = recalled(tables, question, now_ms=call.at_ms, root=root)
    relevant = inject.relevant_of(tables, found, thread_id=thread_id)
    return Shown(text=relevant.text, entries=relevant.shown)


def _cues(branch: str | None) -> Cues:
    return Cues(branch=None if branch in _MAIN_BRANCHES else branch)


def _asked(prompt: str) -> str:
    text = prompt.strip()
    if len(text) <= 2 * _ASKED_CHARS:
        return text
    return f"{text[:_ASKED_CHARS]}\n{text[-_ASKED_CHARS:]}"


def _story(tables: "Tables") -> str:
    newest = tables.episodes.many(tables.episodes.newest(limit=1))
    last = [f"Last episode [{one.id}]: {one.summary.objective}" for one in newest]
    left = [f"Left open: {one.todo.text}" for one in tables.episodes.todos(limit=_TODOS_MAX)]
    lines = [one_line(line, _LINE_CHARS_MAX) for line in (*last, *left)]
    return fenced("\n".join(lines)) if lines else ""
