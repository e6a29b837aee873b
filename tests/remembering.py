"""Builders of candidates, and a short way to let one become memory."""

import itertools
from collections.abc import Callable
from typing import Any

from backstory.consolidate import consolidate_pending
from backstory.extract.claims import claim_of
from backstory.model.candidate import Candidate, Quote
from backstory.model.ids import CandidateId, ThreadId, TurnId
from backstory.model.item import Item
from backstory.model.turn import NewTurn
from backstory.model.words import CandidateState, Intent, Kind, Role, Status
from backstory.ports.store import Store
from recorded import THREAD, a_thread

NOW_MS = 10_000


def numbered() -> Callable[[str], str]:
    """Return a source of names that counts: m_1, then b_2."""
    numbers = itertools.count(1)
    return lambda prefix: f"{prefix}_{next(numbers)}"


# One for all who write in a test: an undo takes back all that has the name of one batch.
IDS = numbered()


def a_quote(text: str = "use SQLite", *, turn_id: str = "t_1", **fields: Any) -> Quote:
    given: dict[str, Any] = {"role": Role.USER, "start": 0, "end": max(1, len(text))}
    return Quote(text=text, turn_id=TurnId(turn_id), **(given | fields))


def a_candidate(statement: str = "use SQLite", **fields: Any) -> Candidate:
    kind = fields.pop("kind", Kind.PROJECT_DECISION)
    given: dict[str, Any] = {
        "quotes": (a_quote(statement),),
        "intent": Intent.ASSERT,
        "title": statement[:160],
        "synopsis": "",
        "aliases": (),
        "keywords": (),
        "paths": (),
        "claim": claim_of(statement, kind=kind),
        "proposer": "rule:test",
    }
    return Candidate(kind=kind, statement=statement, **(given | fields))


def heard(
    store: Store,
    statement: str,
    *,
    said_at_ms: int = 0,
    thread_id: str = THREAD,
    is_imported: bool = False,
    **fields: Any,
) -> CandidateId:
    """Record a turn that says this, and a candidate that quotes it."""
    thread = ThreadId(thread_id)
    with store.writing() as tables:
        if tables.threads.get(thread) is None:
            tables.threads.add(a_thread(thread_id))
        turn = NewTurn(
            thread_id=thread,
            user_text=statement,
            said_at_ms=said_at_ms,
            is_imported=is_imported,
        )
        turn_id = tables.turns.add_finished(turn, "", now_ms=said_at_ms)
        assert turn_id is not None, "a turn without a source key is new"
        candidate = a_candidate(
            statement, **({"quotes": (a_quote(statement, turn_id=turn_id),)} | fields)
        )
        return tables.candidates.add(candidate, thread_id=thread, now_ms=said_at_ms)


def consolidated(store: Store, *, now_ms: int = NOW_MS) -> tuple[str, ...]:
    """Let all that waits be decided."""
    touched: list[str] = []
    with store.writing() as tables:
        while tables.candidates.pending(limit=1):
            touched.extend(consolidate_pending(tables, ids=IDS, now_ms=now_ms))
    return tuple(touched)


def told(store: Store, statement: str, **fields: Any) -> CandidateId:
    """Record a statement and let it be decided at once."""
    candidate_id = heard(store, statement, **fields)
    consolidated(store)
    return candidate_id


def active(store: Store) -> list[str]:
    """Return what is remembered now."""
    return [item.revision.statement for item in items(store)]


def items(store: Store, *statuses: Status) -> tuple[Item, ...]:
    with store.reading() as tables:
        return tables.items.listed(statuses=statuses or (Status.ACTIVE,))


def outcome(store: Store, candidate_id: CandidateId) -> tuple[CandidateState, tuple[str, ...]]:
    """Return what became of a candidate, and the slugs of the reasons."""
    with store.reading() as tables:
        found = tables.candidates.get(candidate_id)
    assert found is not None
    return found[0].state, tuple(reason.slug for reason in found[0].reasons)
