"""A person can correct memory, undo that, and never meets again what was forgotten."""

import pytest

from backstory import consolidate
from backstory.consolidate import Words
from backstory.extract.claims import claim_of
from backstory.model.errors import IllegalOperationError, NotFoundError
from backstory.model.ids import CandidateId, ItemId, ThreadId
from backstory.model.words import CandidateState, Intent, Kind, Status
from backstory.ports.store import Store
from remembering import IDS, active, consolidated, heard, items, outcome, told


def the_item(store: Store) -> ItemId:
    [item] = items(store)
    return item.id


def forgotten(store: Store, *, now_ms: int = 1_000) -> ItemId:
    item_id = the_item(store)
    with store.writing() as tables:
        consolidate.forget(tables, item_id, ids=IDS, now_ms=now_ms)
    return item_id


def undone(store: Store) -> consolidate.Undone | None:
    with store.writing() as tables:
        return consolidate.undo(tables, now_ms=5_000)


def some_words(statement: str, kind: Kind = Kind.PROJECT_DECISION) -> Words:
    return Words(statement=statement, title=statement, claim=claim_of(statement, kind=kind))


@pytest.mark.promise("R107")
@pytest.mark.case("C108")
def test_a_forgotten_item_is_gone_and_old_turns_never_rebuild_it(store: Store) -> None:
    told(store, "We use SQLite", said_at_ms=100)
    late = heard(store, "The database is SQLite", said_at_ms=200)
    forgotten(store)
    consolidated(store)

    assert active(store) == []
    assert outcome(store, late) == (CandidateState.REFUSED, ("forgotten",))


@pytest.mark.promise("R107")
def test_an_old_transcript_does_not_rebuild_what_was_forgotten(store: Store) -> None:
    told(store, "We use SQLite", said_at_ms=100)
    forgotten(store)
    told(store, "Let's use SQLite", said_at_ms=50, is_imported=True, thread_id="old")
    told(store, "We use MySQL", said_at_ms=60, is_imported=True, thread_id="old")

    assert active(store) == []


@pytest.mark.promise("R107")
@pytest.mark.case("C108")
def test_a_new_statement_creates_again_what_was_forgotten(store: Store) -> None:
    told(store, "We use SQLite", said_at_ms=100)
    forgotten(store)
    told(store, "Remember: we use SQLite", said_at_ms=2_000)

    assert active(store) == ["Remember: we use SQLite"]


def test_forgetting_twice_is_forgetting_once(store: Store) -> None:
    told(store, "We use SQLite")
    item_id = forgotten(store)

    with store.writing() as tables:
        assert consolidate.forget(tables, item_id, ids=IDS, now_ms=2_000) == ()


def test_undo_brings_a_forgotten_item_back_with_its_future(store: Store) -> None:
    told(store, "We use SQLite", said_at_ms=100)
    forgotten(store)
    undone(store)
    told(store, "The database is SQLite", said_at_ms=90, is_imported=True, thread_id="old")

    [item] = items(store)
    with store.reading() as tables:
        story = tables.items.story(item.id)
    assert story is not None
    assert len(story.evidence) == 2


@pytest.mark.case("C58")
def test_undo_of_a_replacement_restores_the_earlier_item(store: Store) -> None:
    told(store, "We use SQLite", said_at_ms=100)
    told(store, "switch to Postgres", said_at_ms=200)
    what = undone(store)

    assert active(store) == ["We use SQLite"]
    assert what is not None
    assert [change.action.value for change in what.changes] == ["create", "supersede"]


@pytest.mark.case("C86")
def test_undo_goes_back_one_change_at_a_time_and_then_has_nothing(store: Store) -> None:
    told(store, "We use SQLite")
    told(store, "Tests run with pytest")

    assert undone(store) is not None
    assert active(store) == ["We use SQLite"]
    assert undone(store) is not None
    assert active(store) == []
    assert undone(store) is None


@pytest.mark.promise("R154")
@pytest.mark.case("C63")
def test_an_edit_is_a_persons_revision_that_no_job_replaces(store: Store) -> None:
    told(store, "We use SQLite", said_at_ms=100)
    item_id = the_item(store)
    with store.writing() as tables:
        consolidate.edit(tables, item_id, words=some_words("We use SQLite 3"), ids=IDS, now_ms=150)
    candidate_id = told(store, "switch to Postgres", said_at_ms=200)

    assert active(store) == ["We use SQLite 3"]
    assert outcome(store, candidate_id) == (CandidateState.WAITING, ("conflict",))


@pytest.mark.promise("R106")
def test_an_edit_keeps_the_evidence_and_the_earlier_words(store: Store) -> None:
    told(store, "We use SQLite")
    item_id = the_item(store)
    with store.writing() as tables:
        consolidate.edit(tables, item_id, words=some_words("We use SQLite 3"), ids=IDS, now_ms=150)
        story = tables.items.story(item_id)

    assert story is not None
    assert [r.statement for r in story.revisions] == ["We use SQLite", "We use SQLite 3"]
    assert [e.quote.text for e in story.evidence] == ["We use SQLite"]


def test_undo_of_an_edit_restores_the_words_and_the_next_edit_has_a_number_of_its_own(
    store: Store,
) -> None:
    told(store, "We use SQLite")
    item_id = the_item(store)
    with store.writing() as tables:
        consolidate.edit(tables, item_id, words=some_words("We use SQLite 3"), ids=IDS, now_ms=150)
    undone(store)
    assert active(store) == ["We use SQLite"]
    with store.writing() as tables:
        consolidate.edit(tables, item_id, words=some_words("We use SQLite 4"), ids=IDS, now_ms=160)

    [item] = items(store)
    assert (item.revision.statement, item.revision.number) == ("We use SQLite 4", 3)


def test_an_edit_into_the_claim_of_another_item_is_refused(store: Store) -> None:
    told(store, "We use SQLite")
    told(store, "Tests run with pytest")
    other = items(store)[1].id

    with pytest.raises(IllegalOperationError, match="same claim"), store.writing() as tables:
        consolidate.edit(tables, other, words=some_words("We use Postgres"), ids=IDS, now_ms=1)


def test_a_pin_can_be_set_once_and_let_go(store: Store) -> None:
    told(store, "We use SQLite")
    item_id = the_item(store)
    with store.writing() as tables:
        assert consolidate.pin(tables, item_id, is_pinned=True, ids=IDS, now_ms=1) == (item_id,)
        assert consolidate.pin(tables, item_id, is_pinned=True, ids=IDS, now_ms=2) == ()
        consolidate.pin(tables, item_id, is_pinned=False, ids=IDS, now_ms=3)

    assert not items(store)[0].is_human_owned


def test_what_a_person_retracts_is_kept_as_retracted(store: Store) -> None:
    told(store, "We use SQLite")
    item_id = the_item(store)
    with store.writing() as tables:
        consolidate.retract(tables, item_id, ids=IDS, now_ms=1)

    assert [item.id for item in items(store, Status.RETRACTED)] == [item_id]
    with pytest.raises(IllegalOperationError), store.writing() as tables:
        consolidate.retract(tables, item_id, ids=IDS, now_ms=2)


def in_review(store: Store) -> None:
    with store.writing() as tables:
        tables.meta.set_setting("review", "on")


def test_an_approved_candidate_becomes_the_persons_own(store: Store) -> None:
    in_review(store)
    candidate_id = told(store, "We use SQLite")
    with store.writing() as tables:
        consolidate.approve(
            tables, candidate_id, ids=IDS, now_ms=1, shelf=consolidate.Shelf(tables)
        )

    [item] = items(store)
    assert item.is_human_owned
    assert outcome(store, candidate_id)[0] is CandidateState.ACCEPTED


def test_an_approval_may_replace_what_a_person_owns(store: Store) -> None:
    in_review(store)
    first = told(store, "We use SQLite", said_at_ms=100)
    with store.writing() as tables:
        consolidate.approve(tables, first, ids=IDS, now_ms=1, shelf=consolidate.Shelf(tables))
    second = told(store, "switch to Postgres", said_at_ms=200)
    assert active(store) == ["We use SQLite"]
    with store.writing() as tables:
        consolidate.approve(tables, second, ids=IDS, now_ms=2, shelf=consolidate.Shelf(tables))

    assert active(store) == ["switch to Postgres"]


def test_a_discarded_candidate_is_refused_and_cannot_be_approved(store: Store) -> None:
    in_review(store)
    candidate_id = told(store, "We use SQLite")
    with store.writing() as tables:
        consolidate.discard(tables, candidate_id, now_ms=1)

    assert outcome(store, candidate_id) == (CandidateState.REFUSED, ("discarded",))
    with pytest.raises(NotFoundError), store.writing() as tables:
        consolidate.approve(
            tables, candidate_id, ids=IDS, now_ms=2, shelf=consolidate.Shelf(tables)
        )


def test_a_withdrawal_in_review_waits_too(store: Store) -> None:
    told(store, "Use tabs", said_at_ms=100)
    in_review(store)
    candidate_id = told(store, "Drop the tabs rule", intent=Intent.RETRACT, said_at_ms=200)

    assert active(store) == ["Use tabs"]
    assert outcome(store, candidate_id)[0] is CandidateState.WAITING


@pytest.mark.promise("R143")
def test_discussions_are_archived_with_their_thread(store: Store) -> None:
    told(store, "weighing Redis", kind=Kind.DISCUSSION_CONTEXT, thread_id="a")
    told(store, "weighing Kafka", kind=Kind.DISCUSSION_CONTEXT, thread_id="b")
    told(store, "We use SQLite", thread_id="a")
    with store.writing() as tables:
        consolidate.archive_discussions(tables, ThreadId("a"), ids=IDS, now_ms=1)

    assert active(store) == ["weighing Kafka", "We use SQLite"]


@pytest.mark.parametrize("verb", [consolidate.forget, consolidate.retract])
def test_an_unknown_item_is_told(store: Store, verb: object) -> None:
    assert callable(verb)
    with pytest.raises(NotFoundError), store.writing() as tables:
        verb(tables, ItemId("m_none"), ids=IDS, now_ms=1)
    with pytest.raises(NotFoundError), store.writing() as tables:
        consolidate.discard(tables, CandidateId("c_none"), now_ms=1)


def test_forgetting_empties_the_summaries_that_may_say_it_and_no_others(store: Store) -> None:
    told(store, "We use SQLite for storage", said_at_ms=100)
    told(store, "采用中文注释", thread_id="of_it")
    told(store, "Line length is 99", thread_id="apart")
    item_id = items(store)[0].id
    with store.writing() as tables:
        for thread in tables.threads.listed():
            tables.threads.set_summary(thread.id, "They speak about comments.")
        tables.threads.set_summary(ThreadId("of_it"), "Storage will be SQLite, it was said.")
    with store.writing() as tables:
        consolidate.forget(tables, item_id, ids=IDS, now_ms=1_000)

        summaries = {thread.id: thread.summary for thread in tables.threads.listed()}
    assert summaries == {"th_1": "", "of_it": "", "apart": "They speak about comments."}
