"""Serving a call in its project, or saying why memory is silent there."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from backstory.adapters.hosts.answers import Answer, takes_context
from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.adapters.project import Project, current_branch, find_project
from backstory.hooks.permitting import (
    Silence,
    silence_of_call,
    silence_of_project,
    silence_of_prompt,
    silence_of_script,
)
from backstory.hooks.reply import deadline_s
from backstory.hooks.visit import Visit
from backstory.model.errors import NoProjectError, StoreOutdatedError, StoreUnavailableError
from backstory.model.limits import MINUTE_MS, SECOND_MS

if TYPE_CHECKING:
    from backstory.wiring.reader import Reader

# Of a hook's time, so much may pass while another process writes: 24 ms where nothing else is
# set. A prompt is answered all the same, and what waits in the spool is taken in by the next one.
_WAITING_SHARE = 0.03
# When an answer or a command is recorded nobody waits to read one: 100 ms.
_UNWATCHED_SHARE = 0.125


def attend(call: HostCall, visit: Visit) -> Silence | None:
    """Serve a call, or return why it is not served."""
    project = _project_of(call, env=visit.env)
    if project is None:
        return Silence(because="it is in no project")
    # What switches memory off comes first: then nothing is read or written, no count either.
    off = silence_of_project(call, project, env=visit.env)
    if off is not None:
        return off
    visit.project = project
    silence = silence_of_call(call, env=visit.env)
    if silence is None:
        return _serve(call, project, visit=visit)
    if silence.is_counted and _isolated_by_settings(project, env=visit.env):
        return Silence(because=silence.because)  # not even a count is written
    return silence


def _isolated_by_settings(project: Project, *, env: Mapping[str, str]) -> bool:
    from backstory.wiring import reader  # noqa: PLC0415 - not loaded where nothing is counted

    return reader.isolated_by(reader.choices_for(project, env=env)) is not None


def _serve(call: HostCall, project: Project, *, visit: Visit) -> Silence | None:
    from backstory.wiring import reader  # noqa: PLC0415 - not loaded where memory is silent

    choices = reader.choices_for(project, env=visit.env)
    purpose = reader.isolated_by(choices)
    if purpose is not None:
        return _isolated(call, purpose.value)
    silence = silence_of_script(call, env=visit.env, choices=choices)
    silence = silence or silence_of_prompt(call, project, choices=choices)
    if silence is not None:
        return silence
    if call.happening is Happening.ANSWER and not call.answer:
        from backstory.adapters.hosts.last_words import with_answer  # noqa: PLC0415 - one host's

        call = visit.call = with_answer(call)
    # From here on, what cannot be stored goes into the spool.
    visit.is_owed = call.happening is not Happening.SESSION_START
    is_first = not reader.store_of(project).exists()
    share = _WAITING_SHARE if takes_context(call) else _UNWATCHED_SHARE
    wait_ms = round(deadline_s() * share * SECOND_MS)
    try:
        opened = reader.open_reader(project, choices, env=visit.env, wait_ms=wait_ms)
    except StoreOutdatedError:
        _bring_up_to_date(call, project, env=visit.env)
        raise
    if not isinstance(opened, reader.Reader):
        visit.is_owed = False
        return _isolated(call, opened.value)
    _use(call, opened, visit=visit, notice=_known_before(opened) if is_first else "")
    return None


def _bring_up_to_date(call: HostCall, project: Project, *, env: Mapping[str, str]) -> None:
    """Have it done in the background, for a hook has no time; each minute until it is done."""
    from backstory.adapters.hosts import silences  # noqa: PLC0415 - once after an upgrade
    from backstory.wiring.work.starting import start_command  # noqa: PLC0415 - as above

    if StoreOutdatedError.slug not in silences.since(project.state_dir, call.at_ms - MINUTE_MS):
        start_command(["work"], project=project, env=env)


def _use(call: HostCall, opened: "Reader", *, visit: Visit, notice: str) -> None:
    from backstory.hooks import exchange  # noqa: PLC0415 - not loaded where memory is silent

    branch = current_branch(opened.project)
    entries: tuple[tuple[str, int], ...] = ()
    told = ""
    if takes_context(call):
        from backstory.hooks import showing  # noqa: PLC0415 - only looking up loads recall

        shown = showing.look_up(call, opened, branch=branch)
        entries, told = shown.entries, shown.notice
        visit.say(call, Answer(context=shown.text, notice=notice or told))
    try:
        is_new = exchange.store(call, opened, shown=entries, branch=branch, is_told=bool(told))
    except StoreUnavailableError:
        if takes_context(call) and exchange.is_answered(call, opened):
            visit.say(call, Answer())
        raise
    visit.is_owed = False
    if takes_context(call) and not is_new:
        # Two settings files name this hook; the other call has answered.
        visit.say(call, Answer())
    visit.reply.send()
    exchange.leave(call, opened)


def _known_before(reader: "Reader") -> str:
    """Return what a person is told, once, where a new memory is likely not the first one."""
    from backstory.adapters.lookalikes import advice, known_before  # noqa: PLC0415 - once

    place = known_before(reader.project, env=reader.env)
    return "" if place is None else f"Backstory: {advice(place)}"


def _project_of(call: HostCall, *, env: Mapping[str, str]) -> Project | None:
    try:
        return find_project(Path(call.folder), env=env)
    except NoProjectError:
        return None


def _isolated(call: HostCall, purpose: str) -> Silence:
    is_told = call.happening is Happening.SESSION_START
    told = f"Backstory: memory is isolated for {purpose}; it is neither read nor written."
    return Silence(because=f"the purpose is {purpose}", notice=told if is_told else "")
