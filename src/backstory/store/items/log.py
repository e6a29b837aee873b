"""The log of what was done to items."""

from typing import Any

import apsw

from backstory.model.ids import ItemId
from backstory.model.item import Change
from backstory.model.words import Action
from backstory.ports.store_rows import ChangesSeen, Stamp
from backstory.store.items.rows import change_from
from backstory.store.rows import only_row

_ALL = (1 << 63) - 1


def log_change(
    connection: apsw.Connection, item_id: ItemId, *, action: Action, stamp: Stamp, before: str
) -> None:
    """Note what is done to an item, and what its row held before."""
    connection.execute(
        """
        INSERT INTO change (batch, at_ms, action, item_id, actor, reason, before)
        VALUES (:batch, :at_ms, :action, :item_id, :actor, :reason, :before)
        """,
        {
            "batch": stamp.batch,
            "at_ms": stamp.at_ms,
            "action": action,
            "item_id": item_id,
            "actor": stamp.actor,
            "reason": stamp.reason,
            "before": before,
        },
    )


def changes(
    connection: apsw.Connection, item_id: ItemId | None, *, limit: int
) -> tuple[Change, ...]:
    """Return changes of one item, or of all, newest first."""
    rows = connection.execute(
        """
        SELECT seq, batch, at_ms, action, item_id, actor, reason, undone
          FROM change
         WHERE :item_id IS NULL OR item_id = :item_id
         ORDER BY seq DESC
         LIMIT :limit
        """,
        {"item_id": item_id, "limit": limit},
    )
    return tuple(change_from(row) for row in rows)


def changes_seen(connection: apsw.Connection) -> ChangesSeen:
    """Return how far the log goes, and what of it was undone."""
    return _seen_until(connection, _ALL)


def changed_since(connection: apsw.Connection, seen: ChangesSeen) -> tuple[ItemId, ...] | None:
    """Return the items that were changed since.

    None where something was undone or erased, of which nothing is added to the log.
    """
    if _seen_until(connection, seen.last) != seen:
        return None
    # What apsw hands over: STRICT tables prove the types.
    rows: list[tuple[Any, ...]] = connection.execute(
        "SELECT DISTINCT item_id FROM change WHERE seq > :last ORDER BY item_id",
        {"last": seen.last},
    ).fetchall()
    return tuple(ItemId(row[0]) for row in rows)


def _seen_until(connection: apsw.Connection, last: int) -> ChangesSeen:
    row = only_row(
        connection,
        """
        SELECT coalesce(max(seq), 0), count(*), coalesce(sum(undone), 0)
          FROM change
         WHERE seq <= :last
        """,
        bindings={"last": last},
    )
    assert row is not None, "a count has a row"
    return ChangesSeen(last=row[0], count=row[1], undone=row[2])
