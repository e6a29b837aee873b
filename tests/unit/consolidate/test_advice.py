"""A model's advice is followed where the rules found nothing to go by, and nowhere else."""

import pytest

from backstory.consolidate.advice import Opinion, advised
from backstory.consolidate.moments import Moment
from backstory.consolidate.operations import (
    Create,
    Grounds,
    Operation,
    Proposed,
    Reject,
    Retract,
    Revise,
    Supersede,
)
from backstory.consolidate.rules import Offered, Situation
from backstory.consolidate.shelf import Shelf
from backstory.model.candidate import Reason
from backstory.model.ids import CandidateId, ItemId
from backstory.model.words import Intent, Kind
from backstory.ports.store import Store
from remembering import a_candidate, items, told

ID = CandidateId("c_1")
GROUNDS = Grounds(rule="model:x", reason="the same")
CREATE = Create(candidate_id=ID, grounds=GROUNDS)


def a_situation(store: Store, statement: str, *, said_at_ms: int = 500) -> Situation:
    """A candidate of a model beside everything that is remembered, all of it said at 100."""
    candidate = a_candidate(statement, kind=Kind.PROJECT_FACT, proposer="model:x")
    with store.reading() as tables:
        rarity = Shelf(tables).rarity
    offered = tuple(
        Offered(item=item, last_said=lambda: Moment(said_at_ms=100)) for item in items(store)
    )
    return Situation(
        proposed=Proposed(id=ID, candidate=candidate, thread_id=None),
        moment=Moment(said_at_ms=said_at_ms),
        offered=offered,
        graves=(),
        rarity=rarity,
    )


@pytest.fixture
def known(store: Store) -> ItemId:
    told(store, "The shop is made for schools in Bavaria", kind=Kind.PROJECT_FACT)
    return items(store)[0].id


def revise(item_id: ItemId) -> Revise:
    return Revise(candidate_id=ID, item_id=item_id, grounds=GROUNDS)


def test_what_the_rules_take_for_new_may_be_the_same_in_other_words(
    store: Store, known: ItemId
) -> None:
    situation = a_situation(store, "Our customers are schools in Bavaria")

    followed = advised(situation, CREATE, opinion=Opinion(operation=revise(known)))

    assert followed == revise(known)


@pytest.mark.parametrize(
    "ruled",
    [
        Reject(candidate_id=ID, reason=Reason(slug="forgotten", message="forgotten")),
        Reject(candidate_id=ID, reason=Reason(slug="outdated", message="outdated")),
        Revise(candidate_id=ID, item_id=ItemId("m_9"), grounds=GROUNDS),
        Supersede(candidate_id=ID, item_ids=(ItemId("m_9"),), grounds=GROUNDS),
        Retract(candidate_id=ID, item_ids=(ItemId("m_9"),), grounds=GROUNDS),
    ],
)
def test_what_the_rules_have_decided_stays(store: Store, known: ItemId, ruled: Operation) -> None:
    situation = a_situation(store, "Our customers are schools in Bavaria")

    assert advised(situation, ruled, opinion=Opinion(operation=revise(known))) == ruled


@pytest.mark.promise("R77")
def test_an_item_that_was_not_offered_or_says_something_else_is_left_alone(
    store: Store, known: ItemId
) -> None:
    alike = a_situation(store, "Our customers are schools in Bavaria")
    unlike = a_situation(store, "Receipts are printed in blue")
    stranger = Opinion(operation=revise(ItemId("m_other")))

    assert advised(alike, CREATE, opinion=stranger) == CREATE
    assert advised(unlike, CREATE, opinion=Opinion(operation=revise(known))) == CREATE


def test_what_was_said_later_is_never_taken_back_by_older_words(
    store: Store, known: ItemId
) -> None:
    old = a_situation(store, "Forget the schools in Bavaria", said_at_ms=50)
    candidate = a_candidate(
        "Forget the schools in Bavaria", intent=Intent.RETRACT, proposer="model:x"
    )
    situation = Situation(
        proposed=Proposed(id=ID, candidate=candidate, thread_id=None),
        moment=old.moment,
        offered=old.offered,
        graves=(),
        rarity=old.rarity,
    )
    nothing = Retract(candidate_id=ID, item_ids=(), grounds=GROUNDS)
    taking = Opinion(operation=Retract(candidate_id=ID, item_ids=(known,), grounds=GROUNDS))

    assert advised(situation, nothing, opinion=taking) == nothing
