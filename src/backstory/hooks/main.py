"""One call of the hook, from what the host hands over to what it is answered."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from backstory.adapters.hosts import spool
from backstory.adapters.hosts.answers import Answer, takes_context, written
from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.adapters.hosts.payloads import call_of
from backstory.adapters.project import Project, current_branch, find_project
from backstory.adapters.system import system_clock
from backstory.hooks.permitting import (
    Silence,
    silence_of_call,
    silence_of_project,
    silence_of_prompt,
)
from backstory.hooks.reply import Reply, end_in_time
from backstory.model.errors import NoProjectError
from backstory.wiring.reader import Reader, choices_for, isolated_by, open_reader

# A host's own limit of a prompt is far below; what is above is no payload of a host.
_PAYLOAD_BYTES_MAX = 32 * 1024 * 1024


@dataclass(slots=True)
class _Visit:
    """One call and how far it got, so that whoever ends it knows what is left to save."""

    reply: Reply
    env: Mapping[str, str]
    call: HostCall | None = None
    project: Project | None = None
    is_owed: bool = False  # something has to be recorded and is not yet

    def say(self, call: HostCall, answer: Answer) -> None:
        """Have an answer ready for the end, or for when the time is up."""
        self.reply.text = written(call, answer)

    def save(self) -> None:
        """Put what is not recorded into the spool."""
        if self.is_owed and self.call is not None and self.project is not None:
            self.is_owed = False
            with suppress(OSError):
                spool.put(self.project.state_dir, self.call)


def run(words: Sequence[str]) -> None:
    """Answer one call. Whatever happens, the process ends well and within a second."""
    visit = _Visit(reply=Reply(), env=os.environ)
    timer = end_in_time(visit.reply, when_late=visit.save)
    try:
        _serve(words, visit)
    except Exception as error:  # noqa: BLE001 - the host goes on without memory
        sys.stderr.write(f"backstory: memory was passed over: {error}\n")
    visit.save()
    visit.reply.send()
    timer.cancel()


def _serve(words: Sequence[str], visit: _Visit) -> None:
    call = call_of(
        sys.stdin.buffer.read(_PAYLOAD_BYTES_MAX).decode("utf-8", "replace"),
        host=_option(words, "--host").replace("-", "_"),
        event=_option(words, "--event"),
        folder=str(Path.cwd()),
        at_ms=system_clock(),
    )
    if call is None:
        visit.reply.text = "{}\n"
        return
    visit.call = call
    visit.say(call, Answer())
    silence = silence_of_call(call, env=visit.env) or _attend(call, visit)
    if silence is not None and silence.notice:
        visit.say(call, Answer(notice=silence.notice))


def _attend(call: HostCall, visit: _Visit) -> Silence | None:
    """Serve a call in its project, or say why memory is silent there."""
    project = _project_of(call, env=visit.env)
    if project is None:
        return Silence(because="it is in no project")
    silence = silence_of_project(call, project, env=visit.env)
    if silence is not None:
        return silence
    choices = choices_for(project, env=visit.env)
    purpose = isolated_by(choices)
    if purpose is not None:
        return _isolated(call, purpose.value)
    silence = silence_of_prompt(call, project, choices=choices)
    if silence is not None:
        return silence
    # From here on, what cannot be stored goes into the spool.
    visit.project, visit.is_owed = project, call.happening is not Happening.SESSION_START
    opened = open_reader(project, choices, env=visit.env)
    if not isinstance(opened, Reader):
        visit.is_owed = False
        return _isolated(call, opened.value)
    _use(call, opened, visit=visit)
    return None


def _use(call: HostCall, reader: Reader, *, visit: _Visit) -> None:
    from backstory.hooks import exchange  # noqa: PLC0415 - not loaded where memory is silent

    branch = current_branch(reader.project)
    entries: tuple[tuple[str, int], ...] = ()
    if takes_context(call):
        from backstory.hooks import showing  # noqa: PLC0415 - only looking up loads recall

        shown = showing.look_up(call, reader, branch=branch)
        entries = shown.entries
        visit.say(call, Answer(context=shown.text))
    is_new = exchange.store(call, reader, shown=entries, branch=branch)
    visit.is_owed = False
    if call.happening is Happening.PROMPT and not is_new:
        visit.say(call, Answer())
    visit.reply.send()
    exchange.leave(call, reader)


def _project_of(call: HostCall, *, env: Mapping[str, str]) -> Project | None:
    try:
        return find_project(Path(call.folder), env=env)
    except NoProjectError:
        return None


def _isolated(call: HostCall, purpose: str) -> Silence:
    is_told = call.happening is Happening.SESSION_START
    told = f"Backstory: memory is isolated for {purpose}; it is neither read nor written."
    return Silence(because=f"the purpose is {purpose}", notice=told if is_told else "")


def _option(words: Sequence[str], name: str) -> str:
    """Return what follows an option, or ""."""
    for place, word in enumerate(words):
        if word == name:
            return "".join(words[place + 1 : place + 2])
        if word.startswith(f"{name}="):
            return word.removeprefix(f"{name}=")
    return ""
