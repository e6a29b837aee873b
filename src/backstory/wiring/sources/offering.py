"""What other programs remember, taken as proposals: a person looks them through."""

from collections.abc import Sequence

from backstory import consolidate
from backstory.adapters.importers.memories import Proposal
from backstory.extract.gate import candidate_from
from backstory.model.answers import Offered
from backstory.model.candidate import Candidate, Draft, Reason, StoredCandidate
from backstory.model.limits import IMPORTED_WAITING_MAX
from backstory.model.words import CandidateState
from backstory.ports.store import Tables
from backstory.wiring.desk import Desk

IMPORT = "import"
_LOOKED_AT = 10_000


def offer(
    tables: Tables, proposals: Sequence[Proposal], *, desk: Desk, is_dry_run: bool
) -> Offered:
    """Let statements wait for a person, but for those that were offered before or are known."""
    if not is_dry_run:
        consolidate.discard_expired(tables, now_ms=desk.clock())
    before = tables.candidates.recent(limit=_LOOKED_AT, states=tuple(CandidateState))
    imported = [stored for stored in before if stored.origin == IMPORT]
    seen = {stored.statement for stored in imported if not _is_expired(stored)}
    held = sum(stored.state is CandidateState.WAITING for stored in imported)
    waiting: list[str] = []
    counts = {"known": 0, "refused": 0, "left": 0}
    for proposal in proposals:
        candidate = _candidate(proposal, desk=desk)
        fate = _fate(tables, candidate, seen=seen)
        if fate is None and held + len(waiting) >= IMPORTED_WAITING_MAX:
            fate = "left"
        seen.add(candidate.statement)
        if fate is not None:
            counts[fate] += 1
            continue
        waiting.append(candidate.statement)
        if not is_dry_run:
            _let_wait(tables, candidate, place=proposal.place, now_ms=desk.clock())
    return Offered(waiting=tuple(waiting), **counts)


def _is_expired(stored: StoredCandidate) -> bool:
    return consolidate.EXPIRED in stored.reasons


def _candidate(proposal: Proposal, *, desk: Desk) -> Candidate:
    draft = Draft(
        kind=proposal.kind,
        statement=desk.taken(proposal.statement),
        quotes=(),
        proposer=f"{IMPORT}:{proposal.program}",
    )
    return candidate_from(draft)


def _fate(tables: Tables, candidate: Candidate, *, seen: set[str]) -> str | None:
    """Return why a statement need not wait, or None."""
    if candidate.statement in seen:
        return "known"
    match consolidate.known(tables, candidate):
        case consolidate.Reject():
            return "refused"
        case consolidate.Revise():
            return "known"
    return None


def _let_wait(tables: Tables, candidate: Candidate, *, place: str, now_ms: int) -> None:
    because = Reason(slug=IMPORT, message=f"from {place}: no words of yours prove it")
    made = tables.candidates.add(candidate, thread_id=None, now_ms=now_ms)
    tables.candidates.decide(made, CandidateState.WAITING, reasons=(because,), now_ms=now_ms)
