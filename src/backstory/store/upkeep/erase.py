"""Erasing an item: its bytes leave the file, its log and its indexes.

The words that prove the item are blanked in the turns that they were said in, by a filler of
the same length, so that the quotes of other items keep their places. What stands there word
for word elsewhere (an answer that repeats it, a reason, an error) is blanked as well.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backstory.model.candidate import Quote
from backstory.model.errors import NotFoundError
from backstory.model.ids import ItemId
from backstory.model.item import ItemStory
from backstory.store.db import SqliteStore
from backstory.store.tables import SqliteTables
from backstory.store.upkeep.blanking import ERASED, byte_forms, needles_of
from backstory.store.upkeep.copies import copies_holding
from backstory.store.upkeep.rewriting import (
    Span,
    blank_everywhere,
    blank_sources,
    requote,
    words_of,
)
from backstory.store.upkeep.scrub import scrub


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What was erased, and what a person may still have to do."""

    spans: int  # of turns and events whose words were blanked
    also_blanked: tuple[ItemId, ...]  # other items that are proved by some of the same words
    copies: tuple[Path, ...]  # files that still hold the words
    is_scrubbed: bool  # False: another process was reading, so the log still holds the words


def erase_item(store: SqliteStore, item_id: ItemId) -> Erasure:
    """Remove an item with everything that says it. Nothing brings it back, not even `undo`.

    Other items stay, also where the same words prove them. The index of turns is emptied;
    the caller fills it again. Raises `NotFoundError` for an unknown id.
    """
    with store.writing() as tables:
        tables.connection.pragma("secure_delete", True)  # noqa: FBT003 - the pragma's own value
        story = tables.items.story(item_id)
        if story is None:
            raise NotFoundError(f"there is no item {item_id}")
        spans = _spans_of(tables, story)
        needles = needles_of((*_words_of(story), *words_of(tables.connection, spans)))
        _remove(tables, item_id, spans=spans)
        blank_sources(tables.connection, spans)
        blank_everywhere(tables.connection, needles)
        _remove_blanked_proposals(tables)
        also_blanked = requote(tables.connection, spans)
        tables.turn_texts.clear()
    return Erasure(
        spans=len(spans),
        also_blanked=also_blanked,
        copies=copies_holding(store.path, byte_forms(needles)),
        is_scrubbed=scrub(store),
    )


def _remove_blanked_proposals(tables: SqliteTables) -> None:
    # Nobody can approve or refuse what says nothing any more.
    tables.connection.execute(
        """
        DELETE FROM candidate
         WHERE state IN ('pending', 'waiting') AND instr(statement, :erased)
        """,
        {"erased": ERASED},
    )


def _spans_of(tables: SqliteTables, story: ItemStory) -> tuple[Span, ...]:
    quotes = [evidence.quote for evidence in story.evidence]
    rows = tables.connection.execute(
        "SELECT quotes FROM candidate WHERE item_id = :id", {"id": story.item.id}
    ).fetchall()
    spans = {_span_of(quote) for quote in quotes}
    spans |= {_span_from(quote) for (quotes,) in rows for quote in json.loads(str(quotes))}
    return tuple(sorted(spans, key=lambda span: (span.source, span.role, span.start)))


def _span_of(quote: Quote) -> Span:
    source = quote.turn_id or quote.event_id
    assert source is not None, "a quote names a turn or an event"
    return Span(source=source, role=quote.role, start=quote.start, end=quote.end)


def _span_from(quote: dict[str, Any]) -> Span:
    source = quote["turn_id"] or quote["event_id"]
    return Span(source=source, role=quote["role"], start=quote["start"], end=quote["end"])


def _words_of(story: ItemStory) -> set[str]:
    words = {evidence.quote.text for evidence in story.evidence}
    for revision in story.revisions:
        words |= {revision.title, revision.statement, revision.synopsis, revision.detail}
    return words


def _remove(tables: SqliteTables, item_id: ItemId, *, spans: tuple[Span, ...]) -> None:
    connection = tables.connection
    tables.postings.remove(item_id)
    quoting = connection.execute(
        """
        SELECT c.seq, c.quotes
          FROM candidate AS c
         WHERE EXISTS (SELECT 1 FROM json_each(:sources) AS s WHERE instr(c.quotes, s.value))
        """,
        {"sources": json.dumps([span.source for span in spans])},
    )
    for row_id, quotes in quoting.fetchall():
        if any(
            _span_from(quote).overlaps(span) for quote in json.loads(str(quotes)) for span in spans
        ):
            connection.execute("DELETE FROM candidate WHERE seq = :seq", {"seq": row_id})
    # The fingerprint of a tombstone is a hash, so it may stay and keep the claim from coming
    # back; its key holds words.
    connection.execute(
        """
        PRAGMA defer_foreign_keys = ON;
        UPDATE thread SET summary = ''
         WHERE summary <> '' AND id IN
               (SELECT t.thread_id FROM turn AS t JOIN evidence AS e ON e.turn_id = t.id
                 WHERE e.item_id = :id);
        DELETE FROM candidate WHERE item_id = :id;
        DELETE FROM evidence WHERE item_id = :id;
        DELETE FROM revision WHERE item_id = :id;
        UPDATE item SET superseded_by = NULL WHERE superseded_by = :id;
        DELETE FROM item WHERE id = :id;
        DELETE FROM change WHERE item_id = :id;
        DELETE FROM injection WHERE entry_id = :id;
        UPDATE tombstone SET claim_key = NULL WHERE item_id = :id;
        """,
        {"id": item_id},
    )
