"""Stage 2 keeps what was said last, once, with its proof, and nothing that was taken back."""

import pytest

from backstory.consolidate import consolidate_pending
from backstory.model.errors import IllegalOperationError
from backstory.model.words import CandidateState, Intent, Kind, Status
from backstory.ports.store import Store
from remembering import (
    IDS,
    a_candidate,
    active,
    consolidated,
    heard,
    items,
    outcome,
    told,
)

REPLACE = Intent.REPLACE
RETRACT = Intent.RETRACT


@pytest.mark.promise("R101", "R104")
def test_a_candidate_becomes_an_item_with_its_evidence(store: Store) -> None:
    candidate_id = told(store, "We use SQLite")

    [item] = items(store)
    with store.reading() as tables:
        story = tables.items.story(item.id)
    assert story is not None
    assert [evidence.quote.text for evidence in story.evidence] == ["We use SQLite"]
    assert item.revision.candidate_id == candidate_id
    assert outcome(store, candidate_id)[0] is CandidateState.ACCEPTED


@pytest.mark.promise("R104")
@pytest.mark.case("C57", "C107")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("We use SQLite", "switch to Postgres"),
        ("采用 SQLite", "改为采用 Postgres"),
        ("数据库用 MySQL", "We moved to Postgres for the database"),
        ("Use tabs, not spaces", "用空格不用 Tab"),
        ("Function names start with 'x_'", "Start every function name with 'y_'"),
        ("行宽 100", "line length is 120"),
    ],
)
def test_a_later_choice_takes_the_place_of_the_earlier(
    store: Store, first: str, second: str
) -> None:
    told(store, first)
    told(store, second, kind=Kind.CODE_CONVENTION)

    assert active(store) == [second]
    [old] = items(store, Status.SUPERSEDED)
    [new] = items(store)
    assert old.superseded_by == new.id
    assert "takes the place of" in new.revision.reason


@pytest.mark.promise("R91", "R101")
def test_the_same_choice_in_other_words_is_evidence(store: Store) -> None:
    told(store, "We use Postgres")
    told(store, "数据库就用 Postgres")

    [item] = items(store)
    with store.reading() as tables:
        story = tables.items.story(item.id)
    assert story is not None
    assert len(story.evidence) == 2


@pytest.mark.case("C58")
def test_two_databases_for_two_parts_stand_side_by_side(store: Store) -> None:
    told(store, "Our main database is Postgres", kind=Kind.PROJECT_FACT)
    told(store, "The kiosk's offline database is SQLite", kind=Kind.PROJECT_FACT)

    assert len(active(store)) == 2


def test_rules_that_differ_in_one_word_stand_side_by_side(store: Store) -> None:
    told(store, "Always include the '@retry' decorator from the 'pedantic' module in methods")
    told(store, "Always include the '@retry' decorator from the 'pedantic' module in functions")

    assert len(active(store)) == 2


def test_a_denial_takes_the_place_of_what_it_denies(store: Store) -> None:
    told(store, "We use Redis for caching")
    told(store, "Don't use Redis for caching any more")

    assert active(store) == ["Don't use Redis for caching any more"]


@pytest.mark.promise("R106")
def test_a_denial_of_another_value_changes_nothing(store: Store) -> None:
    told(store, "We use Postgres")
    told(store, "Never use MySQL")

    assert len(active(store)) == 2


def test_an_explicit_change_finds_the_item_that_shares_its_subject(store: Store) -> None:
    told(store, "Error pages show a support code")
    told(store, "The nightly report is sent as a PDF")
    told(store, "Scratch that, the nightly report is a spreadsheet", intent=REPLACE)

    assert active(store) == [
        "Error pages show a support code",
        "Scratch that, the nightly report is a spreadsheet",
    ]


def test_an_explicit_change_with_no_clear_target_is_only_remembered(store: Store) -> None:
    told(store, "The nightly report is sent as a PDF")
    told(store, "Scratch that, holidays follow the Berlin calendar", intent=REPLACE)

    assert len(active(store)) == 2


@pytest.mark.promise("R104")
@pytest.mark.parametrize(
    ("rule", "withdrawal"),
    [
        ("Use tabs for indentation", "Drop the tabs rule, we don't follow it any more"),
        ("用 Tab 不用空格", "缩进那条规矩作废吧"),
        ("今后提交前都要手动打标签", "打标签那条取消"),
        ("Answer in bullet points", "forget what I told you about answering in bullet points"),
        (
            "There is a nightly freeze at ten",
            "The note about the nightly freeze no longer applies",
        ),
    ],
)
def test_what_is_taken_back_is_no_longer_active(store: Store, rule: str, withdrawal: str) -> None:
    told(store, "Every public function has an example in its docstring")
    told(store, rule, kind=Kind.CODE_CONVENTION)
    candidate_id = told(store, withdrawal, intent=RETRACT, kind=Kind.PROJECT_FACT)

    assert active(store) == ["Every public function has an example in its docstring"]
    assert [item.revision.statement for item in items(store, Status.RETRACTED)] == [rule]
    assert outcome(store, candidate_id)[0] is CandidateState.ACCEPTED


@pytest.mark.promise("R101")
def test_an_unclear_withdrawal_takes_nothing_back(store: Store) -> None:
    told(store, "Tests for the parser live beside it")
    told(store, "Tests for the printer live in one folder")
    candidate_id = told(store, "Forget the rule about tests", intent=RETRACT)

    assert len(active(store)) == 2
    assert outcome(store, candidate_id) == (CandidateState.REFUSED, ("ambiguous",))


def test_a_withdrawal_of_what_was_never_said_blocks_nothing(store: Store) -> None:
    candidate_id = heard(store, "Forget the rule about tabs", intent=RETRACT)
    heard(store, "We use Postgres")
    consolidated(store)

    assert active(store) == ["We use Postgres"]
    assert outcome(store, candidate_id) == (CandidateState.ACCEPTED, ("nothing-to-retract",))


@pytest.mark.promise("R106")
def test_older_words_imported_later_do_not_overrule_newer_ones(store: Store) -> None:
    told(store, "switch to Postgres", said_at_ms=500, thread_id="new", is_imported=True)
    old = told(store, "We use SQLite", said_at_ms=100, thread_id="old", is_imported=True)

    assert active(store) == ["switch to Postgres"]
    assert outcome(store, old) == (CandidateState.REFUSED, ("outdated",))


def test_older_words_do_not_bring_back_what_was_taken_back(store: Store) -> None:
    told(store, "Use tabs", said_at_ms=100, thread_id="a", is_imported=True)
    told(
        store,
        "Drop the tabs rule",
        intent=RETRACT,
        said_at_ms=500,
        thread_id="b",
        is_imported=True,
    )
    again = told(store, "Indent with tabs", said_at_ms=200, thread_id="c", is_imported=True)

    assert active(store) == []
    assert outcome(store, again) == (CandidateState.REFUSED, ("taken-back",))


def test_a_withdrawal_holds_for_older_words_that_become_known_later(store: Store) -> None:
    told(
        store,
        "Drop the tabs rule",
        intent=RETRACT,
        said_at_ms=500,
        thread_id="b",
        is_imported=True,
    )
    told(store, "Use tabs", said_at_ms=100, thread_id="a", is_imported=True)

    assert active(store) == []


def test_what_is_said_again_after_a_withdrawal_is_remembered(store: Store) -> None:
    told(store, "Use tabs", said_at_ms=100)
    told(store, "Drop the tabs rule", intent=RETRACT, said_at_ms=200)
    told(store, "Use tabs after all", said_at_ms=300)

    assert active(store) == ["Use tabs after all"]


def test_old_words_do_not_bring_back_what_was_replaced_without_a_slot(store: Store) -> None:
    told(store, "The nightly report is sent as a PDF", said_at_ms=100, is_imported=True)
    told(
        store,
        "From now on the nightly report is a spreadsheet",
        intent=REPLACE,
        said_at_ms=500,
        is_imported=True,
    )
    told(
        store,
        "The nightly report is sent as a PDF",
        said_at_ms=100,
        thread_id="copy",
        is_imported=True,
    )

    assert active(store) == ["From now on the nightly report is a spreadsheet"]


@pytest.mark.case("C63")
def test_a_job_never_replaces_what_a_person_pinned(store: Store) -> None:
    told(store, "We use SQLite")
    [item] = items(store)
    with store.writing() as tables:
        tables.items.set_pinned(item.id, pinned=True, batch="b_pin", now_ms=1)
    candidate_id = told(store, "switch to Postgres", intent=REPLACE)

    assert active(store) == ["We use SQLite"]
    assert outcome(store, candidate_id) == (CandidateState.WAITING, ("conflict",))


@pytest.mark.case("C87")
def test_in_review_new_items_wait_for_a_person(store: Store) -> None:
    with store.writing() as tables:
        tables.meta.set_setting("review", "on")
    candidate_id = told(store, "We use SQLite")

    assert active(store) == []
    assert outcome(store, candidate_id) == (CandidateState.WAITING, ("review",))


@pytest.mark.promise("R11")
def test_a_discussion_lives_in_its_thread(store: Store) -> None:
    told(store, "weighing Redis against Kafka", kind=Kind.DISCUSSION_CONTEXT, thread_id="a")
    told(store, "weighing Redis against Kafka", kind=Kind.DISCUSSION_CONTEXT, thread_id="b")

    assert [item.thread_id for item in items(store)] == ["a", "b"]


@pytest.mark.promise("R76", "R105")
def test_an_illegal_operation_undoes_the_whole_batch(store: Store) -> None:
    heard(store, "We use SQLite")
    ungrounded = a_candidate("Tests run with pytest", quotes=())
    with store.writing() as tables:
        tables.candidates.add(ungrounded, thread_id=None, now_ms=0)

    with pytest.raises(IllegalOperationError), store.writing() as tables:
        consolidate_pending(tables, ids=IDS, now_ms=1)

    assert active(store) == []


@pytest.mark.promise("R14", "R103")
def test_no_pending_candidate_means_no_change(store: Store) -> None:
    told(store, "We use SQLite")

    assert consolidated(store) == ()
    assert active(store) == ["We use SQLite"]
