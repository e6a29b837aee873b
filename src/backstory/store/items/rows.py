"""Rows of items, revisions, evidence and changes, to and from their types."""

import json
from typing import Any

from backstory.model.ids import CandidateId, EventId, ItemId, ThreadId, TurnId
from backstory.model.item import Change, Evidence, Item, Revision
from backstory.model.words import Action, Author, Kind, Role, Scope, Status

# What apsw hands over: the types of the columns are proved by STRICT tables and CHECKs.
Row = tuple[Any, ...]


def item_from(row: Row) -> Item:
    """Read a row of the view `item_now`."""
    return Item(
        id=ItemId(row[0]),
        seq=row[1],
        kind=Kind(row[2]),
        scope=Scope(row[3]),
        status=Status(row[4]),
        thread_id=None if row[5] is None else ThreadId(row[5]),
        claim_key=row[6],
        claim_value=row[7],
        is_negative=bool(row[8]),
        is_pinned=bool(row[9]),
        priority=row[10],
        confidence=row[11],
        superseded_by=None if row[12] is None else ItemId(row[12]),
        created_at_ms=row[13],
        updated_at_ms=row[14],
        revision=revision_from(row[15:]),
    )


def item_values(item: Item) -> dict[str, str | int | float | None]:
    """Return an item's own columns by name."""
    return {
        "id": item.id,
        "kind": item.kind,
        "scope": item.scope,
        "status": item.status,
        "thread_id": item.thread_id,
        "claim_key": item.claim_key,
        "claim_value": item.claim_value,
        "is_negative": int(item.is_negative),
        "is_pinned": int(item.is_pinned),
        "priority": item.priority,
        "confidence": item.confidence,
        "revision": item.revision.number,
        "superseded_by": item.superseded_by,
        "created_at_ms": item.created_at_ms,
        "updated_at_ms": item.updated_at_ms,
    }


def revision_from(row: Row) -> Revision:
    """Read the columns of a revision."""
    return Revision(
        number=row[0],
        title=row[1],
        statement=row[2],
        synopsis=row[3],
        detail=row[4],
        aliases=tuple(json.loads(row[5])),
        keywords=tuple(json.loads(row[6])),
        paths=tuple(json.loads(row[7])),
        tags=tuple(json.loads(row[8])),
        author=Author(row[9]),
        author_name=row[10],
        reason=row[11],
        candidate_id=None if row[12] is None else CandidateId(row[12]),
        created_at_ms=row[13],
    )


def revision_values(item_id: ItemId, revision: Revision) -> dict[str, str | int | None]:
    """Return a revision's columns by name."""
    return {
        "item_id": item_id,
        "number": revision.number,
        "title": revision.title,
        "statement": revision.statement,
        "synopsis": revision.synopsis,
        "detail": revision.detail,
        "aliases": json.dumps(revision.aliases, ensure_ascii=False),
        "keywords": json.dumps(revision.keywords, ensure_ascii=False),
        "paths": json.dumps(revision.paths, ensure_ascii=False),
        "tags": json.dumps(revision.tags, ensure_ascii=False),
        "author": revision.author,
        "author_name": revision.author_name,
        "reason": revision.reason,
        "candidate_id": revision.candidate_id,
        "created_at_ms": revision.created_at_ms,
    }


def evidence_from(row: Row) -> Evidence:
    """Read a quote with the time at which it was said."""
    from backstory.model.candidate import Quote  # noqa: PLC0415 - recall reads no evidence

    quote = Quote(
        turn_id=None if row[1] is None else TurnId(row[1]),
        event_id=None if row[2] is None else EventId(row[2]),
        role=Role(row[3]),
        start=row[4],
        end=row[5],
        text=row[6],
    )
    return Evidence(revision=row[0], quote=quote, said_at_ms=row[7])


def evidence_values(item_id: ItemId, evidence: Evidence) -> dict[str, str | int | None]:
    """Return a quote's columns by name; when it was said is the turn's to know."""
    quote = evidence.quote
    return {
        "item_id": item_id,
        "revision": evidence.revision,
        "turn_id": quote.turn_id,
        "event_id": quote.event_id,
        "role": quote.role,
        "start_char": quote.start,
        "end_char": quote.end,
        "text": quote.text,
    }


def change_from(row: Row) -> Change:
    """Read an entry of the change log."""
    return Change(
        seq=row[0],
        batch=row[1],
        at_ms=row[2],
        action=Action(row[3]),
        item_id=ItemId(row[4]),
        actor=row[5],
        reason=row[6],
        is_undone=bool(row[7]),
    )
