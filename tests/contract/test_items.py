"""Items: revisions never change, every change is logged, and a batch can be undone."""

from dataclasses import replace
from typing import Any

import pytest

from backstory.model.errors import NotFoundError
from backstory.model.event import NewEvent
from backstory.model.ids import ItemId, ThreadId
from backstory.model.item import Evidence, Item, Revision
from backstory.model.words import Action, Author, EventKind, Kind, Role, Scope, Status
from backstory.ports.store import Store
from backstory.ports.store_rows import NewItem, Stamp, Tombstone
from recorded import said, with_thread
from remembering import a_quote

KEY = "project_decision|database||"


def a_revision(statement: str = "We use SQLite", **fields: Any) -> Revision:
    given: dict[str, Any] = {
        "number": 1,
        "title": statement,
        "synopsis": "",
        "detail": "为什么：一个文件",
        "aliases": ("数据库",),
        "keywords": ("sqlite",),
        "paths": ("src/store",),
        "tags": ("storage",),
        "author": Author.RULE,
        "author_name": "rule:choice",
        "reason": "new",
        "created_at_ms": 5,
    }
    return Revision(statement=statement, **(given | fields))


def an_item(item_id: str = "m_1", **fields: Any) -> Item:
    given: dict[str, Any] = {
        "seq": 0,
        "kind": Kind.PROJECT_DECISION,
        "scope": Scope.PROJECT,
        "status": Status.ACTIVE,
        "thread_id": None,
        "claim_key": KEY,
        "claim_value": "sqlite",
        "is_negative": False,
        "is_pinned": False,
        "priority": 50,
        "confidence": 1.0,
        "revision": a_revision(),
        "created_at_ms": 5,
        "updated_at_ms": 5,
    }
    return Item(id=ItemId(item_id), **(given | fields))


def added(
    store: Store, item: Item, *, evidence: tuple[Evidence, ...] = (), batch: str = "b_1"
) -> ItemId:
    with store.writing() as tables:
        tables.items.add(
            NewItem(item=item, evidence=evidence), batch=batch, actor="rule:choice", now_ms=5
        )
    return item.id


def a_stamp(batch: str = "b_2", **fields: Any) -> Stamp:
    given: dict[str, Any] = {"actor": "human", "reason": "", "at_ms": 9}
    return Stamp(batch=batch, **(given | fields))


def retired(store: Store, item_id: ItemId, status: Status, *, batch: str = "b_2") -> None:
    action = Action.FORGET if status is Status.FORGOTTEN else Action.RETRACT
    with store.writing() as tables:
        tables.items.set_status(item_id, status, action=action, stamp=a_stamp(batch))


def now(store: Store, item_id: str = "m_1") -> Item:
    with store.reading() as tables:
        item = tables.items.get(ItemId(item_id))
    assert item is not None
    return item


@pytest.mark.promise("R52")
def test_an_item_comes_back_as_it_was(store: Store) -> None:
    item = an_item(is_negative=True, priority=70, confidence=0.5)
    added(store, item)

    assert now(store) == replace(item, seq=1)


@pytest.mark.promise("R31")
@pytest.mark.case("C60")
def test_the_story_of_an_item_holds_its_evidence_with_the_time_it_was_said(store: Store) -> None:
    with_thread(store)
    turn_id = said(store, "We use SQLite", said_at_ms=77)
    quote = a_quote("We use SQLite", turn_id=turn_id)
    added(store, an_item(), evidence=(Evidence(revision=1, quote=quote, said_at_ms=0),))

    with store.reading() as tables:
        story = tables.items.story(ItemId("m_1"))
        of_turn = tables.items.of_turn(turn_id)

    assert story is not None
    assert story.evidence == (Evidence(revision=1, quote=quote, said_at_ms=77),)
    assert story.revisions == (a_revision(),)
    assert of_turn == ("m_1",)


def test_the_same_quote_is_added_once(store: Store) -> None:
    with_thread(store)
    turn_id = said(store, "We use SQLite. Yes.")
    added(store, an_item())
    quotes = (
        a_quote("We use SQLite", turn_id=turn_id),
        a_quote("Yes", start=15, end=18, turn_id=turn_id),
    )
    evidence = [Evidence(revision=1, quote=quote, said_at_ms=0) for quote in quotes]

    with store.writing() as tables:
        assert tables.items.add_evidence(ItemId("m_1"), evidence[:1]) == 1
        assert tables.items.add_evidence(ItemId("m_1"), evidence) == 1
        assert tables.items.add_evidence(ItemId("m_1"), evidence) == 0


@pytest.mark.case("C60")
def test_evidence_without_a_turn_is_refused(store: Store) -> None:
    added(store, an_item())
    nowhere = Evidence(revision=1, quote=a_quote(turn_id="t_none"), said_at_ms=0)

    with pytest.raises(Exception, match="FOREIGN KEY"), store.writing() as tables:
        tables.items.add_evidence(ItemId("m_1"), [nowhere])


@pytest.mark.case("C89")
def test_two_active_items_of_one_claim_cannot_exist(store: Store) -> None:
    added(store, an_item())

    with pytest.raises(Exception, match="UNIQUE"):
        added(store, an_item("m_2"))

    with store.reading() as tables:
        assert [item.id for item in tables.items.of_claim(KEY)] == ["m_1"]


def test_a_superseded_item_links_to_its_successor_in_one_transaction(store: Store) -> None:
    added(store, an_item())
    with store.writing() as tables:
        tables.items.set_status(
            ItemId("m_1"),
            Status.SUPERSEDED,
            action=Action.SUPERSEDE,
            stamp=a_stamp(),
            superseded_by=ItemId("m_2"),
        )
        tables.items.add(
            NewItem(item=an_item("m_2"), evidence=()), batch="b_2", actor="rule", now_ms=9
        )
        story = tables.items.story(ItemId("m_2"))

    assert now(store).superseded_by == "m_2"
    assert story is not None
    assert story.supersedes == ("m_1",)


@pytest.mark.case("C60")
def test_a_successor_must_exist_when_the_transaction_ends(store: Store) -> None:
    added(store, an_item())

    with pytest.raises(Exception, match="FOREIGN KEY"), store.writing() as tables:
        tables.items.set_status(
            ItemId("m_1"),
            Status.SUPERSEDED,
            action=Action.SUPERSEDE,
            stamp=a_stamp(),
            superseded_by=ItemId("m_none"),
        )

    assert now(store).status is Status.ACTIVE


def test_a_new_revision_leaves_the_earlier_ones(store: Store) -> None:
    added(store, an_item())
    with store.writing() as tables:
        tables.items.add_revision(
            ItemId("m_1"),
            a_revision("We use SQLite 3", number=2),
            action=Action.EDIT,
            batch="b_2",
            actor="human",
            now_ms=9,
        )
        tables.items.set_claim(ItemId("m_1"), key=None, value=None, is_negative=False)
        story = tables.items.story(ItemId("m_1"))

    assert story is not None
    assert [revision.statement for revision in story.revisions] == [
        "We use SQLite",
        "We use SQLite 3",
    ]
    assert (now(store).revision.number, now(store).claim_key, now(store).updated_at_ms) == (
        2,
        None,
        9,
    )


def test_items_are_listed_by_status_kind_and_thread_oldest_first(store: Store) -> None:
    with_thread(store)
    discussion = {"kind": Kind.DISCUSSION_CONTEXT, "scope": Scope.THREAD, "claim_key": None}
    added(store, an_item("m_2", is_pinned=True))
    added(store, an_item("m_1", thread_id=ThreadId("th_1"), **discussion))
    added(store, an_item("m_3", claim_key=None))
    retired(store, ItemId("m_3"), Status.RETRACTED)

    with store.reading() as tables:
        listed = tables.items.listed
        every = listed(statuses=[Status.ACTIVE])
        decisions = listed(statuses=tuple(Status), kinds=[Kind.PROJECT_DECISION])
        of_thread = listed(statuses=[Status.ACTIVE], thread_id=ThreadId("th_1"))
        pinned = listed(statuses=[Status.ACTIVE], only_pinned=True)

    assert [item.id for item in every] == ["m_2", "m_1"]
    assert [item.id for item in decisions] == ["m_2", "m_3"]
    assert [item.id for item in of_thread] == ["m_1"]
    assert [item.id for item in pinned] == ["m_2"]


def test_many_items_come_in_the_order_asked_for_without_the_unknown(store: Store) -> None:
    added(store, an_item("m_1"))
    added(store, an_item("m_2", claim_key=None))
    asked = [ItemId("m_2"), ItemId("m_none"), ItemId("m_1")]

    with store.reading() as tables:
        assert [item.id for item in tables.items.many(asked)] == ["m_2", "m_1"]
        assert tables.items.get(ItemId("m_none")) is None
        assert tables.items.story(ItemId("m_none")) is None


def test_ids_are_found_by_their_beginning_and_no_character_is_a_wildcard(store: Store) -> None:
    for number in range(10):
        added(store, an_item(f"m_a{number}", claim_key=None))

    with store.reading() as tables:
        assert len(tables.items.find("m_a")) == 8
        assert tables.items.find("m_a3") == ("m_a3",)
        assert tables.items.find("m%") == ()
        assert tables.items.find("zz") == ()


@pytest.mark.promise("R31")
@pytest.mark.case("C60", "C86")
def test_the_change_log_tells_who_did_what_newest_first(store: Store) -> None:
    added(store, an_item())
    retired(store, ItemId("m_1"), Status.RETRACTED)

    with store.reading() as tables:
        changes = tables.items.changes(item_id=ItemId("m_1"))

    assert [(change.action, change.actor) for change in changes] == [
        (Action.RETRACT, "human"),
        (Action.CREATE, "rule:choice"),
    ]


def test_undoing_a_batch_restores_status_words_claim_and_pin(store: Store) -> None:
    added(store, an_item())
    before = now(store)
    with store.writing() as tables:
        tables.items.add_revision(
            ItemId("m_1"),
            a_revision("other", number=2),
            action=Action.EDIT,
            batch="b_2",
            actor="human",
            now_ms=9,
        )
        tables.items.set_claim(ItemId("m_1"), key="k", value="v", is_negative=True)
        tables.items.set_pinned(ItemId("m_1"), pinned=True, batch="b_2", now_ms=9)
        tables.items.set_status(
            ItemId("m_1"), Status.ARCHIVED, action=Action.ARCHIVE, stamp=a_stamp("b_2")
        )
        assert tables.items.undo_batch("b_2", now_ms=11) == ("m_1",)
        assert all(change.is_undone for change in tables.items.changes() if change.batch == "b_2")
        assert tables.items.undo_batch("b_2", now_ms=12) == ()

    assert now(store) == replace(before, updated_at_ms=11)


def test_undoing_the_making_of_an_item_retracts_it(store: Store) -> None:
    added(store, an_item())
    with store.writing() as tables:
        tables.items.undo_batch("b_1", now_ms=11)

    assert now(store).status is Status.RETRACTED


def test_undoing_forget_removes_its_tombstone_alone(store: Store) -> None:
    added(store, an_item())
    tombstone = Tombstone(
        item_id=ItemId("m_1"), claim_key=KEY, fingerprint="f", turn_seq=3, at_ms=9
    )
    with store.writing() as tables:
        tables.items.add_tombstone(replace(tombstone, item_id=ItemId("m_0")))
        tables.items.add_tombstone(replace(tombstone, turn_seq=1))
    retired(store, ItemId("m_1"), Status.FORGOTTEN)
    with store.writing() as tables:
        tables.items.add_tombstone(tombstone)
        tables.items.undo_batch("b_2", now_ms=11)
        left = tables.items.tombstones(claim_key=KEY, fingerprint="")

    assert [(stone.item_id, stone.turn_seq) for stone in left] == [("m_0", 3), ("m_1", 1)]


def test_tombstones_are_found_by_claim_or_by_words(store: Store) -> None:
    by_claim = Tombstone(
        item_id=ItemId("m_1"), claim_key=KEY, fingerprint="f", turn_seq=3, at_ms=9
    )
    by_words = replace(by_claim, claim_key=None, fingerprint="g")
    with store.writing() as tables:
        tables.items.add_tombstone(by_claim)
        tables.items.add_tombstone(by_words)

        assert tables.items.tombstones(claim_key=KEY, fingerprint="") == (by_claim,)
        assert tables.items.tombstones(claim_key=None, fingerprint="g") == (by_words,)
        assert tables.items.tombstones(claim_key=None, fingerprint="h") == ()


def test_items_are_counted_by_kind_and_status(store: Store) -> None:
    added(store, an_item())
    added(store, an_item("m_2", claim_key=None))

    with store.reading() as tables:
        assert tables.items.counts() == {(Kind.PROJECT_DECISION, Status.ACTIVE): 2}


def test_a_change_to_an_unknown_item_is_refused(store: Store) -> None:
    with pytest.raises(NotFoundError), store.writing() as tables:
        tables.items.set_pinned(ItemId("m_none"), pinned=True, batch="b", now_ms=1)


def test_an_event_can_be_evidence(store: Store) -> None:
    with store.writing() as tables:
        event_id = tables.events.add(
            NewEvent(kind=EventKind.COMMAND, at_ms=33, payload={"command": "make"}),
            text="make",
            now_ms=40,
        )
    quote = a_quote("make", role=Role.EVENT, end=4, event_id=event_id, turn_id=None)
    added(store, an_item(), evidence=(Evidence(revision=1, quote=quote, said_at_ms=0),))

    with store.reading() as tables:
        story = tables.items.story(ItemId("m_1"))
    assert story is not None
    assert story.evidence[0].said_at_ms == 33
