"""What other programs remember, taken as proposals: a person looks them through."""

from collections.abc import Sequence
from functools import partial

from backstory import consolidate
from backstory.adapters.importers.memories import Proposal
from backstory.extract.gate import candidate_from
from backstory.jobs import pages, writing_after
from backstory.model.answers import Offered
from backstory.model.candidate import Candidate, Draft, Reason, StoredCandidate
from backstory.model.limits import IMPORTED_WAITING_MAX
from backstory.model.words import CandidateState
from backstory.ports.store import Tables
from backstory.wiring.desk import Desk

IMPORT = "import"
_LOOKED_AT = 10_000
# Looked up and written in one go: a statement takes some two milliseconds.
_AT_ONCE = 20


def offer(desk: Desk, proposals: Sequence[Proposal], *, is_dry_run: bool) -> Offered:
    """Let statements wait for a person, but for those that were offered before or are known."""
    offering = _Offering(desk, is_dry_run=is_dry_run)
    candidates = [(_candidate(one, desk=desk), one.place) for one in proposals]
    for page in pages(candidates, _AT_ONCE):
        offering.take(page)
    return Offered(waiting=tuple(offering.waiting), **offering.counts)


class _Offering:
    """Statements taken a few at a time, so that no transaction that writes takes long."""

    def __init__(self, desk: Desk, *, is_dry_run: bool) -> None:
        self._desk = desk
        self._is_dry_run = is_dry_run
        if not is_dry_run:
            with desk.store.writing() as tables:
                consolidate.discard_expired(tables, now_ms=desk.clock())
        with desk.store.reading() as tables:
            before = tables.candidates.recent(limit=_LOOKED_AT, states=tuple(CandidateState))
            self._shelf = consolidate.Shelf(tables)
        imported = [stored for stored in before if stored.origin == IMPORT]
        self._seen = {stored.statement for stored in imported if not _is_expired(stored)}
        self._held = sum(stored.state is CandidateState.WAITING for stored in imported)
        self.waiting: list[str] = []
        self.counts = {"known": 0, "refused": 0, "left": 0}

    def take(self, candidates: Sequence[tuple[Candidate, str]]) -> None:
        """Let these wait, each with the place that it is from, or count why they do not."""
        fates = partial(self._fates, candidates=candidates)
        if self._is_dry_run:
            with self._desk.store.reading() as tables:
                self._count(candidates, fates(tables))
            return
        again = partial(self._fates_again, candidates=candidates)
        with writing_after(self._desk.store, fates, again=again) as (tables, found):
            for candidate, place in self._count(candidates, found):
                _let_wait(tables, candidate, place=place, now_ms=self._desk.clock())

    def _fates(
        self, tables: Tables, *, candidates: Sequence[tuple[Candidate, str]]
    ) -> list[str | None]:
        self._shelf = self._shelf.caught_up(tables) or consolidate.Shelf(tables)
        return [_fate(tables, one, shelf=self._shelf) for one, _ in candidates]

    def _fates_again(
        self,
        _before: list[str | None],
        tables: Tables,
        *,
        candidates: Sequence[tuple[Candidate, str]],
    ) -> list[str | None] | None:
        if self._shelf.caught_up(tables) is None:
            return None
        return [_fate(tables, one, shelf=self._shelf) for one, _ in candidates]

    def _count(
        self, candidates: Sequence[tuple[Candidate, str]], fates: Sequence[str | None]
    ) -> list[tuple[Candidate, str]]:
        """Count what need not wait, and return the others."""
        left = []
        for (candidate, place), found in zip(candidates, fates, strict=True):
            fate = "known" if candidate.statement in self._seen else found
            if fate is None and self._held + len(self.waiting) >= IMPORTED_WAITING_MAX:
                fate = "left"
            self._seen.add(candidate.statement)
            if fate is not None:
                self.counts[fate] += 1
                continue
            self.waiting.append(candidate.statement)
            left.append((candidate, place))
        return left


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


def _fate(tables: Tables, candidate: Candidate, *, shelf: consolidate.Shelf) -> str | None:
    """Return why a statement need not wait, or None."""
    match consolidate.known(tables, candidate, shelf=shelf):
        case consolidate.Reject():
            return "refused"
        case consolidate.Revise():
            return "known"
    return None


def _let_wait(tables: Tables, candidate: Candidate, *, place: str, now_ms: int) -> None:
    because = Reason(slug=IMPORT, message=f"from {place}: no words of yours prove it")
    made = tables.candidates.add(candidate, thread_id=None, now_ms=now_ms)
    tables.candidates.decide(made, CandidateState.WAITING, reasons=(because,), now_ms=now_ms)
