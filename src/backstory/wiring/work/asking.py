"""The stages with a model: it reads what the rules have read, and the program decides.

Whatever the model or its server does costs no more than its own proposals: turns are recorded
and read by rule before, and a failure is written down and tried again by the job's schedule.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from backstory import consolidate, index
from backstory.consolidate import Opinion, Proposed, related_items
from backstory.consolidate.model import ask_for_opinions
from backstory.extract import Window
from backstory.extract.model import Proposal, judge, propose
from backstory.jobs import JobFailedError, hold, writing_after
from backstory.model.candidate import Candidate, Draft, Verdict
from backstory.model.errors import IllegalOperationError
from backstory.model.ids import CandidateId, ThreadId
from backstory.model.job import FailureCause, Lease
from backstory.model.limits import CANDIDATES_PER_BATCH_MAX, EXTRACT_BATCH_TURNS
from backstory.model.turn import Turn
from backstory.model.words import JobKind
from backstory.pipeline import Surroundings, Written, window_of
from backstory.ports.clock import Clock, NameSource
from backstory.ports.model_client import ModelClient
from backstory.ports.store import Store, Tables
from backstory.ports.store_rows import Forgotten
from backstory.wiring.masking import masked


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What asking takes: a client for each thread, whose spending counts for that thread."""

    client_for: Callable[[ThreadId], ModelClient]
    clock: Clock
    ids: NameSource
    surroundings: Surroundings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """Turns as a model may see them, and what their thread was about so far."""

    window: Window
    summary: str
    forgotten: tuple[Forgotten, ...]


def run_propose(store: Store, lease: Lease, *, asking: Asking) -> None:
    """Let a model propose from the turns of one thread that the rules have read.

    No transaction is open while it is asked. All of its proposals are kept in one, together with
    the mark that the turns are done; a lease that was lost or memory that was cleared meanwhile
    refuses them. Raises `JobFailedError` where the model cannot be asked now.
    """
    thread_id = ThreadId(lease.subject)
    with store.reading() as tables:
        turns = tables.turns.unasked(thread_id, limit=EXTRACT_BATCH_TURNS)
        read = _read(tables, turns, written=asking.surroundings.written)
    if not read.window.turns:
        with store.writing() as tables:
            tables.jobs.finish(lease, now_ms=asking.clock())
        return
    client = asking.client_for(thread_id)
    proposal = propose(read.window, client, summary=read.summary)
    verdicts = _verdicts(proposal, read)
    opinions = (
        _opinions(store, verdicts, thread_id=thread_id, client=client)
        if not proposal.waiting
        else {}
    )
    with store.writing() as tables:
        kept = _keep(tables, lease, proposal=proposal, read=read, verdicts=verdicts, asking=asking)
    advice = {kept[at]: _on(kept[at], one) for at, one in opinions.items()}
    _consolidate(store, advice, asking=asking)
    if proposal.waiting is not None:
        raise JobFailedError(
            proposal.waiting.summary,
            cause=proposal.waiting.cause,
            retry_after_ms=proposal.waiting.retry_after_ms,
            diagnosis=proposal.waiting.diagnosis.text,
        )


def _read(tables: Tables, turns: Sequence[Turn], *, written: Written) -> _Read:
    previous = tables.turns.before(turns[0]) if turns else None
    seen = [*turns, *([previous] if previous is not None else [])]
    forgotten = tables.turns.forgotten_in([turn.id for turn in seen])
    thread = tables.threads.get(turns[0].thread_id) if turns else None
    window = window_of(
        [masked(turn, forgotten) for turn in turns],
        None if previous is None else masked(previous, forgotten),
        written=written,
    )
    return _Read(window=window, summary=thread.summary if thread else "", forgotten=forgotten)


def _verdicts(proposal: Proposal, read: _Read) -> tuple[Verdict, ...]:
    drafts = [draft for draft in proposal.drafts if not _touches(draft, read.forgotten)]
    # Split batches are bounded each by itself; so is what they amount to.
    return tuple(judge(draft, read.window) for draft in drafts[:CANDIDATES_PER_BATCH_MAX])


def _touches(draft: Draft, forgotten: Sequence[Forgotten]) -> bool:
    return any(
        quote.turn_id == span.turn_id
        and quote.role is span.role
        and quote.start < span.end
        and span.start < quote.end
        for quote in draft.quotes
        for span in forgotten
    )


def _opinions(
    store: Store, verdicts: Sequence[Verdict], *, thread_id: ThreadId, client: ModelClient
) -> dict[int, Opinion]:
    """Return what the model advises for its accepted proposals, by their place among all.

    Nothing comes of a failure: the rules decide without.
    """
    proposed = [
        Proposed(id=CandidateId(f"new-{at}"), candidate=verdict, thread_id=thread_id)
        for at, verdict in enumerate(verdicts)
        if isinstance(verdict, Candidate)
    ]
    if not proposed:
        return {}
    with store.reading() as tables:
        items = related_items(tables, proposed)
    if not items:
        return {}
    advice = ask_for_opinions(proposed, items, client=client).by_candidate
    return {
        int(candidate_id.removeprefix("new-")): opinion for candidate_id, opinion in advice.items()
    }


def _on(candidate_id: CandidateId, opinion: Opinion) -> Opinion:
    """Return an opinion on a candidate by the name that the store gave it."""
    return replace(opinion, operation=replace(opinion.operation, candidate_id=candidate_id))


def _keep(
    tables: Tables,
    lease: Lease,
    *,
    proposal: Proposal,
    read: _Read,
    verdicts: Sequence[Verdict],
    asking: Asking,
) -> list[CandidateId]:
    now_ms, thread_id = asking.clock(), ThreadId(lease.subject)
    if proposal.waiting is None:
        tables.jobs.finish(lease, now_ms=now_ms)
    else:
        hold(tables, lease, now_ms=now_ms)
    _refuse_if_changed(tables, read)
    kept = [tables.candidates.add(v, thread_id=thread_id, now_ms=now_ms) for v in verdicts]
    tables.turns.mark_asked(proposal.seen)
    for given_up in proposal.given_up:
        tables.jobs.add_dead(
            JobKind.PROPOSE,
            thread_id,
            payload=json.dumps({"turns": [given_up.turn_id]}),
            error=f"no proposals from turn {given_up.turn_id}: {given_up.failure.summary}",
            diagnosis=given_up.failure.diagnosis.text,
            now_ms=now_ms,
        )
    tables.threads.set_summary(thread_id, proposal.summary)
    if proposal.waiting is None and tables.turns.unasked(thread_id, limit=1):
        tables.jobs.enqueue(JobKind.PROPOSE, thread_id, due_at_ms=now_ms, now_ms=now_ms)
    if any(isinstance(verdict, Candidate) for verdict in verdicts):
        tables.jobs.enqueue(JobKind.CONSOLIDATE, "", due_at_ms=now_ms, now_ms=now_ms)
    return kept


def _refuse_if_changed(tables: Tables, read: _Read) -> None:
    """Refuse what was made of words that were forgotten or erased while the model was asked."""
    turns = tuple(_stored(tables, read.window.turns))
    again = _read(tables, turns, written=lambda: read.window.written)
    if again != read:
        raise JobFailedError(
            "what the model was shown has changed meanwhile: it is asked again",
            cause=FailureCause.TRANSIENT,
        )


def _stored(tables: Tables, turns: Sequence[Turn]) -> Iterator[Turn]:
    for turn in turns:
        stored = tables.turns.get(turn.id)
        if stored is not None:
            yield stored


def _consolidate(store: Store, opinions: Mapping[CandidateId, Opinion], *, asking: Asking) -> None:
    """Decide with the model's advice at once; where that is illegal, the job decides without."""
    if not opinions:
        return
    try:
        shelf_of = consolidate.Shelf
        with writing_after(store, shelf_of, again=shelf_of.caught_up) as (tables, shelf):
            touched = consolidate.consolidate_pending(
                tables,
                ids=asking.ids,
                now_ms=asking.clock(),
                is_reviewed=asking.surroundings.is_reviewed,
                opinions=opinions,
                shelf=shelf,
            )
            index.refresh(tables, touched)
            asking.surroundings.after_change(tables, touched)
    except IllegalOperationError:
        return
