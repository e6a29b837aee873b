"""Deciding on items that were read beforehand gives what deciding within one transaction gives."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstory.capture.wording import core_terms_of
from backstory.consolidate import Shelf, consolidate_pending
from backstory.consolidate.likeness import Rarity
from backstory.consolidate.operations import Proposed
from backstory.jobs import writing_after
from backstory.model.candidate import Candidate
from backstory.model.ids import CandidateId
from backstory.model.item import Item
from backstory.model.limits import RELATED_OFFERED_MAX
from backstory.model.words import Intent, JobKind, Status
from backstory.pipeline import Surroundings, run_consolidate
from backstory.ports.store import Store
from backstory.store import SqliteStore, open_store
from recorded import THREAD
from remembering import a_candidate, heard, items, numbered, told

_SUBJECTS = ("the database", "the cache", "function names", "line length", "数据库", "缩进")
_VALUES = ("SQLite", "Postgres", "Redis", "camelCase", "100", "空格")
_SHAPES = (
    "We use {value} for {subject}",
    "{subject}采用 {value}",
    "Do not use {value} for {subject}",
    "{value} is what {subject} is",
)
_STATEMENTS = st.builds(
    lambda shape, subject, value: shape.format(subject=subject, value=value),
    st.sampled_from(_SHAPES),
    st.sampled_from(_SUBJECTS),
    st.sampled_from(_VALUES),
)
_SAID = st.lists(st.tuples(_STATEMENTS, st.sampled_from(Intent)), max_size=8)


def _other_names() -> Callable[[str], str]:
    """Return a source of names that what was remembered before has not got."""
    names = numbered()
    return lambda prefix: f"{names(prefix)}_late"


def _as_told(store: Store) -> list[tuple[object, ...]]:
    """Return every item as it stands, but for the names that were made up for it."""
    return [
        (one.revision.statement, one.status, one.claim_key, one.revision.number, one.kind)
        for one in items(store, *Status)
    ]


def _decided(
    folder: Path,
    before: list[tuple[str, Intent]],
    waiting: list[tuple[str, Intent]],
    *,
    ahead: bool,
) -> list[tuple[object, ...]]:
    """Let some be remembered and then the others be decided; return every item at the end."""
    store = open_store(folder / f"{ahead}.db", now_ms=0)
    ids = _other_names()
    for at, (statement, intent) in enumerate(before):
        told(store, statement, intent=intent, said_at_ms=at)
    for at, (statement, intent) in enumerate(waiting):
        heard(store, statement, intent=intent, said_at_ms=100 + at)
    if ahead:
        with writing_after(store, Shelf) as (tables, shelf):
            consolidate_pending(tables, ids=ids, now_ms=1_000, shelf=shelf)
    else:
        with store.writing() as tables:
            consolidate_pending(tables, ids=ids, now_ms=1_000)
    ended = _as_told(store)
    store.close()
    return ended


@settings(max_examples=25, deadline=None)
@given(before=_SAID, waiting=_SAID)
def test_the_same_is_remembered_whether_items_are_read_ahead_or_not(
    before: list[tuple[str, Intent]], waiting: list[tuple[str, Intent]]
) -> None:
    with TemporaryDirectory() as folder:
        within = _decided(Path(folder), before, waiting, ahead=False)
        ahead = _decided(Path(folder), before, waiting, ahead=True)

    assert ahead == within


@settings(max_examples=25, deadline=None)
@given(before=_SAID, asked=_STATEMENTS, intent=st.sampled_from(Intent))
def test_what_is_offered_to_a_decision_is_the_same_from_a_shelf_read_ahead(
    before: list[tuple[str, Intent]], asked: str, intent: Intent
) -> None:
    candidate = replace(a_candidate(asked), intent=intent)
    proposed = Proposed(id=CandidateId("c_1"), candidate=candidate, thread_id=THREAD)
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "memory.db", now_ms=0)
        for at, (statement, with_intent) in enumerate(before):
            told(store, statement, intent=with_intent, said_at_ms=at)
        with writing_after(store, Shelf) as (tables, shelf):
            ahead = shelf.within(tables).situation(proposed)
            within = Shelf(tables).situation(proposed)
            offered = [(one.item, one.moment) for one in ahead.offered]
            again = [(one.item, one.moment) for one in within.offered]
        store.close()

    assert offered == again
    assert (ahead.moment, ahead.graves) == (within.moment, within.graves)


@settings(max_examples=25, deadline=None)
@given(before=st.lists(_STATEMENTS, max_size=40, unique=True), asked=_STATEMENTS)
def test_what_shares_most_is_offered_first_and_names_decide_among_equals(
    before: list[str], asked: str
) -> None:
    candidate = replace(a_candidate(asked), claim=None)
    proposed = Proposed(id=CandidateId("c_1"), candidate=candidate, thread_id=THREAD)
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "memory.db", now_ms=0)
        for at, statement in enumerate(before):
            told(store, statement, said_at_ms=at)
        with store.reading() as tables:
            shelf = Shelf(tables)
            offered = [one.item.id for one in shelf.situation(proposed).offered]
        shares = {item.id: _share(candidate, item, rarity=shelf.rarity) for item in items(store)}
        store.close()

    shared = sorted((-share, name) for name, share in shares.items() if share)
    assert offered == [name for _, name in shared][:RELATED_OFFERED_MAX]


def _share(candidate: Candidate, item: Item, *, rarity: Rarity) -> int:
    held = set(core_terms_of(f"{item.revision.title}\n{item.revision.statement}"))
    asked = [term for term in core_terms_of(candidate.words) if term in held]
    return sum(1000 + round(100 * rarity.weight(term)) for term in asked)


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return open_store(tmp_path / "memory.db", now_ms=0)


@pytest.mark.parametrize("count", [20, 200])
def test_a_job_reads_no_more_within_its_transaction_the_more_is_remembered(
    store: SqliteStore, count: int
) -> None:
    for number in range(count):
        told(store, f"Module number{number} is owned by team{number}")
    heard(store, "We use SQLite for the database")
    with store.writing() as tables:
        tables.jobs.enqueue(JobKind.CONSOLIDATE, "", due_at_ms=0, now_ms=0)
        lease = tables.jobs.claim(now_ms=0, lease_ms=1_000)
    assert lease is not None
    counted = RowsRead(store)

    run_consolidate(store, lease, clock=lambda: 0, ids=_other_names(), surroundings=Surroundings())

    remembered: list[Item] = [*items(store)]
    store.close()
    assert len(remembered) == count + 1
    assert counted.elsewhere >= count
    assert counted.while_writing <= ROWS_MAX


# One candidate, what proves it, and what is alike: whatever else is remembered.
ROWS_MAX = 60


class RowsRead:
    """Counts the rows that a store's connection hands out, while it may write and otherwise."""

    def __init__(self, store: SqliteStore) -> None:
        self._is_writing = False
        self.while_writing = 0
        self.elsewhere = 0
        connection = store.connection()
        connection.exec_trace = self._begun
        connection.row_trace = self._row

    def _begun(self, _: object, sql: str, __: object) -> bool:
        if sql.strip().startswith(("BEGIN IMMEDIATE", "COMMIT")):
            self._is_writing = sql.strip().startswith("BEGIN")
        return True

    def _row(self, _: object, row: tuple[object, ...]) -> tuple[object, ...]:
        if self._is_writing:
            self.while_writing += 1
        else:
            self.elsewhere += 1
        return row
