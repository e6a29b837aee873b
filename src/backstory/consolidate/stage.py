"""Stage 2: what waits becomes memory, changes memory, or is refused; all of it or none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from backstory.consolidate.advice import Opinion, advised
from backstory.consolidate.operations import (
    RETIREMENTS_PER_RUN_MAX,
    Operation,
    Proposed,
    Reject,
    Revise,
    retired_by,
    targets_of,
    verify,
)
from backstory.consolidate.rules import buried, decide
from backstory.consolidate.shelf import Shelf
from backstory.consolidate.writing import Writer
from backstory.model.candidate import Candidate, Reason, StoredCandidate
from backstory.model.ids import CandidateId, ItemId
from backstory.model.item import Item
from backstory.model.limits import (
    CANDIDATE_ALIASES_MAX,
    OPERATIONS_PER_BATCH_MAX,
    RELATED_OFFERED_MAX,
)
from backstory.model.words import CandidateState
from backstory.ports.clock import NameSource
from backstory.ports.store import Tables

# The setting that lets new items wait for a person.
REVIEW_SETTING = "review"


def is_review_on(tables: Tables) -> bool:
    """Whether the project lets new items wait for a person's approval."""
    return (tables.meta.setting(REVIEW_SETTING) or "off") not in ("off", "0", "false", "no")


ReviewRule = Callable[[Tables], bool]
"""Says whether new items wait for a person's approval."""


NO_OPINIONS: Mapping[CandidateId, Opinion] = {}


def consolidate_pending(
    tables: Tables,
    *,
    ids: NameSource,
    now_ms: int,
    is_reviewed: ReviewRule = is_review_on,
    opinions: Mapping[CandidateId, Opinion] = NO_OPINIONS,
    shelf: Shelf | None = None,
) -> tuple[ItemId, ...]:
    """Decide the candidates that wait, oldest first, and return the items that were touched.

    Takes one batch; what is left stays pending. `opinions` is what a model advised; `advised`
    says when it is followed. Without a `shelf`, read beforehand and still current, every item is
    read within the transaction. Raises `IllegalOperationError` where an operation breaks a rule;
    the caller's transaction must then be rolled back.
    """
    run = _Run(
        Writer(tables=tables, ids=ids, now_ms=now_ms),
        shelf=Shelf(tables) if shelf is None else shelf.within(tables),
        is_reviewed=is_reviewed(tables),
        opinions=opinions,
    )
    for stored, candidate in tables.candidates.pending(limit=OPERATIONS_PER_BATCH_MAX):
        if not run.has_room:
            break
        run.settle(_proposed(stored, candidate))
    return tuple(run.touched)


def known(tables: Tables, candidate: Candidate, *, shelf: Shelf) -> Reject | Revise | None:
    """Tell what is known of a candidate that nothing proves yet, or return None.

    A `Reject` says that it was forgotten, taken back or replaced; a `Revise` names the item
    that says the same. Nothing is written.
    """
    proposed = Proposed(id=CandidateId(""), candidate=candidate, thread_id=None)
    situation = shelf.within(tables).situation(proposed)
    grave = buried(situation)
    if grave is not None:
        return grave
    # That another item says otherwise is for a person to weigh: nothing tells which is later.
    operation = decide(situation)
    return operation if isinstance(operation, Revise) else None


class _Run:
    """One batch: candidates are settled one after another, and each sees what came before."""

    def __init__(
        self,
        writer: Writer,
        *,
        shelf: Shelf,
        is_reviewed: bool,
        opinions: Mapping[CandidateId, Opinion],
    ) -> None:
        self._opinions = opinions
        self._writer = writer
        self._shelf = shelf
        self._is_reviewed = is_reviewed
        self._retired = 0
        self.touched: dict[ItemId, None] = {}

    @property
    def has_room(self) -> bool:
        """Whether another candidate may still retire something."""
        return self._retired < RETIREMENTS_PER_RUN_MAX

    def settle(self, proposed: Proposed) -> None:
        """Decide one candidate, and write what was decided."""
        situation = self._shelf.situation(proposed)
        operation = decide(situation)
        opinion = self._opinions.get(proposed.id)
        if opinion is not None:
            operation = advised(situation, operation, opinion=opinion)
            proposed = _with_aliases(proposed, opinion.aliases)
        items = self._shelf.items(targets_of(operation))
        reason = self._waits_because(operation, [item.is_human_owned for item in items.values()])
        if reason is not None:
            self._writer.tables.candidates.decide(
                proposed.id, CandidateState.WAITING, reasons=(reason,), now_ms=self._writer.now_ms
            )
            return
        verify([operation], {proposed.id: proposed}, items=items)
        touched = self._writer.write(operation, proposed, moment=situation.moment)
        self._retired += len(retired_by(operation))
        self._shelf.put(self._writer.tables.items.many(touched))
        self.touched.update(dict.fromkeys(touched))

    def _waits_because(self, operation: Operation, are_owned: list[bool]) -> Reason | None:
        if isinstance(operation, Reject | Revise):
            return None
        if any(are_owned):
            return Reason(
                slug="conflict", message="it would change what a person wrote, edited or pinned"
            )
        if self._is_reviewed:
            return Reason(slug="review", message="new items wait for approval in this project")
        return None


def related_items(tables: Tables, proposed: Sequence[Proposed]) -> tuple[Item, ...]:
    """Return the items that a model is to be shown beside these candidates, likeliest first.

    At most RELATED_OFFERED_MAX in all; each candidate's likeliest ones come before the second
    ones of any.
    """
    shelf = Shelf(tables)
    offered = [[offer.item for offer in shelf.situation(one).offered] for one in proposed]
    found = {item.id: item for rank in zip_longest(*offered) for item in rank if item is not None}
    return tuple(found.values())[:RELATED_OFFERED_MAX]


def _with_aliases(proposed: Proposed, aliases: tuple[str, ...]) -> Proposed:
    known = proposed.candidate.aliases
    both = tuple(dict.fromkeys((*known, *aliases)))[:CANDIDATE_ALIASES_MAX]
    return replace(proposed, candidate=replace(proposed.candidate, aliases=both))


def _proposed(stored: StoredCandidate, candidate: Candidate) -> Proposed:
    return Proposed(id=stored.id, candidate=candidate, thread_id=stored.thread_id)
