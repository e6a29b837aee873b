"""The index is derived: it follows every change, and rebuilding it changes no answer."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstory.index import refresh, reindex, remove, renew, renewal
from backstory.index.documents import episode_document, item_document
from backstory.index.stage import INDEX_VERSION
from backstory.model.ids import ItemId
from backstory.model.words import Action, Status
from backstory.ports.store_rows import Posting, Stamp
from backstory.segment.concepts import is_concept
from backstory.segment.fields import Field
from backstory.store import SqliteStore
from findable import an_episode, an_item, derived, found, keep


def postings(document_postings: tuple[Posting, ...]) -> dict[str, Posting]:
    return {posting.term: posting for posting in document_postings}


@pytest.mark.promise("R119")
def test_a_term_knows_the_fields_it_stands_in() -> None:
    item = an_item(
        title="Cursor pages", keywords=("cursor",), statement="Opaque", paths=("a/b.ts",)
    )

    by_term = postings(item_document(item).postings)

    assert by_term["cursor"].fields == Field.TITLE | Field.KEYWORD
    assert by_term["opaqu"].fields == Field.STATEMENT
    assert by_term["/a/b.ts"].fields == Field.PATH


@pytest.mark.promise("R119")
def test_names_weigh_more_than_text_and_text_more_than_paths() -> None:
    item = an_item(title="alpha", statement="beta", paths=("gamma/x.ts",))

    by_term = postings(item_document(item).postings)

    assert by_term["alpha"].weight > by_term["beta"].weight > by_term["gamma"].weight


def test_an_episode_is_found_by_everything_in_its_summary() -> None:
    episode = an_episode(
        objective="alpha",
        decisions=[("beta", "gamma")],
        problems=("delta",),
        todos=["epsilon"],
        keywords=("zeta",),
        changes=("eta/theta.ts",),
        branch="iota",
        tickets=("KAP-1",),
    )

    terms = set(postings(episode_document(episode).postings))

    assert {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"} <= terms
    assert {"@iota", "#kap-1", "/eta/theta.ts"} <= terms


def test_refreshing_follows_what_became_of_an_item(store: SqliteStore) -> None:
    keep(store, an_item("i_1", title="Tests never sleep"))
    with store.writing() as tables:
        tables.items.set_status(
            ItemId("i_1"),
            Status.RETRACTED,
            action=Action.RETRACT,
            stamp=Stamp(batch="c", actor="human", reason="", at_ms=1),
        )
        refresh(tables, [ItemId("i_1"), ItemId("never there")])
        count, _ = tables.postings.totals([])

    assert count == 0
    assert found(store, "Tests never sleep") == []


def test_refreshing_reads_the_current_revision(store: SqliteStore) -> None:
    item = an_item("i_1", title="Tests never sleep")
    keep(store, item)
    with store.writing() as tables:
        revision = replace(item.revision, number=2, title="Clocks are faked", statement="So it is")
        tables.items.add_revision(
            item.id, revision, action=Action.REVISE, batch="c", actor="rule:test", now_ms=1
        )
        refresh(tables, [item.id])

    assert found(store, "never sleep") == []
    assert found(store, "faked clocks") == ["i_1"]


def test_removing_takes_an_entry_out(store: SqliteStore) -> None:
    keep(store, an_item("i_1", title="Tests never sleep"), an_episode("e_1"))
    with store.writing() as tables:
        remove(tables, ["i_1", "e_1"])

        assert tables.postings.totals([])[0] == 0


def test_reindexing_gives_identical_answers_and_identical_tables(store: SqliteStore) -> None:
    keep(
        store,
        an_item("i_1", title="Tests never sleep", aliases=("FakeClock",)),
        an_item("i_2", title="续借最多两次"),
        an_item("i_3", title="Old rule", status=Status.SUPERSEDED),
        an_episode("e_1", objective="Make tests quick", changes=("tests/clock.ts",)),
    )
    questions = ("tests", "FakeClock", "续借", "tests/clock.ts", "old rule", "slepe")
    before = [found(store, text) for text in questions]
    tables_before = derived(store)

    assert reindex(store) == 3
    assert [found(store, text) for text in questions] == before
    assert derived(store) == tables_before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    title=st.text(min_size=1, max_size=40).filter(str.strip),
    words=st.lists(st.text(max_size=20), max_size=4),
)
def test_any_item_gives_postings_that_are_bounded_and_in_order(
    title: str, words: list[str]
) -> None:
    item = an_item(title=title, keywords=tuple(words), paths=tuple(words))

    document = item_document(item)

    terms = [posting.term for posting in document.postings]
    assert terms == sorted(set(terms))
    assert all(0 < posting.weight <= 1 and posting.fields for posting in document.postings)


def test_index_of_older_rules_is_brought_up_to_date_once(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renewal, "_RENEWED_AT_ONCE", 2)
    items = [an_item(f"i_{n}", title=f"PostgreSQL {n}") for n in range(5)]
    keep(store, *items, an_episode("e_1", objective="Make tests quick"))
    tables_before = derived(store)
    with store.writing() as tables:
        for item in items[1:]:
            tables.postings.put(replace(item_document(item), postings=(), spellings=()))
        tables.postings.remove(items[0].id)
        tables.postings.remove("e_1")
        tables.meta.set_index_version(1)

    assert renew(store)
    assert derived(store) == tables_before
    assert not renew(store)


def test_index_of_the_version_before_finds_other_words_once_it_is_renewed(
    store: SqliteStore,
) -> None:
    item = an_item("i_1", title="退款原路退回")
    keep(store, item)
    with store.writing() as tables:
        document = item_document(item)
        said = tuple(p for p in document.postings if not is_concept(p.term))
        tables.postings.put(replace(document, postings=said))
        tables.meta.set_index_version(INDEX_VERSION - 1)
    assert found(store, "refund") == []

    assert renew(store)
    assert found(store, "refund") == ["i_1"]
