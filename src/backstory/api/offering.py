"""The part of the library for what other programs remember: a person looks it through."""

from collections.abc import Sequence

from backstory import consolidate
from backstory.adapters.importers.memories import Proposal
from backstory.api.reviewing import IMPORT, Reviewing
from backstory.extract.gate import candidate_from
from backstory.model.answers import Offered
from backstory.model.candidate import Candidate, Draft, Reason
from backstory.model.limits import IMPORTED_WAITING_MAX
from backstory.model.words import CandidateState
from backstory.ports.store import Tables

_LOOKED_AT = 10_000


class Offering(Reviewing):
    """Take what other programs remember as proposals."""

    def offer(self, proposals: Sequence[Proposal], *, is_dry_run: bool = False) -> Offered:
        """Let statements of other programs wait for a person; none becomes memory by itself.

        They carry no words that a user was heard to say, so that only a person's approval can
        prove them. What was offered before, whatever became of it, is not offered again.
        """
        desk = self._desk
        if is_dry_run:
            with desk.store.reading() as tables:
                return self._offered(tables, proposals, is_dry_run=True)
        with desk.store.writing() as tables:
            return self._offered(tables, proposals)

    def _offered(
        self, tables: Tables, proposals: Sequence[Proposal], *, is_dry_run: bool = False
    ) -> Offered:
        before = tables.candidates.recent(limit=_LOOKED_AT, states=tuple(CandidateState))
        imported = [stored for stored in before if stored.origin == IMPORT]
        seen = {stored.statement for stored in imported}
        held = sum(stored.state is CandidateState.WAITING for stored in imported)
        waiting: list[str] = []
        counts = {"known": 0, "refused": 0, "left": 0}
        for proposal in proposals:
            candidate = self._candidate(proposal)
            fate = _fate(tables, candidate, seen=seen)
            if fate is None and held + len(waiting) >= IMPORTED_WAITING_MAX:
                fate = "left"
            seen.add(candidate.statement)
            if fate is not None:
                counts[fate] += 1
                continue
            waiting.append(candidate.statement)
            if not is_dry_run:
                self._let_wait(tables, candidate, place=proposal.place)
        return Offered(waiting=tuple(waiting), **counts)

    def _candidate(self, proposal: Proposal) -> Candidate:
        draft = Draft(
            kind=proposal.kind,
            statement=self._desk.taken(proposal.statement),
            quotes=(),
            proposer=f"{IMPORT}:{proposal.program}",
        )
        return candidate_from(draft)

    def _let_wait(self, tables: Tables, candidate: Candidate, *, place: str) -> None:
        now_ms = self._desk.clock()
        because = Reason(slug=IMPORT, message=f"from {place}: no words of yours prove it")
        made = tables.candidates.add(candidate, thread_id=None, now_ms=now_ms)
        tables.candidates.decide(made, CandidateState.WAITING, reasons=(because,), now_ms=now_ms)


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
