"""A shelf that catches up with what others changed is as one that is filled anew."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory import consolidate
from backstory.consolidate import Shelf
from backstory.consolidate.operations import Proposed
from backstory.jobs import writing_after
from backstory.model.ids import CandidateId
from backstory.model.words import Intent
from backstory.ports.store import Tables
from backstory.store import SqliteStore, erase_item, open_store
from recorded import THREAD
from remembering import IDS, a_candidate, active, consolidated, heard, items, told

_STATEMENTS = st.sampled_from(
    [
        "We use Postgres for the database",
        "We use SQLite for the database",
        "The cache is Redis",
        "Function names are camelCase",
        "缩进采用空格",
        "数据库采用 Postgres",
    ]
)
_SAID = st.lists(st.tuples(_STATEMENTS, st.sampled_from(Intent)), max_size=6)


@settings(max_examples=40, deadline=None)
@given(before=_SAID, since=_SAID, asked=_STATEMENTS)
def test_what_others_changed_since_is_on_it(
    before: list[tuple[str, Intent]], since: list[tuple[str, Intent]], asked: str
) -> None:
    proposed = Proposed(id=CandidateId("c"), candidate=a_candidate(asked), thread_id=THREAD)
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "memory.db", now_ms=0)
        for at, (statement, intent) in enumerate(before):
            told(store, statement, intent=intent, said_at_ms=at)
        with store.reading() as tables:
            shelf = Shelf(tables)
            shelf.situation(proposed)
        for at, (statement, intent) in enumerate(since, 100):
            told(store, statement, intent=intent, said_at_ms=at)
        with store.reading() as tables:
            caught_up = shelf.caught_up(tables)
            assert caught_up is not None
            one, other = caught_up.situation(proposed), Shelf(tables).situation(proposed)
            weights = [
                (shelf.rarity.weight(term), one.rarity.weight(term), other.rarity.weight(term))
                for term in ("databas", "cach", "camelcas", "缩进")
            ]
            offered = [(offer.item, offer.moment) for offer in one.offered]
            again = [(offer.item, offer.moment) for offer in other.offered]
        store.close()

    assert offered == again
    assert (one.moment, one.graves, one.around) == (other.moment, other.graves, other.around)
    assert all(first == second == third for first, second, third in weights)


def test_what_was_said_once_more_is_as_new_as_its_last_proof(store: SqliteStore) -> None:
    statement = "We use Postgres for the database"
    told(store, statement, said_at_ms=1)
    proposed = Proposed(id=CandidateId("c"), candidate=a_candidate(statement), thread_id=THREAD)
    with store.reading() as tables:
        shelf = Shelf(tables)
        before = [offer.moment for offer in shelf.situation(proposed).offered]
    told(store, statement, said_at_ms=50)
    with store.reading() as tables:
        assert shelf.caught_up(tables) is shelf
        after = [offer.moment for offer in shelf.situation(proposed).offered]

    assert [moment.said_at_ms for moment in (*before, *after)] == [1, 50]


def _undone(store: SqliteStore) -> None:
    with store.writing() as tables:
        consolidate.undo(tables, now_ms=9)


def _erased(store: SqliteStore) -> None:
    erase_item(store, items(store)[0].id)


@pytest.mark.parametrize("unlogged", [_undone, _erased])
def test_what_the_log_does_not_tell_is_read_anew(store: SqliteStore, unlogged: object) -> None:
    told(store, "We use Postgres for the database")
    with store.reading() as tables:
        shelf = Shelf(tables)

    assert callable(unlogged)
    unlogged(store)

    with store.reading() as tables:
        assert shelf.caught_up(tables) is None


@pytest.mark.case("C03")
def test_items_are_read_once_also_where_others_write(store: SqliteStore) -> None:
    other = SqliteStore(store.path)  # a connection of its own, as another process has
    filled = 0

    def fill(tables: Tables) -> Shelf:
        nonlocal filled
        filled += 1
        shelf = Shelf(tables)
        told(other, "We use Postgres for the database", said_at_ms=3)
        heard(other, "We use SQLite for the database", said_at_ms=5, intent=Intent.REPLACE)
        return shelf

    with writing_after(store, fill, again=Shelf.caught_up) as (tables, shelf):
        consolidate.consolidate_pending(tables, ids=IDS, now_ms=9, shelf=shelf)

    other.close()
    assert filled == 1
    assert active(store) == ["We use SQLite for the database"]


def test_nothing_waits_for_who_was_overtaken(store: SqliteStore) -> None:
    heard(store, "We use SQLite for the database")
    with store.reading() as tables:
        shelf = Shelf(tables)
    consolidated(store)

    with store.writing() as tables:
        caught_up = shelf.caught_up(tables)
        assert caught_up is shelf
        assert consolidate.consolidate_pending(tables, ids=IDS, now_ms=9, shelf=shelf) == ()
