"""Builders of threads, turns and items, with a default for whatever a test does not speak of."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from backstory.model.candidate import Quote
from backstory.model.ids import ItemId, ThreadId, TurnId
from backstory.model.item import Evidence, Item, Revision
from backstory.model.turn import NewTurn, OpenTurn, Thread
from backstory.model.words import Author, Kind, Role, Scope, Status
from backstory.ports.store import Store
from backstory.ports.store_rows import NewItem

THREAD = ThreadId("th_1")
LEASE_MS = 120_000


class SettableClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now_ms: int = 0) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        """Return the time that it was set to."""
        return self.now_ms

    def advance(self, by_ms: int) -> None:
        """Move it on."""
        self.now_ms += by_ms


def a_thread(thread_id: str = THREAD, **fields: Any) -> Thread:
    given: dict[str, Any] = {
        "host": "api",
        "host_key": thread_id,
        "is_active": True,
        "started_at_ms": 0,
    }
    return Thread(id=ThreadId(thread_id), **(given | fields))


def a_turn(text: str = "We use SQLite.", **fields: Any) -> NewTurn:
    given: dict[str, Any] = {"thread_id": THREAD, "said_at_ms": 0}
    return NewTurn(user_text=text, **(given | fields))


def with_thread(store: Store, thread_id: str = THREAD) -> Store:
    with store.writing() as tables:
        tables.threads.add(a_thread(thread_id))
    return store


def begun(
    store: Store, text: str = "We use SQLite.", *, now_ms: int = 0, **fields: Any
) -> OpenTurn:
    with store.writing() as tables:
        return tables.turns.begin(a_turn(text, **fields), now_ms=now_ms, lease_ms=LEASE_MS)


def said(store: Store, text: str, *, answer: str = "", now_ms: int = 0, **fields: Any) -> TurnId:
    with store.writing() as tables:
        turn_id = tables.turns.add_finished(a_turn(text, **fields), answer, now_ms=now_ms)
    assert turn_id is not None, "the source key of the test is new"
    return turn_id


def remembered(
    store: Store, item_id: str, *, statement: str, turn_id: TurnId, span: tuple[int, int]
) -> ItemId:
    """Store an item that is proved by a span of what the user said in a turn."""
    revision = Revision(
        number=1,
        title=statement[:160],
        statement=statement,
        synopsis="",
        detail="",
        aliases=(),
        keywords=(),
        paths=(),
        tags=(),
        author=Author.RULE,
        author_name="rule:test",
        reason=f"said: {statement}",
        created_at_ms=0,
    )
    item = Item(
        id=ItemId(item_id),
        seq=0,
        kind=Kind.PROJECT_DECISION,
        scope=Scope.PROJECT,
        status=Status.ACTIVE,
        thread_id=None,
        claim_key=f"project_decision|{item_id}||",
        claim_value=None,
        is_negative=False,
        is_pinned=False,
        priority=50,
        confidence=1.0,
        revision=revision,
        created_at_ms=0,
        updated_at_ms=0,
    )
    with store.writing() as tables:
        turn = tables.turns.get(turn_id)
        assert turn is not None
        start, end = span
        quote = Quote(
            role=Role.USER, start=start, end=end, text=turn.user_text[start:end], turn_id=turn_id
        )
        evidence = Evidence(revision=1, quote=quote, said_at_ms=0)
        new = NewItem(item=item, evidence=(evidence,))
        tables.items.add(new, batch=f"b_{item_id}", actor="rule:test", now_ms=0)
    return ItemId(item_id)


def files_in(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder with what it holds."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


Opener = Callable[[Path], Store]
