"""The order of the stages, written once: which job does what, and which job follows."""

from dataclasses import replace

from backstory import consolidate, index
from backstory.extract import Window, discussion_of, extract
from backstory.jobs import Runners
from backstory.model.candidate import Candidate, Verdict
from backstory.model.ids import ThreadId
from backstory.model.job import Lease
from backstory.model.limits import EXTRACT_BATCH_TURNS
from backstory.model.turn import Turn
from backstory.model.words import JobKind, TurnState
from backstory.ports.clock import Clock, NameSource
from backstory.ports.store import Store


def runners(
    store: Store,
    *,
    clock: Clock,
    ids: NameSource,
    is_reviewed: consolidate.ReviewRule = consolidate.is_review_on,
) -> Runners:
    """Return what runs each kind of job on a store."""
    return {
        JobKind.EXTRACT: lambda lease: run_extract(store, lease, clock=clock),
        JobKind.CONSOLIDATE: lambda lease: run_consolidate(
            store, lease, clock=clock, ids=ids, is_reviewed=is_reviewed
        ),
    }


def run_extract(store: Store, lease: Lease, *, clock: Clock) -> None:
    """Read the waiting turns of one thread, and keep every proposal and refusal."""
    thread_id = ThreadId(lease.subject)
    with store.reading() as tables:
        turns = tables.turns.waiting(thread_id, limit=EXTRACT_BATCH_TURNS)
        previous = tables.turns.before(turns[0]) if turns else None
    verdicts = _proposals(turns, previous)
    with store.writing() as tables:
        now_ms = clock()
        tables.jobs.finish(lease, now_ms=now_ms)
        for verdict in verdicts:
            tables.candidates.add(verdict, thread_id=thread_id, now_ms=now_ms)
        tables.turns.mark_extracted([turn.id for turn in turns])
        if tables.turns.waiting(thread_id, limit=1):
            tables.jobs.enqueue(JobKind.EXTRACT, thread_id, due_at_ms=now_ms, now_ms=now_ms)
        if any(isinstance(verdict, Candidate) for verdict in verdicts):
            tables.jobs.enqueue(JobKind.CONSOLIDATE, "", due_at_ms=now_ms, now_ms=now_ms)


def run_consolidate(
    store: Store,
    lease: Lease,
    *,
    clock: Clock,
    ids: NameSource,
    is_reviewed: consolidate.ReviewRule = consolidate.is_review_on,
) -> None:
    """Let the proposals that wait change memory and its index, all of it or nothing."""
    with store.writing() as tables:
        now_ms = clock()
        tables.jobs.finish(lease, now_ms=now_ms)
        touched = consolidate.consolidate_pending(
            tables, ids=ids, now_ms=now_ms, is_reviewed=is_reviewed
        )
        index.refresh(tables, touched)
        if tables.candidates.pending(limit=1):
            tables.jobs.enqueue(JobKind.CONSOLIDATE, "", due_at_ms=now_ms, now_ms=now_ms)


def _proposals(turns: tuple[Turn, ...], previous: Turn | None) -> tuple[Verdict, ...]:
    if not turns:
        return ()
    window = Window(
        turns=tuple(_as_seen(turn) for turn in turns),
        previous=None if previous is None else _as_seen(previous),
    )
    return (*extract(window), *discussion_of(window))


def _as_seen(turn: Turn) -> Turn:
    """Return the turn as far as the user saw it: an answer cut off by a failure was not given."""
    return turn if turn.state is TurnState.COMPLETED else replace(turn, answer_text="")
