"""The order of the stages, written once: which job does what, and which job follows."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from backstory import consolidate, index
from backstory.extract import Window, discussion_of, extract
from backstory.jobs import Runners, writing_after
from backstory.model.candidate import Candidate
from backstory.model.ids import ItemId, ThreadId, TurnId
from backstory.model.job import Job, Lease
from backstory.model.limits import EXTRACT_BATCH_TURNS
from backstory.model.turn import Turn
from backstory.model.words import JobKind, TurnState
from backstory.ports.clock import Clock, NameSource
from backstory.ports.store import Store, Tables

AfterChange = Callable[[Tables, Sequence[ItemId]], None]
"""What else has to follow where items were touched, in the same transaction."""


def nothing_more(tables: Tables, touched: Sequence[ItemId]) -> None:
    """Let nothing follow."""


Written = Callable[[], frozenset[str]]
"""Return the lines of files that agents read by themselves, as `extract.line_form` has them."""


def nothing_written() -> frozenset[str]:
    """Return no line."""
    return frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the stages have to know of the project that they work for, beyond its store."""

    is_reviewed: consolidate.ReviewRule = consolidate.is_review_on
    after_change: AfterChange = nothing_more
    written: Written = nothing_written


def runners(
    store: Store,
    *,
    clock: Clock,
    ids: NameSource,
    surroundings: Surroundings,
    is_model_asked: bool = False,
) -> Runners:
    """Return what runs each kind of job on a store without asking a model.

    With `is_model_asked` what the rules have read waits for a model as well, which a worker
    that has one asks (`wiring.work.asking`).
    """
    return {
        JobKind.EXTRACT: lambda lease: run_extract(
            store,
            lease,
            clock=clock,
            is_model_asked=is_model_asked,
            written=surroundings.written,
        ),
        JobKind.CONSOLIDATE: lambda lease: run_consolidate(
            store,
            lease,
            clock=clock,
            ids=ids,
            surroundings=surroundings,
        ),
    }


def run_extract(
    store: Store,
    lease: Lease,
    *,
    clock: Clock,
    is_model_asked: bool = False,
    written: Written = nothing_written,
) -> None:
    """Read the waiting turns of one thread by rule, and keep every proposal and refusal."""
    thread_id = ThreadId(lease.subject)
    with store.reading() as tables:
        turns = tables.turns.waiting(thread_id, limit=EXTRACT_BATCH_TURNS)
        previous = tables.turns.before(turns[0]) if turns else None
    window = window_of(turns, previous, written=written)
    verdicts = (*extract(window), *discussion_of(window))
    with store.writing() as tables:
        now_ms = clock()
        tables.jobs.finish(lease, now_ms=now_ms)
        for verdict in verdicts:
            tables.candidates.add(verdict, thread_id=thread_id, now_ms=now_ms)
        tables.turns.mark_extracted([turn.id for turn in turns])
        if is_model_asked and turns:
            tables.jobs.enqueue(JobKind.PROPOSE, thread_id, due_at_ms=now_ms, now_ms=now_ms)
        for following in tables.turns.waiting(thread_id, limit=1):
            # A conversation is read to its end before a later one begins: what was said last
            # has to be decided last.
            due_at_ms = min(following.said_at_ms, now_ms)
            tables.jobs.enqueue(JobKind.EXTRACT, thread_id, due_at_ms=due_at_ms, now_ms=now_ms)
        if any(isinstance(verdict, Candidate) for verdict in verdicts):
            tables.jobs.enqueue(JobKind.CONSOLIDATE, "", due_at_ms=now_ms, now_ms=now_ms)


def run_consolidate(
    store: Store,
    lease: Lease,
    *,
    clock: Clock,
    ids: NameSource,
    surroundings: Surroundings,
) -> None:
    """Let the proposals that wait change memory and its index, all of it or nothing."""
    shelf_of = consolidate.Shelf
    with writing_after(store, shelf_of, again=shelf_of.caught_up) as (tables, shelf):
        now_ms = clock()
        tables.jobs.finish(lease, now_ms=now_ms)
        touched = consolidate.consolidate_pending(
            tables, ids=ids, now_ms=now_ms, is_reviewed=surroundings.is_reviewed, shelf=shelf
        )
        index.refresh(tables, touched)
        surroundings.after_change(tables, touched)
        if tables.candidates.pending(limit=1):
            tables.jobs.enqueue(JobKind.CONSOLIDATE, "", due_at_ms=now_ms, now_ms=now_ms)


def revive(tables: Tables, job: Job, *, now_ms: int) -> None:
    """Let a job that was given up wait again, with the turns that it was given up for.

    Raises `NotFoundError` where it is no dead job.
    """
    tables.jobs.revive(job.id, now_ms=now_ms)
    turn_ids = json.loads(job.payload).get("turns", ())
    tables.turns.mark_asked([TurnId(str(turn_id)) for turn_id in turn_ids], is_asked=False)


def window_of(
    turns: Sequence[Turn], previous: Turn | None, *, written: Written = nothing_written
) -> Window:
    """Return turns of a thread as a proposer reads them."""
    has_lines = any("\n" in turn.user_text for turn in turns)
    return Window(
        written=written() if has_lines else nothing_written(),
        turns=tuple(_as_seen(turn) for turn in turns),
        previous=None if previous is None else _as_seen(previous),
    )


def _as_seen(turn: Turn) -> Turn:
    """Return the turn as far as the user saw it: an answer cut off by a failure was not given."""
    return turn if turn.state is TurnState.COMPLETED else replace(turn, answer_text="")
