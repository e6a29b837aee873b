"""What a hook leaves in an open store, and who does the work that follows from it."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from backstory import record
from backstory.adapters.hosts import spool
from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.hooks.keeping import DELIVERY_MS, bind, is_recorded, keep
from backstory.hooks.permitting import forget_old_marks
from backstory.model.errors import BackstoryError, StoreUnavailableError
from backstory.model.words import Source
from backstory.ports.store_rows import Cursor
from backstory.wiring.reader import Reader

if TYPE_CHECKING:
    from backstory.ports.store import Tables

# Of the sessions that hooks saw, so many are looked at when another one starts.
_CAUGHT_UP_MAX = 20
_FORGETFUL_STARTS = frozenset({"clear", "compact"})
# What is recorded of these only while their source is on.
_SOURCES = {
    Happening.PROMPT: Source.CONVERSATIONS,
    Happening.ANSWER: Source.CONVERSATIONS,
    Happening.COMMAND: Source.COMMANDS,
}
# When there may be more of the story: what was committed meanwhile, and what a turn led to.
_TELLING = frozenset({Happening.SESSION_START, Happening.ANSWER})


def store(
    call: HostCall,
    reader: Reader,
    *,
    shown: Sequence[tuple[str, int]],
    branch: str | None,
    is_told: bool = False,
) -> bool:
    """Record the call, what waited in the spool before it, what was shown, and what was told.

    Returns whether the call was new. Raises `StoreUnavailableError` where nothing can be
    written now.
    """
    _drain(reader)
    with reader.store.writing() as tables:
        is_new = _keep(tables, call, reader=reader, branch=branch)
        if call.happening is Happening.SESSION_START:
            _note_transcript(tables, call)
            is_new = _claim_start(tables, call)
            if is_new and is_told:
                from backstory.hooks import inbox  # noqa: PLC0415 - once a day

                inbox.note_told(tables, now_ms=call.at_ms)
        if call.happening in _TELLING:
            is_start = call.happening is Happening.SESSION_START
            record.expect_telling(tables, now_ms=call.at_ms, is_at_once=is_start)
        if is_new and shown:
            thread_id = bind(tables, call, ids=reader.ids)
            tables.injections.add(shown, part="relevant", thread_id=thread_id, now_ms=call.at_ms)
    return is_new


def is_answered(call: HostCall, reader: Reader) -> bool:
    """Whether another call has answered, asked while nothing can be written into the store.

    Where none has, it is noted that this one does.
    """
    from backstory.adapters.hosts import answered  # noqa: PLC0415 - seldom needed

    state_dir = reader.project.state_dir
    if not answered.claim(state_dir, call, within_ms=DELIVERY_MS):
        return True
    with reader.store.reading() as tables:
        return is_recorded(tables, call, taken=reader.taken)


def _keep(tables: "Tables", call: HostCall, *, reader: Reader, branch: str | None = None) -> bool:
    """Record a call, unless its source is switched off; a prompt then counts as new."""
    source = _SOURCES.get(call.happening)
    if source is not None and not reader.choices.captures(source):
        return call.happening is Happening.PROMPT
    return keep(tables, call, ids=reader.ids, taken=reader.taken, branch=branch)


def _claim_start(tables: "Tables", call: HostCall) -> bool:
    # A session that was compacted or cleared has lost what it was shown.
    again = call.source if call.source in _FORGETFUL_STARTS else ""
    key = f"start:{call.host}:{call.session}:{again}"
    return tables.injections.claim(key, within_ms=DELIVERY_MS, now_ms=call.at_ms)


def leave(call: HostCall, reader: Reader) -> None:
    """Start in the background what is due, and let go of the store."""
    if call.happening is Happening.SESSION_START:
        from backstory.adapters.hosts import answered  # noqa: PLC0415 - not for a prompt

        forget_old_marks(reader.project, now_s=call.at_ms / 1000)
        answered.forget(reader.project.state_dir, before_ms=call.at_ms - DELIVERY_MS)
        _catch_up(call, reader)
    if call.happening in (Happening.SESSION_START, Happening.ANSWER):
        _take_in_shell(reader)
        from backstory.wiring.work.starting import start_worker_if_due  # noqa: PLC0415 - as below

        start_worker_if_due(reader)
    reader.store.close()


def _take_in_shell(reader: Reader) -> None:
    if (reader.project.state_dir / spool.FOLDER_NAME / "shell.lines").exists():
        from backstory.wiring.sources.shell import take_in_shell  # noqa: PLC0415 - seldom needed

        take_in_shell(reader)


def _drain(reader: Reader) -> None:
    for path, call in spool.waiting(reader.project.state_dir):
        try:
            with reader.store.writing() as tables:
                _keep(tables, call, reader=reader)
        except StoreUnavailableError:
            raise
        except BackstoryError:
            # It can never be stored; the others must not wait behind it.
            spool.put_aside(path)
            continue
        path.unlink(missing_ok=True)


def _note_transcript(tables: "Tables", call: HostCall) -> None:
    """Note where the session is written, so that what hooks miss is read there later."""
    if not call.transcript or tables.cursors.get(os.path.realpath(call.transcript)) is not None:
        return
    cursor = Cursor(
        path=os.path.realpath(call.transcript),
        host=call.host,
        fingerprint="",
        byte_offset=0,
        line=0,
        bad_lines=0,
        carry=json.dumps({}),
    )
    tables.cursors.put(cursor, now_ms=call.at_ms)


def _catch_up(call: HostCall, reader: Reader) -> None:
    """Import what sessions that hooks saw have said beyond what is known, in the background."""
    if not reader.choices.captures(Source.CONVERSATIONS):
        return
    with reader.store.reading() as tables:
        cursors = tables.cursors.listed()
    behind = [cursor.path for cursor in cursors if _is_behind(cursor)]
    current = os.path.realpath(call.transcript) if call.transcript else ""
    paths = [path for path in behind if path != current][-_CAUGHT_UP_MAX:]
    if paths:
        from backstory.wiring.work.starting import start_command  # noqa: PLC0415 - not for a prompt

        start_command(["import", *paths], project=reader.project, env=reader.env)


def _is_behind(cursor: Cursor) -> bool:
    try:
        return Path(cursor.path).stat().st_size > cursor.byte_offset
    except (OSError, ValueError):
        return False
