"""What a hook writes: the turn when it begins and when it ends, and the commands between."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from backstory import record
from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.capture.fences import speaker_of, strip_injected
from backstory.model.ids import ThreadId, digest
from backstory.model.limits import HOUR_MS, SECOND_MS
from backstory.model.turn import NewTurn, OpenTurn
from backstory.model.words import Speaker
from backstory.record import without_half_characters

if TYPE_CHECKING:
    from backstory.capture.runners import RanTests
    from backstory.ports.clock import NameSource
    from backstory.ports.store import Tables

# An agent may work for long before it answers; each command that it runs begins this anew.
_TURN_LEASE_MS = HOUR_MS
# Two settings files that name this hook are run at one moment.
DELIVERY_MS = 10 * SECOND_MS
# Where a prompt says who it is from, these are no person.
_MACHINES = frozenset({"system", "loop_wakeup", "schedule_wakeup", "poll_event"})

Taken = Callable[[str], str]


def human_prompt(call: HostCall) -> str:
    """Return the words of a prompt that a person typed, or "" where nobody did.

    A slash command is no sentence of theirs: what it stands for is the host's.
    """
    text = without_half_characters(strip_injected(call.prompt))
    if call.source in _MACHINES or not text.strip() or speaker_of(text) is not Speaker.HUMAN:
        return ""
    first = text.strip().split(maxsplit=1)[0]
    is_command = first.startswith("/") and len(first) > 1 and "/" not in first[1:]
    return "" if is_command else text


def keep(
    tables: "Tables", call: HostCall, *, ids: "NameSource", taken: Taken, branch: str | None = None
) -> bool:
    """Record what happened, and return whether it was new. Doing it again changes nothing."""
    match call.happening:
        case Happening.PROMPT:
            return _begin(tables, call, ids=ids, taken=taken, branch=branch)
        case Happening.COMMAND:
            return _keep_command(tables, call, ids=ids, branch=branch)
        case Happening.ANSWER:
            return _end(tables, call, taken=taken)
        case Happening.SESSION_END:
            return _abandon(tables, call, because="the session ended before an answer")
        case Happening.SESSION_START:
            return record.recover(tables, now_ms=call.at_ms) > 0


def thread_of(tables: "Tables", call: HostCall) -> ThreadId | None:
    """Return the thread of the session, or None where nothing was said in it yet."""
    thread = tables.threads.of_host(call.host, call.session)
    return None if thread is None else thread.id


def bind(tables: "Tables", call: HostCall, *, ids: "NameSource") -> ThreadId:
    """Return the thread of the session, beginning it at first sight."""
    return record.bind_thread(
        tables,
        host=call.host,
        host_key=call.session,
        thread_id=ThreadId(ids("th")),
        now_ms=call.at_ms,
    ).id


def _begin(
    tables: "Tables", call: HostCall, *, ids: "NameSource", taken: Taken, branch: str | None
) -> bool:
    text = taken(human_prompt(call))
    if not text:
        return False
    key = _key(call, text)
    thread_id = bind(tables, call, ids=ids)
    if _is_recorded(tables, call, thread_id=thread_id, text=text):
        return False
    current = tables.turns.open_in(thread_id)
    if current is not None:
        error = "another prompt began before an answer"
        record.fail_turn(tables, current, error=error, now_ms=call.at_ms)
    turn = NewTurn(
        thread_id=thread_id,
        user_text=text,
        said_at_ms=call.at_ms,
        origin=call.host,
        source_key=key,
        branch=branch,
    )
    record.begin_turn(tables, turn, now_ms=call.at_ms, lease_ms=_TURN_LEASE_MS)
    return True


def is_recorded(tables: "Tables", call: HostCall, *, taken: Taken) -> bool:
    """Whether a prompt was recorded by another call of this hook. Nothing is written."""
    thread_id = thread_of(tables, call)
    text = taken(human_prompt(call))
    return thread_id is not None and _is_recorded(tables, call, thread_id=thread_id, text=text)


def _is_recorded(tables: "Tables", call: HostCall, *, thread_id: ThreadId, text: str) -> bool:
    current = tables.turns.open_in(thread_id)
    is_second = _is_second_delivery(tables, call, current=current, text=text)
    return is_second or tables.turns.is_known(_key(call, text))


def _key(call: HostCall, text: str) -> str:
    """Return what names a turn: the host's name for it, or its words and the moment."""
    return f"hook:{call.host}:{call.session}:{call.turn_key or call.at_ms}:{digest(text)[:16]}"


def _is_second_delivery(
    tables: "Tables", call: HostCall, *, current: OpenTurn | None, text: str
) -> bool:
    if current is None or call.turn_key:
        return False
    turn = tables.turns.get(current.id)
    is_recent = turn is not None and abs(call.at_ms - turn.said_at_ms) <= DELIVERY_MS
    return turn is not None and is_recent and turn.user_text == text


def _end(tables: "Tables", call: HostCall, *, taken: Taken) -> bool:
    thread_id = thread_of(tables, call)
    current = None if thread_id is None else tables.turns.open_in(thread_id)
    if current is None:
        return False
    answer = taken(without_half_characters(strip_injected(call.answer)))
    record.complete_turn(tables, current, answer=answer, now_ms=call.at_ms)
    return True


def _abandon(tables: "Tables", call: HostCall, *, because: str) -> bool:
    thread_id = thread_of(tables, call)
    current = None if thread_id is None else tables.turns.open_in(thread_id)
    if current is None:
        return False
    record.fail_turn(tables, current, error=because, now_ms=call.at_ms)
    return True


def _keep_command(
    tables: "Tables", call: HostCall, *, ids: "NameSource", branch: str | None
) -> bool:
    if call.command is None or call.exit_code is None:
        return False
    from backstory.model.event import NewEvent  # noqa: PLC0415 - only a command is an event
    from backstory.record.commands import told_command  # noqa: PLC0415 - as above

    thread_id = bind(tables, call, ids=ids)
    current = tables.turns.open_in(thread_id)
    if current is not None:
        tables.turns.renew(current, now_ms=call.at_ms, lease_ms=_TURN_LEASE_MS)
    told = told_command(call.command, call.exit_code, tests=_tests_of(call))
    event = NewEvent(
        kind=told.kind,
        at_ms=call.at_ms,
        payload=told.payload,
        origin=call.host,
        thread_id=thread_id,
        turn_id=None if current is None else current.id,
        # The same as an importer gives it, so that it is known to that.
        source_key=f"{call.host}:{call.session}:{call.tool_key or call.at_ms}",
        branch=branch,
    )
    return record.record_event(tables, event, now_ms=call.at_ms) is not None


def _tests_of(call: HostCall) -> "RanTests | None":
    if not call.runner:
        return None
    from backstory.capture.runners import RanTests  # noqa: PLC0415

    return RanTests(runner=call.runner, passed=call.passed, failed=call.failed)
