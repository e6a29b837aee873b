"""Builders of items and episodes that can be found, and short ways to store and ask for them."""

from typing import Any

from backstory.index import index_entries
from backstory.model.episode import Episode, ReasonedDecision, Summary, Todo
from backstory.model.ids import EpisodeId, ItemId, ThreadId
from backstory.model.item import Item, Revision
from backstory.model.recall import Cues, Question, Recalled
from backstory.model.words import Author, Kind, Scope, Status
from backstory.ports.store import Store
from backstory.ports.store_rows import NewItem
from backstory.recall import recall
from backstory.store import SqliteStore

NOW_MS = 1_764_493_200_000  # Sunday, 30 November 2025, 09:00 UTC
DAY_MS = 86_400_000


def a_revision(**fields: Any) -> Revision:
    given: dict[str, Any] = {
        "number": 1,
        "title": "Postgres is the database",
        "synopsis": "",
        "detail": "",
        "aliases": (),
        "keywords": (),
        "paths": (),
        "tags": (),
        "author": Author.RULE,
        "author_name": "rule:test",
        "reason": "",
        "created_at_ms": 0,
    }
    made = given | fields
    return Revision(statement=made.pop("statement", made["title"]), **made)


def an_item(item_id: str = "i_1", **fields: Any) -> Item:
    """Return an item; names of a revision's fields go to its revision."""
    of_revision = set(Revision.__dataclass_fields__) - {"created_at_ms"}
    revision = a_revision(**{name: fields.pop(name) for name in of_revision & fields.keys()})
    given: dict[str, Any] = {
        "seq": 0,
        "kind": Kind.PROJECT_DECISION,
        "scope": Scope.PROJECT,
        "status": Status.ACTIVE,
        "thread_id": None,
        "claim_key": None,
        "claim_value": None,
        "is_negative": False,
        "is_pinned": False,
        "priority": 50,
        "confidence": 1.0,
        "created_at_ms": 0,
        "updated_at_ms": 0,
    }
    return Item(id=ItemId(item_id), revision=revision, **(given | fields))


def a_discussion(item_id: str, thread_id: ThreadId, **fields: Any) -> Item:
    scoped = {"kind": Kind.DISCUSSION_CONTEXT, "scope": Scope.THREAD, "thread_id": thread_id}
    return an_item(item_id, **scoped, **fields)


def an_episode(episode_id: str = "e_1", **fields: Any) -> Episode:
    """Return an episode; names of a summary's fields go to its summary."""
    todos = tuple(Todo(text=text) for text in fields.pop("todos", ()))
    decisions = tuple(
        ReasonedDecision(decision=made, reason=reason)
        for made, reason in fields.pop("decisions", ())
    )
    of_summary = {"changes", "problems", "keywords"} & fields.keys()
    summary = Summary(
        objective=fields.pop("objective", "Move the list to cursors"),
        todos=todos,
        decisions=decisions,
        **{name: fields.pop(name) for name in of_summary},
    )
    given: dict[str, Any] = {
        "seq": 0,
        "branch": None,
        "tickets": (),
        "started_at_ms": NOW_MS - 40 * DAY_MS,
        "ended_at_ms": NOW_MS - 40 * DAY_MS,
    }
    return Episode(id=EpisodeId(episode_id), summary=summary, **(given | fields))


def keep(store: Store, *entries: Item | Episode) -> None:
    """Store entries and index them."""
    with store.writing() as tables:
        for entry in entries:
            if isinstance(entry, Item):
                new = NewItem(item=entry, evidence=())
                tables.items.add(new, batch="b", actor="test", now_ms=0)
            else:
                tables.episodes.add(entry, now_ms=0)
        index_entries(tables, entries)


def answered(store: Store, text: str = "", **fields: Any) -> Recalled:
    """Return the whole answer to a question; files, branch and ticket are its cues."""
    cues = Cues(
        **{name: fields.pop(name) for name in ("files", "branch", "ticket") if name in fields}
    )
    explain = fields.pop("explain", False)
    with store.reading() as tables:
        question = Question(text=text, cues=cues, **fields)
        return recall(tables, question, now_ms=NOW_MS, explain=explain)


def found(store: Store, text: str = "", **fields: Any) -> list[str]:
    """Return the ids that answer a question, best first."""
    return [hit.entry.id for hit in answered(store, text, **fields).hits]


def derived(store: SqliteStore) -> list[object]:
    """Return all of the index, whatever numbers its entries have."""
    rows: list[object] = []
    for sql in (
        "SELECT entry_id, is_item, spellings FROM document ORDER BY 1",
        """
        SELECT d.entry_id, p.term, p.weight, p.fields
          FROM posting AS p
          JOIN document AS d ON d.id = p.document
         ORDER BY 1, 2
        """,
        "SELECT term, count FROM term_stat ORDER BY 1",
        "SELECT word, reversed, count FROM spelling ORDER BY 1",
    ):
        rows += store.connection().execute(sql).fetchall()
    return rows
