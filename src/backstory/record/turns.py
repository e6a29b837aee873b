"""Recording turns: durable before any model sees them, and the job that will read them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from backstory.model.errors import NotFoundError
from backstory.model.ids import ThreadId, TurnId
from backstory.model.limits import EXTRACT_WAITING_MS, EXTRACT_WAITING_TURNS, TURN_LEASE_MS
from backstory.model.turn import NewTurn, OpenTurn
from backstory.model.words import JobKind, Speaker
from backstory.record.verbatim import refuse_half_characters

if TYPE_CHECKING:
    from backstory.ports.store import Tables


def begin_turn(
    tables: "Tables", turn: NewTurn, *, now_ms: int, lease_ms: int = TURN_LEASE_MS
) -> OpenTurn:
    """Store what the user said, before the host calls its model.

    Everything done with the answer is bound to the thread named here. A turn whose source key
    was seen before is a replay: finishing it changes nothing. Raises `NotFoundError` for an
    unknown thread and `UnreadableInputError` for text that cannot be stored without loss.
    """
    _refuse_unrecordable(tables, turn)
    return tables.turns.begin(turn, now_ms=now_ms, lease_ms=lease_ms)


def complete_turn(
    tables: "Tables", turn: OpenTurn, *, answer: str, now_ms: int, is_project_wide: bool = False
) -> None:
    """Store the final answer that the user saw, and see to it that the turn is read.

    `is_project_wide` marks an explanation of the whole project, which is read at once.
    Raises `LeaseLostError` where the turn was ended, recovered or cleared meanwhile.
    """
    refuse_half_characters(answer)
    tables.turns.complete(turn, answer, now_ms=now_ms)
    _expect_extraction(tables, turn, now_ms=now_ms, is_project_wide=is_project_wide)


def fail_turn(tables: "Tables", turn: OpenTurn, *, error: str, now_ms: int) -> None:
    """Keep the user's words of a turn that got no answer; they stand, and are read."""
    refuse_half_characters(error)
    tables.turns.fail(turn, error, now_ms=now_ms)
    _expect_extraction(tables, turn, now_ms=now_ms, is_project_wide=False)


def add_finished_turn(
    tables: "Tables", turn: NewTurn, *, answer: str, now_ms: int
) -> TurnId | None:
    """Store a turn that is over, or return None where its source key is known."""
    _refuse_unrecordable(tables, turn)
    refuse_half_characters(answer)
    turn_id = tables.turns.add_finished(turn, answer, now_ms=now_ms)
    if turn_id is not None and turn.speaker is Speaker.HUMAN:
        _enqueue(tables, turn.thread_id, now_ms=now_ms, is_at_once=_is_urgent(turn.user_text))
    return turn_id


def add_finished_turns(
    tables: "Tables", turns: Sequence[tuple[NewTurn, str]], *, now_ms: int
) -> tuple[TurnId | None, ...]:
    """Store turns that are over with their answers, in order; None stands for a known one.

    The same as `add_finished_turn` for each, but that a thread's job is looked after once.
    """
    is_at_once: dict[ThreadId, bool] = {}
    ids: list[TurnId | None] = []
    for thread_id in {turn.thread_id for turn, _ in turns}:
        if tables.threads.get(thread_id) is None:
            raise NotFoundError(f"there is no thread {thread_id}")
    for turn, answer in turns:
        refuse_half_characters(turn.user_text)
        refuse_half_characters(answer)
        turn_id = tables.turns.add_finished(turn, answer, now_ms=now_ms)
        ids.append(turn_id)
        if turn_id is not None and turn.speaker is Speaker.HUMAN:
            urgent = is_at_once.get(turn.thread_id, False) or _is_urgent(turn.user_text)
            is_at_once[turn.thread_id] = urgent
    for thread_id, urgent in is_at_once.items():
        _enqueue(tables, thread_id, now_ms=now_ms, is_at_once=urgent)
    return tuple(ids)


def recover(tables: "Tables", *, now_ms: int) -> int:
    """End the turns that were abandoned, and return how many; the user's words are read.

    Only those whose lease ran out: an open turn may belong to another process.
    """
    threads = tables.turns.threads_expired(now_ms=now_ms)
    if not threads:
        return 0
    count = tables.turns.interrupt_expired(now_ms=now_ms)
    for thread_id in threads:
        _enqueue(tables, thread_id, now_ms=now_ms, is_at_once=False)
    return count


def _refuse_unrecordable(tables: "Tables", turn: NewTurn) -> None:
    refuse_half_characters(turn.user_text)
    if tables.threads.get(turn.thread_id) is None:
        raise NotFoundError(f"there is no thread {turn.thread_id}")


def _expect_extraction(
    tables: "Tables", turn: OpenTurn, *, now_ms: int, is_project_wide: bool
) -> None:
    if turn.is_replay:
        return
    stored = tables.turns.get(turn.id)
    if stored is None or stored.speaker is not Speaker.HUMAN:
        return
    is_at_once = is_project_wide or _is_urgent(stored.user_text)
    _enqueue(tables, stored.thread_id, now_ms=now_ms, is_at_once=is_at_once)


def _is_urgent(text: str) -> bool:
    from backstory.record.urgent import is_urgent  # noqa: PLC0415 - when a turn ends, not before

    return is_urgent(text)


def _enqueue(tables: "Tables", thread_id: ThreadId, *, now_ms: int, is_at_once: bool) -> None:
    waiting = tables.turns.waiting(thread_id, limit=EXTRACT_WAITING_TURNS)
    if not waiting:  # it stands behind an open turn, whose end will bring us here again
        return
    is_due = is_at_once or len(waiting) >= EXTRACT_WAITING_TURNS
    due_at_ms = now_ms if is_due else now_ms + EXTRACT_WAITING_MS
    tables.jobs.enqueue(JobKind.EXTRACT, thread_id, due_at_ms=due_at_ms, now_ms=now_ms)
