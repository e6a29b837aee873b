"""Putting the items of one batch of changes back as they were."""

import json
from typing import Any

import apsw

from backstory.model.ids import ItemId
from backstory.model.words import Action

_LEAVES_TOMBSTONE = (Action.FORGET, Action.RETRACT, Action.SUPERSEDE)


def undo_batch(connection: apsw.Connection, batch: str, *, now_ms: int) -> tuple[ItemId, ...]:
    """Undo what of this batch is not undone yet, last change first, and return the items.

    An item that the batch made is retracted and keeps its words, as nothing is ever
    unmade. Going backwards, every state on the way was a state that the store has held.
    """
    rows: list[tuple[Any, ...]] = connection.execute(
        """
        SELECT action, item_id, before
          FROM change
         WHERE batch = :batch AND undone = 0
         ORDER BY seq DESC
        """,
        {"batch": batch},
    ).fetchall()
    touched: dict[ItemId, None] = {}
    for action, item_id, before in rows:
        if action == Action.CREATE:
            _withdraw(connection, item_id, now_ms=now_ms)
        else:
            _put_back(connection, item_id, before=before, now_ms=now_ms)
        if action in _LEAVES_TOMBSTONE:
            _drop_tombstone(connection, item_id)
        touched[ItemId(item_id)] = None
    connection.execute("UPDATE change SET undone = 1 WHERE batch = :batch", {"batch": batch})
    return tuple(touched)


def _withdraw(connection: apsw.Connection, item_id: str, *, now_ms: int) -> None:
    connection.execute(
        """
        UPDATE item
           SET status = 'retracted', superseded_by = NULL, updated_at_ms = :now_ms
         WHERE id = :item_id
        """,
        {"item_id": item_id, "now_ms": now_ms},
    )


def _put_back(connection: apsw.Connection, item_id: str, *, before: str, now_ms: int) -> None:
    connection.execute(
        """
        UPDATE item
           SET status = :status, superseded_by = :superseded_by, claim_key = :claim_key,
               claim_value = :claim_value, is_negative = :is_negative, is_pinned = :is_pinned,
               revision = :revision, updated_at_ms = :now_ms
         WHERE id = :item_id
        """,
        {**json.loads(before), "item_id": item_id, "now_ms": now_ms},
    )


def _drop_tombstone(connection: apsw.Connection, item_id: str) -> None:
    """Remove the tombstone that came with the change, so that old words count again."""
    connection.execute(
        """
        DELETE FROM tombstone
         WHERE seq = (SELECT max(seq) FROM tombstone WHERE item_id = :item_id)
        """,
        {"item_id": item_id},
    )
