"""No operation is written that the rules forbid, whoever proposes it."""

from typing import Any

import pytest

from backstory.consolidate.operations import (
    RETIREMENTS_PER_RUN_MAX,
    Create,
    Grounds,
    Operation,
    Proposed,
    Reject,
    Retract,
    Revise,
    Supersede,
    verify,
)
from backstory.model.candidate import Reason
from backstory.model.errors import IllegalOperationError
from backstory.model.ids import CandidateId, ItemId, ThreadId
from backstory.model.item import Item, Revision
from backstory.model.words import Author, Intent, Kind, Role, Scope, Status
from remembering import a_candidate, a_quote

GROUNDS = Grounds(rule="test", reason="because")
ONE, OTHER = CandidateId("c_1"), CandidateId("c_2")
M1 = ItemId("m_1")


def an_item(item_id: str = "m_1", *, author: Author = Author.RULE, **fields: Any) -> Item:
    revision = Revision(
        number=1,
        title="",
        statement="use MySQL",
        synopsis="",
        detail="",
        aliases=(),
        keywords=(),
        paths=(),
        tags=(),
        author=author,
        author_name="",
        reason="",
        created_at_ms=0,
    )
    given: dict[str, Any] = {
        "seq": 1,
        "kind": Kind.PROJECT_DECISION,
        "scope": Scope.PROJECT,
        "status": Status.ACTIVE,
        "thread_id": None,
        "claim_key": "project_decision|database||",
        "claim_value": "mysql",
        "is_negative": False,
        "is_pinned": False,
        "priority": 50,
        "confidence": 1.0,
        "created_at_ms": 0,
        "updated_at_ms": 0,
    }
    return Item(id=ItemId(item_id), revision=revision, **(given | fields))


def judged(*operations: Operation, item: Item | None = None, **fields: Any) -> None:
    is_human = fields.pop("is_human", False)
    thread_id = fields.pop("thread_id", None)
    candidate = a_candidate(**fields)
    proposed = {
        name: Proposed(id=name, candidate=candidate, thread_id=thread_id) for name in (ONE, OTHER)
    }
    items = {} if item is None else {item.id: item}
    verify(operations, proposed, items=items, is_human=is_human)


def supersede(*item_ids: ItemId) -> Supersede:
    return Supersede(candidate_id=ONE, item_ids=item_ids or (M1,), grounds=GROUNDS)


def test_legal_operations_pass() -> None:
    judged(Create(candidate_id=ONE, grounds=GROUNDS))
    judged(supersede(), item=an_item())
    judged(Revise(candidate_id=ONE, item_id=M1, grounds=GROUNDS), item=an_item())
    judged(Reject(candidate_id=ONE, reason=Reason(slug="s", message="m")))
    judged(
        Retract(candidate_id=ONE, item_ids=(M1,), grounds=GROUNDS),
        item=an_item(),
        intent=Intent.RETRACT,
    )


@pytest.mark.parametrize(
    ("item", "why"),
    [
        (None, "not offered"),
        (an_item(status=Status.FORGOTTEN), "forgotten"),
        (an_item(status=Status.SUPERSEDED), "superseded"),
        (an_item(scope=Scope.USER), "belongs to the user"),
        (an_item(kind=Kind.REFERENCE), "another kind"),
        (an_item(is_pinned=True), "person's own"),
        (an_item(author=Author.HUMAN), "person's own"),
        (an_item(claim_key="project_decision|cache||"), "another claim"),
        (an_item(claim_key=None), "another claim"),
    ],
)
def test_an_item_that_may_not_be_replaced_is_not(item: Item | None, why: str) -> None:
    with pytest.raises(IllegalOperationError, match=why):
        judged(supersede(), item=item)


def test_a_discussion_of_another_thread_is_out_of_reach() -> None:
    item = an_item(
        kind=Kind.DISCUSSION_CONTEXT, scope=Scope.THREAD, thread_id=ThreadId("a"), claim_key=None
    )

    with pytest.raises(IllegalOperationError, match="another thread"):
        judged(
            Revise(candidate_id=ONE, item_id=M1, grounds=GROUNDS),
            item=item,
            kind=Kind.DISCUSSION_CONTEXT,
            thread_id=ThreadId("b"),
        )


def test_a_person_may_replace_what_is_theirs() -> None:
    judged(supersede(), item=an_item(is_pinned=True), is_human=True)


@pytest.mark.case("C63")
def test_a_job_may_add_evidence_to_a_persons_item_and_not_reword_it() -> None:
    pinned = an_item(is_pinned=True)
    judged(Revise(candidate_id=ONE, item_id=M1, grounds=GROUNDS), item=pinned)

    with pytest.raises(IllegalOperationError, match="rewrite"):
        judged(
            Revise(candidate_id=ONE, item_id=M1, grounds=GROUNDS, takes_words=True), item=pinned
        )


def test_a_candidate_is_decided_once() -> None:
    create = Create(candidate_id=ONE, grounds=GROUNDS)

    with pytest.raises(IllegalOperationError, match="twice"):
        judged(create, create)


def test_an_unknown_candidate_is_refused() -> None:
    with pytest.raises(IllegalOperationError, match="no such candidate"):
        judged(Create(candidate_id=CandidateId("c_9"), grounds=GROUNDS))


@pytest.mark.promise("R77")
def test_an_item_retired_before_is_out_of_reach() -> None:
    again = Supersede(candidate_id=OTHER, item_ids=(M1,), grounds=GROUNDS)

    with pytest.raises(IllegalOperationError, match="retired by an earlier"):
        judged(supersede(), again, item=an_item())


def test_only_a_withdrawal_retracts_and_it_creates_nothing() -> None:
    with pytest.raises(IllegalOperationError, match="takes something back"):
        judged(Retract(candidate_id=ONE, item_ids=(M1,), grounds=GROUNDS), item=an_item())
    with pytest.raises(IllegalOperationError, match="takes something back"):
        judged(Create(candidate_id=ONE, grounds=GROUNDS), intent=Intent.RETRACT)


def test_what_no_user_said_grounds_nothing() -> None:
    by_agent = (a_quote(role=Role.ASSISTANT),)

    with pytest.raises(IllegalOperationError, match="no quote"):
        judged(Create(candidate_id=ONE, grounds=GROUNDS), quotes=by_agent)


@pytest.mark.promise("R10")
def test_two_events_ground_a_lesson_and_nothing_else() -> None:
    events = tuple(
        a_quote(role=Role.EVENT, turn_id=None, event_id=name) for name in ("e_1", "e_2")
    )
    create = Create(candidate_id=ONE, grounds=GROUNDS)
    judged(create, quotes=events, kind=Kind.TOOL_LESSON)

    with pytest.raises(IllegalOperationError, match="no quote"):
        judged(create, quotes=events)
    with pytest.raises(IllegalOperationError, match="no quote"):
        judged(create, quotes=events[:1], kind=Kind.TOOL_LESSON)


@pytest.mark.case("C58")
def test_a_run_retires_only_so_many_items() -> None:
    many = tuple(ItemId(f"m_{n}") for n in range(RETIREMENTS_PER_RUN_MAX + 1))

    with pytest.raises(IllegalOperationError, match="at the most"):
        judged(supersede(*many))


def test_a_replacement_of_nothing_is_refused() -> None:
    nothing = Supersede(candidate_id=ONE, item_ids=(), grounds=GROUNDS)

    with pytest.raises(IllegalOperationError, match="nothing"):
        judged(nothing)
