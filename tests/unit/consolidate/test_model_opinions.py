"""A model advises by short names; what it says is checked, and it is believed less than a rule."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.adapters.models.scripted import playing
from backstory.consolidate.model import Opinions, ask_for_opinions
from backstory.consolidate.model.prompt import (
    CANDIDATES_PER_CALL,
    consolidation_request,
    instructions,
    named,
)
from backstory.consolidate.operations import (
    Create,
    Proposed,
    Reject,
    Retract,
    Revise,
    Supersede,
    retired_by,
    targets_of,
    verify,
)
from backstory.model.ids import CandidateId, ItemId, ThreadId
from backstory.model.item import Item, Revision
from backstory.model.job import FailureCause
from backstory.model.limits import ALIAS_CHARS_MAX, ITEM_ALIASES_MAX, RELATED_OFFERED_MAX
from backstory.model.words import Author, Intent, Kind, Scope, Status
from remembering import a_candidate

THREAD = ThreadId("th_1")


def proposed(statement: str, *, name: str = "c_1", **fields: object) -> Proposed:
    candidate = a_candidate(statement, **fields)
    return Proposed(id=CandidateId(name), candidate=candidate, thread_id=THREAD)


def an_item(statement: str, *, name: str = "m_1", author: Author = Author.RULE, **fields) -> Item:
    claim = a_candidate(statement).claim
    revision = Revision(
        number=1,
        title=statement,
        statement=statement,
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
    given = {
        "seq": 1,
        "kind": Kind.PROJECT_DECISION,
        "scope": Scope.PROJECT,
        "status": Status.ACTIVE,
        "thread_id": None,
        "claim_key": None if claim is None else claim.key(Kind.PROJECT_DECISION),
        "claim_value": None if claim is None else claim.value,
        "is_negative": False,
        "is_pinned": False,
        "priority": 50,
        "confidence": 1.0,
        "revision": revision,
        "created_at_ms": 0,
        "updated_at_ms": 0,
    }
    return Item(id=ItemId(name), **(given | fields))


def advice(*operations: tuple, **fields: object) -> str:
    told = [
        {"candidate": candidate, "operation": word, "items": list(items), "reason": "r"} | fields
        for candidate, word, *items in operations
    ]
    return json.dumps({"operations": told}, ensure_ascii=False)


def opinion_on(one: Proposed, items: list[Item], reply: str) -> Opinions:
    return ask_for_opinions([one], items, client=playing([reply]))


def test_the_same_in_another_language_becomes_evidence():
    one = proposed("数据库统一用 SQLite")

    opinions = opinion_on(one, [an_item("use SQLite")], advice(("C1", "revise", "M1")))

    operation = opinions.by_candidate[one.id].operation
    assert isinstance(operation, Revise)
    assert operation.item_id == "m_1"
    assert operation.grounds.rule == "model:scripted:model"


def test_other_names_are_taken_for_the_search():
    reply = advice(("C1", "create"), aliases=["数据库", " local  db ", "数据库", "x" * 160])

    opinion = opinion_on(proposed("use SQLite"), [], reply).by_candidate[CandidateId("c_1")]

    assert isinstance(opinion.operation, Create)
    assert opinion.aliases == ("数据库", "local db", "x" * 160)


@pytest.mark.parametrize(
    ("statement", "item"),
    [
        ("use SQLite", "do not use SQLite"),
        ("SQLite 3.51 is required", "SQLite 3.40 is required"),
        ("use SQLite", "写提交信息用英文"),
    ],
)
def test_what_says_something_else_is_not_merged(statement, item):
    opinions = opinion_on(proposed(statement), [an_item(item)], advice(("C1", "revise", "M1")))

    assert opinions.by_candidate == {}
    assert opinions.problems


@pytest.mark.case("C58")
def test_unrelated_items_are_neither_superseded_nor_retracted():
    items = [an_item("releases happen on Fridays")]
    change = proposed("switch to Postgres", intent=Intent.REPLACE)
    withdrawal = proposed("forget the SQLite rule", intent=Intent.RETRACT)

    assert opinion_on(change, items, advice(("C1", "supersede", "M1"))).by_candidate == {}
    assert opinion_on(withdrawal, items, advice(("C1", "retract", "M1"))).by_candidate == {}


def test_a_change_of_mind_may_replace_what_it_is_about():
    change = proposed("switch from SQLite to Postgres", intent=Intent.REPLACE)

    opinions = opinion_on(change, [an_item("use SQLite")], advice(("C1", "supersede", "M1")))

    assert isinstance(opinions.by_candidate[change.id].operation, Supersede)


def test_what_a_person_owns_is_not_retired():
    change = proposed("switch from SQLite to Postgres", intent=Intent.REPLACE)
    withdrawal = proposed("forget SQLite", intent=Intent.RETRACT)
    for items in (
        [an_item("use SQLite", author=Author.HUMAN)],
        [an_item("use SQLite", is_pinned=True)],
    ):
        assert opinion_on(change, items, advice(("C1", "supersede", "M1"))).by_candidate == {}
        assert opinion_on(withdrawal, items, advice(("C1", "retract", "M1"))).by_candidate == {}


def test_only_a_models_own_proposals_fall_to_a_model():
    by_rule = proposed("use SQLite")
    by_model = proposed("use SQLite", proposer="model:scripted:model")

    assert opinion_on(by_rule, [], advice(("C1", "reject"))).by_candidate == {}
    rejected = opinion_on(by_model, [], advice(("C1", "reject"))).by_candidate[by_model.id]
    assert isinstance(rejected.operation, Reject)


@pytest.mark.parametrize(
    "operation",
    [
        ("C9", "create"),
        ("C1", "revise", "M7"),
        ("C1", "revise", "m_1"),
        ("C1", "revise"),
        ("C1", "revise", "M1", "M2"),
        ("C1", "create", "M1"),
        ("C1", "erase", "M1"),
        ("C1", "retract", "M1"),
    ],
)
def test_what_makes_no_sense_is_told_once_and_left_out(operation):
    client = playing([advice(operation)])
    items = [an_item("use SQLite"), an_item("use SQLite here", name="m_2")]

    opinions = ask_for_opinions([proposed("use SQLite")], items, client=client)

    assert opinions.by_candidate == {}
    assert opinions.problems
    assert len(client.requests) == 2


def test_a_candidate_is_decided_once():
    reply = advice(("C1", "create"), ("C1", "create"))

    opinions = opinion_on(proposed("use SQLite"), [], reply)

    assert len(opinions.by_candidate) == 1
    assert opinions.problems


@pytest.mark.parametrize("cause", FailureCause)
def test_a_model_that_fails_leaves_everything_to_the_rules(cause):
    opinions = ask_for_opinions([proposed("use SQLite")], [], client=playing([cause]))

    assert opinions.by_candidate == {}
    assert opinions.failure is not None


@pytest.mark.case("C120")
def test_an_empty_reply_decides_nothing():
    opinions = opinion_on(proposed("use SQLite"), [an_item("use SQLite")], '{"operations": []}')

    assert opinions == Opinions()


def test_many_candidates_are_asked_about_in_several_calls():
    many = [proposed(f"rule {n}", name=f"c_{n}") for n in range(CANDIDATES_PER_CALL + 1)]
    client = playing(['{"operations": []}'])

    ask_for_opinions(many, [], client=client)

    assert len(client.requests) == 2


def test_ids_and_what_was_not_offered_stay_out_of_the_prompt():
    items = [an_item(f"rule {n}", name=f"m_{n}") for n in range(RELATED_OFFERED_MAX + 5)]

    request = consolidation_request(named([proposed("use SQLite", name="c_secret")], items))

    assert "c_secret" not in request.user
    assert f"rule {RELATED_OFFERED_MAX - 1}" in request.user
    assert f"rule {RELATED_OFFERED_MAX + 1}" not in request.user
    assert "$" not in instructions()


WORDS = st.sampled_from(
    ["create", "revise", "forget", "C1", "C2", "M1", "M2", "m_2", "candidate", "operation"]
)
OPERATION = st.fixed_dictionaries(
    {
        "candidate": st.sampled_from(["C1", "C2", "C3", "C4"]) | WORDS,
        "operation": st.sampled_from(["create", "revise", "supersede", "retract", "reject"]),
        "items": st.lists(st.sampled_from(["M1", "M2", "M3", "M4", "M5"]) | WORDS, max_size=4),
    },
    optional={
        "aliases": st.lists(st.text(max_size=200), max_size=20),
        "reason": st.text(max_size=600) | st.none(),
        "is_human": st.booleans(),
    },
)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=8,
)
ITEMS = [
    an_item("use SQLite"),
    an_item("use Postgres", name="m_2", author=Author.HUMAN),
    an_item("use tabs", name="m_3", is_pinned=True),
    an_item("switch to Postgres", name="m_4", scope=Scope.USER),
]
PROPOSED = [
    proposed("use SQLite"),
    proposed("switch from SQLite to Postgres", name="c_2", intent=Intent.REPLACE),
    proposed("forget SQLite and Postgres and tabs", name="c_3", intent=Intent.RETRACT),
    proposed("use spaces", name="c_4", proposer="model:m"),
]


@given(st.lists(OPERATION | JUNK, max_size=6))
@settings(max_examples=300, deadline=None)
def test_whatever_a_model_says_only_legal_advice_comes_through(operations):
    reply = json.dumps({"operations": operations})

    opinions = ask_for_opinions(PROPOSED, ITEMS, client=playing([reply]))

    by_id = {item.id: item for item in ITEMS}
    for one in PROPOSED:
        opinion = opinions.by_candidate.get(one.id)
        if opinion is None:
            continue
        verify([opinion.operation], {one.id: one}, items=by_id)
        assert not any(by_id[name].is_human_owned for name in retired_by(opinion.operation))
        assert not any(by_id[name].scope is Scope.USER for name in targets_of(opinion.operation))
        is_by_rule = one.candidate.proposer.startswith("rule:")
        assert not (is_by_rule and isinstance(opinion.operation, Reject))
        if isinstance(opinion.operation, Retract):
            assert one.candidate.intent is Intent.RETRACT
        assert len(opinion.aliases) <= ITEM_ALIASES_MAX
        assert all(0 < len(alias) <= ALIAS_CHARS_MAX for alias in opinion.aliases)
