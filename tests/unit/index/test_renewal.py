"""An index that is made anew is whole at every step, whatever others write meanwhile."""

from dataclasses import replace
from typing import Any

import pytest

from backstory.index import freshen_story, refresh, reindex, renewal
from backstory.index.documents import episode_document, item_document
from backstory.model.ids import EpisodeId, ItemId
from backstory.model.words import Action, Status
from backstory.ports.store_rows import Stamp
from backstory.store import SqliteStore
from findable import an_episode, an_item, derived, found, keep
from interrupted import Interrupted, cut_short

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon")
ITEMS = [an_item(f"i_{word}", title=f"The {word} rule holds") for word in WORDS]
EPISODE = an_episode("e_1", objective="Make tests quick")


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renewal, "_RENEWED_AT_ONCE", 2)
    monkeypatch.setattr(renewal, "_CORRECTED_AT_ONCE", 3)


def by_older_rules(store: SqliteStore) -> list[object]:
    """Let entries be found by other terms than they have now, and return how it should be."""
    keep(store, *ITEMS, EPISODE)
    right = derived(store)
    with store.writing() as tables:
        for item in ITEMS:
            document = item_document(item)
            fewer = [p for p in document.postings if p.term != "hold"]
            tables.postings.put(replace(document, postings=fewer, spellings=("older",)))
        tables.postings.put(replace(episode_document(EPISODE), spellings=()))
    assert derived(store) != right
    return right


@pytest.mark.case("C03")
def test_every_entry_is_found_between_any_two_writes(store: SqliteStore) -> None:
    right = by_older_rules(store)

    def all_found(_: int) -> None:
        assert [found(store, word) for word in WORDS] == [[item.id] for item in ITEMS]
        assert found(store, "make tests quick") == ["e_1"]

    interrupted = Interrupted(store, all_found)
    assert reindex(interrupted) == len(WORDS) + 1

    assert interrupted.written > len(WORDS) / 2
    assert derived(store) == right


@pytest.mark.case("C06")
def test_a_renewal_that_is_cut_short_anywhere_goes_on_to_the_same_end(store: SqliteStore) -> None:
    right = by_older_rules(store)
    after = 1
    while cut_short(store, after=after, work=reindex):
        after += 1

    assert after > len(WORDS) / 2
    assert derived(store) == right


def test_what_is_right_already_is_not_written(store: SqliteStore) -> None:
    keep(store, *ITEMS, EPISODE)
    reindex(store)
    places = store.connection().execute("SELECT id, entry_id FROM document").fetchall()
    before = store.connection().total_changes()

    with store.writing() as tables:
        for item in ITEMS:
            tables.postings.renew(item_document(item))

    assert store.connection().total_changes() == before
    reindex(store)
    assert store.connection().execute("SELECT id, entry_id FROM document").fetchall() == places


def test_what_became_of_an_entry_while_it_was_read_counts(store: SqliteStore) -> None:
    by_older_rules(store)
    stamp = Stamp(batch="b", actor="human", reason="", at_ms=1)

    def forget_the_last(written: int) -> None:
        if written == 1:
            with store.writing() as tables:
                item_id = ItemId(ITEMS[-1].id)
                tables.items.set_status(
                    item_id, Status.FORGOTTEN, action=Action.FORGET, stamp=stamp
                )
                tables.episodes.set_status(EpisodeId("e_1"), Status.FORGOTTEN)
                refresh(tables, [item_id])

    reindex(Interrupted(store, forget_the_last))

    assert found(store, WORDS[-1]) == []
    assert found(store, "make tests quick") == []
    assert [found(store, word) for word in WORDS[:-1]] == [[item.id] for item in ITEMS[:-1]]


def test_what_changes_between_reading_and_writing_is_taken_apart_again(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_older_rules(store)
    taken_apart = renewal.document_of
    stamp = Stamp(batch="b", actor="human", reason="", at_ms=1)

    def meanwhile(entry: Any) -> Any:
        monkeypatch.setattr(renewal, "document_of", taken_apart)
        with store.writing() as tables:
            for item in ITEMS[:2]:
                status = Status.STALE if item is ITEMS[0] else Status.RETRACTED
                action = Action.STALE if item is ITEMS[0] else Action.RETRACT
                tables.items.set_status(item.id, status, action=action, stamp=stamp)
            refresh(tables, [item.id for item in ITEMS[:2]])
        return taken_apart(entry)

    monkeypatch.setattr(renewal, "document_of", meanwhile)
    reindex(store)

    assert found(store, WORDS[0]) == [ITEMS[0].id]
    assert found(store, WORDS[1]) == []


def test_counts_that_were_wrong_are_right_again(store: SqliteStore) -> None:
    keep(store, *ITEMS, EPISODE)
    right = derived(store)
    store.connection().execute(
        """
        UPDATE term_stat SET count = count + 2 WHERE term IN ('', 'rule', 'alpha');
        UPDATE spelling SET count = count + 1 WHERE word = 'rule';
        DELETE FROM term_stat WHERE term IN ('beta', 'test');
        DELETE FROM spelling WHERE word = 'beta';
        INSERT INTO term_stat (term, count) VALUES ('nowhere', 7);
        INSERT INTO spelling (word, reversed, count) VALUES ('nowhere', 'erehwon', 7);
        """
    )

    reindex(store)

    assert derived(store) == right


def test_what_was_counted_since_counts_were_compared_stays_counted(store: SqliteStore) -> None:
    keep(store, *ITEMS)
    with store.writing() as tables:
        tables.connection.execute("UPDATE term_stat SET count = count + 1 WHERE term = 'rule'")
        found_out = tables.postings.miscounts()
    keep(store, an_item("i_new", title="One more rule"))

    with store.writing() as tables:
        tables.postings.correct(found_out)

        assert tables.postings.totals(["rule"])[1] == {"rule": len(WORDS) + 1}
        assert tables.postings.miscounts() == ()


def test_entries_that_are_nowhere_else_leave_the_index(store: SqliteStore) -> None:
    keep(store, *ITEMS)
    with store.writing() as tables:
        tables.postings.put(item_document(an_item("i_stray", title="A stray rule")))
        tables.postings.put(episode_document(an_episode("e_stray", objective="A stray episode")))

    reindex(store)

    with store.reading() as tables:
        assert tables.postings.entry_ids() == {item.id for item in ITEMS}


def test_an_index_whose_parts_do_not_fit_is_built_from_nothing(store: SqliteStore) -> None:
    keep(store, *ITEMS, EPISODE)
    right = derived(store)
    store.connection().execute("PRAGMA foreign_keys = OFF; DELETE FROM document")

    reindex(store)

    assert derived(store) == right


def test_a_story_without_commits_is_freshened_too(store: SqliteStore) -> None:
    freshen_story(store)

    with store.reading() as tables:
        assert tables.story_order.fresh_runs().pages[0].rows == ()
