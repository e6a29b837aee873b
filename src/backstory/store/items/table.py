"""Items, their revisions and evidence, tombstones and the change log."""

import json
from collections.abc import Mapping, Sequence

import apsw

from backstory.model.errors import NotFoundError
from backstory.model.ids import ItemId, TurnId
from backstory.model.item import Change, Evidence, Item, ItemStory, Revision
from backstory.model.words import Action, Kind, Status
from backstory.ports.store_rows import ChangesSeen, NewItem, Stamp, Tombstone
from backstory.store.items.log import changed_since, changes, changes_seen, log_change
from backstory.store.items.rows import (
    evidence_from,
    evidence_values,
    item_from,
    item_values,
    revision_from,
    revision_values,
)


class SqliteItems:
    """What is remembered. Every write but new evidence is logged, with the item as it was."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def add(self, new: NewItem, *, batch: str, actor: str, now_ms: int) -> None:
        """Store a new item with its first revision and its evidence."""
        item = new.item
        self._connection.execute(
            """
            INSERT INTO item (id, kind, scope, status, thread_id, claim_key, claim_value,
                              is_negative, is_pinned, priority, confidence, revision,
                              superseded_by, created_at_ms, updated_at_ms)
            VALUES (:id, :kind, :scope, :status, :thread_id, :claim_key, :claim_value,
                    :is_negative, :is_pinned, :priority, :confidence, :revision,
                    :superseded_by, :created_at_ms, :updated_at_ms)
            """,
            item_values(item),
        )
        self._insert_revision(item.id, item.revision)
        self.add_evidence(item.id, new.evidence)
        stamp = Stamp(batch=batch, actor=actor, reason=item.revision.reason, at_ms=now_ms)
        self._log(item.id, Action.CREATE, stamp=stamp, before="{}")

    def get(self, item_id: ItemId) -> Item | None:
        """Return the item at its current revision, whatever its status."""
        found = self.many([item_id])
        return found[0] if found else None

    def many(self, item_ids: Sequence[ItemId]) -> tuple[Item, ...]:
        """Return those that exist, in the order asked for."""
        rows = self._connection.execute(
            """
            SELECT id, seq, kind, scope, status, thread_id, claim_key, claim_value, is_negative,
                   is_pinned, priority, confidence, superseded_by, created_at_ms, updated_at_ms,
                   number, title, statement, synopsis, detail, aliases, keywords, paths, tags,
                   author, author_name, reason, candidate_id, revised_at_ms
              FROM item_now
             WHERE id IN (SELECT value FROM json_each(:ids))
            """,
            {"ids": json.dumps(item_ids)},
        )
        found = {item.id: item for item in map(item_from, rows)}
        return tuple(found[item_id] for item_id in item_ids if item_id in found)

    def listed(
        self,
        *,
        statuses: Sequence[Status],
        kinds: Sequence[Kind] = (),
        thread_id: str | None = None,
        only_pinned: bool = False,
    ) -> tuple[Item, ...]:
        """Return items in the order in which they were made.

        Without kinds all kinds are meant; `thread_id` keeps only what lives in that thread.
        """
        rows = self._connection.execute(
            """
            SELECT id, seq, kind, scope, status, thread_id, claim_key, claim_value, is_negative,
                   is_pinned, priority, confidence, superseded_by, created_at_ms, updated_at_ms,
                   number, title, statement, synopsis, detail, aliases, keywords, paths, tags,
                   author, author_name, reason, candidate_id, revised_at_ms
              FROM item_now
             WHERE status IN (SELECT value FROM json_each(:statuses))
               AND (:kinds = '[]' OR kind IN (SELECT value FROM json_each(:kinds)))
               AND (:thread_id IS NULL OR thread_id = :thread_id)
               AND (NOT :only_pinned OR is_pinned)
             ORDER BY seq
            """,
            {
                "statuses": json.dumps(list(statuses)),
                "kinds": json.dumps(list(kinds)),
                "thread_id": thread_id,
                "only_pinned": int(only_pinned),
            },
        )
        return tuple(item_from(row) for row in rows)

    def of_claim(self, claim_key: str) -> tuple[Item, ...]:
        """Return the active items that hold this claim: one, or one for each thread."""
        rows = self._connection.execute(
            """
            SELECT id, seq, kind, scope, status, thread_id, claim_key, claim_value, is_negative,
                   is_pinned, priority, confidence, superseded_by, created_at_ms, updated_at_ms,
                   number, title, statement, synopsis, detail, aliases, keywords, paths, tags,
                   author, author_name, reason, candidate_id, revised_at_ms
              FROM item_now
             WHERE claim_key = :claim_key AND status = 'active'
             ORDER BY seq
            """,
            {"claim_key": claim_key},
        )
        return tuple(item_from(row) for row in rows)

    def find(self, prefix: str) -> tuple[ItemId, ...]:
        """Return the ids that begin so, eight at the most."""
        # A range and not LIKE: it uses the index, and no character of the prefix is a wildcard.
        rows = self._connection.execute(
            """
            SELECT id
              FROM item
             WHERE id >= :prefix AND id < :prefix || char(1114111)
             ORDER BY id
             LIMIT 8
            """,
            {"prefix": prefix},
        )
        return tuple(ItemId(row[0]) for row in rows)

    def of_turn(self, turn_id: TurnId) -> tuple[ItemId, ...]:
        """Return the items that a quote of this turn proves."""
        rows = self._connection.execute(
            "SELECT DISTINCT item_id FROM evidence WHERE turn_id = :turn_id ORDER BY item_id",
            {"turn_id": turn_id},
        )
        return tuple(ItemId(row[0]) for row in rows)

    def story(self, item_id: ItemId) -> ItemStory | None:
        """Return an item with all its revisions and evidence, whatever its status."""
        item = self.get(item_id)
        if item is None:
            return None
        return ItemStory(
            item=item,
            revisions=self._revisions(item_id),
            evidence=self._evidence(item_id),
            supersedes=self._superseded_by(item_id),
        )

    def _revisions(self, item_id: ItemId) -> tuple[Revision, ...]:
        rows = self._connection.execute(
            """
            SELECT number, title, statement, synopsis, detail, aliases, keywords, paths, tags,
                   author, author_name, reason, candidate_id, created_at_ms
              FROM revision
             WHERE item_id = :item_id
             ORDER BY number
            """,
            {"item_id": item_id},
        )
        return tuple(revision_from(row) for row in rows)

    def _evidence(self, item_id: ItemId) -> tuple[Evidence, ...]:
        rows = self._connection.execute(
            """
            SELECT e.revision, e.turn_id, e.event_id, e.role, e.start_char, e.end_char, e.text,
                   coalesce(t.said_at_ms, v.at_ms)
              FROM evidence AS e
              LEFT JOIN turn AS t ON t.id = e.turn_id
              LEFT JOIN event AS v ON v.id = e.event_id
             WHERE e.item_id = :item_id
             ORDER BY e.number
            """,
            {"item_id": item_id},
        )
        return tuple(evidence_from(row) for row in rows)

    def _superseded_by(self, item_id: ItemId) -> tuple[ItemId, ...]:
        rows = self._connection.execute(
            "SELECT id FROM item WHERE superseded_by = :item_id ORDER BY seq",
            {"item_id": item_id},
        )
        return tuple(ItemId(row[0]) for row in rows)

    def add_revision(
        self,
        item_id: ItemId,
        revision: Revision,
        *,
        action: Action,
        batch: str,
        actor: str,
        now_ms: int,
    ) -> None:
        """Give an item its next state; the earlier ones stay as they are."""
        before = self._before(item_id)
        self._insert_revision(item_id, revision)
        self._connection.execute(
            """
            UPDATE item
               SET revision = :number, updated_at_ms = :now_ms
             WHERE id = :item_id
            """,
            {"item_id": item_id, "number": revision.number, "now_ms": now_ms},
        )
        stamp = Stamp(batch=batch, actor=actor, reason=revision.reason, at_ms=now_ms)
        self._log(item_id, action, stamp=stamp, before=before)

    def _insert_revision(self, item_id: ItemId, revision: Revision) -> None:
        self._connection.execute(
            """
            INSERT INTO revision (item_id, number, title, statement, synopsis, detail, aliases,
                                  keywords, paths, tags, author, author_name, reason,
                                  candidate_id, created_at_ms)
            VALUES (:item_id, :number, :title, :statement, :synopsis, :detail, :aliases,
                    :keywords, :paths, :tags, :author, :author_name, :reason,
                    :candidate_id, :created_at_ms)
            """,
            revision_values(item_id, revision),
        )

    def set_claim(
        self, item_id: ItemId, *, key: str | None, value: str | None, is_negative: bool
    ) -> None:
        """Say what the new revision claims. Call it right after `add_revision`, which logs it."""
        self._connection.execute(
            """
            UPDATE item
               SET claim_key = :key, claim_value = :value, is_negative = :is_negative
             WHERE id = :item_id
            """,
            {"item_id": item_id, "key": key, "value": value, "is_negative": int(is_negative)},
        )

    def add_evidence(self, item_id: ItemId, evidence: Sequence[Evidence]) -> int:
        """Add quotes that are not there yet, and return how many were new."""
        added = 0
        for entry in evidence:
            self._connection.execute(
                """
                INSERT INTO evidence (item_id, number, revision, turn_id, event_id, role,
                                      start_char, end_char, text)
                SELECT :item_id,
                       (SELECT 1 + coalesce(max(number), 0)
                          FROM evidence
                         WHERE item_id = :item_id),
                       :revision, :turn_id, :event_id, :role, :start_char, :end_char, :text
                 WHERE NOT EXISTS (SELECT 1
                                     FROM evidence
                                    WHERE item_id = :item_id
                                      AND turn_id IS :turn_id AND event_id IS :event_id
                                      AND role = :role
                                      AND start_char = :start_char AND end_char = :end_char)
                """,
                evidence_values(item_id, entry),
            )
            added += self._connection.changes()
        return added

    def set_status(
        self,
        item_id: ItemId,
        status: Status,
        *,
        action: Action,
        stamp: Stamp,
        superseded_by: ItemId | None = None,
    ) -> None:
        """Move an item to another status. The link to a successor outlives `forget` alone."""
        before = self._before(item_id)
        self._connection.execute(
            """
            UPDATE item
               SET status = :status,
                   superseded_by = CASE WHEN :status IN ('superseded', 'forgotten')
                                        THEN coalesce(:superseded_by, superseded_by) END,
                   updated_at_ms = :now_ms
             WHERE id = :item_id
            """,
            {
                "item_id": item_id,
                "status": status,
                "superseded_by": superseded_by,
                "now_ms": stamp.at_ms,
            },
        )
        self._log(item_id, action, stamp=stamp, before=before)

    def set_pinned(self, item_id: ItemId, *, pinned: bool, batch: str, now_ms: int) -> None:
        """Pin an item, or let it go."""
        before = self._before(item_id)
        self._connection.execute(
            "UPDATE item SET is_pinned = :pinned, updated_at_ms = :now_ms WHERE id = :item_id",
            {"item_id": item_id, "pinned": int(pinned), "now_ms": now_ms},
        )
        stamp = Stamp(batch=batch, actor="human", reason="", at_ms=now_ms)
        self._log(item_id, Action.PIN if pinned else Action.UNPIN, stamp=stamp, before=before)

    def _before(self, item_id: ItemId) -> str:
        """Return what `undo_batch` needs to put the item back as it is now."""
        row = self._connection.execute(
            """
            SELECT json_object('status', status, 'superseded_by', superseded_by,
                               'claim_key', claim_key, 'claim_value', claim_value,
                               'is_negative', is_negative, 'is_pinned', is_pinned,
                               'revision', revision)
              FROM item
             WHERE id = :item_id
            """,
            {"item_id": item_id},
        ).fetchone()
        if row is None:
            raise NotFoundError(f"there is no item {item_id}")
        return str(row[0])

    def _log(self, item_id: ItemId, action: Action, *, stamp: Stamp, before: str) -> None:
        log_change(self._connection, item_id, action=action, stamp=stamp, before=before)

    def add_tombstone(self, tombstone: Tombstone) -> None:
        """Keep words that were said before this from bringing the claim back."""
        self._connection.execute(
            """
            INSERT INTO tombstone (item_id, claim_key, fingerprint, turn_seq, at_ms)
            VALUES (:item_id, :claim_key, :fingerprint, :turn_seq, :at_ms)
            """,
            {
                "item_id": tombstone.item_id,
                "claim_key": tombstone.claim_key,
                "fingerprint": tombstone.fingerprint,
                "turn_seq": tombstone.turn_seq,
                "at_ms": tombstone.at_ms,
            },
        )

    def tombstones(self, *, claim_key: str | None, fingerprint: str) -> tuple[Tombstone, ...]:
        """Return those of this claim or of these words."""
        rows = self._connection.execute(
            """
            SELECT item_id, claim_key, fingerprint, turn_seq, at_ms
              FROM tombstone
             WHERE claim_key = :claim_key OR fingerprint = :fingerprint
             ORDER BY seq
            """,
            {"claim_key": claim_key, "fingerprint": fingerprint},
        )
        return tuple(
            Tombstone(
                item_id=ItemId(row[0]),
                claim_key=row[1],
                fingerprint=row[2],
                turn_seq=row[3],
                at_ms=row[4],
            )
            for row in rows
        )

    def changes(self, *, item_id: ItemId | None = None, limit: int = 50) -> tuple[Change, ...]:
        """Return changes, newest first."""
        return changes(self._connection, item_id, limit=limit)

    def changes_seen(self) -> ChangesSeen:
        """Return how far the log of changes goes now."""
        return changes_seen(self._connection)

    def changed_since(self, seen: ChangesSeen) -> tuple[ItemId, ...] | None:
        """Return the items that were changed since, or None where the log does not tell."""
        return changed_since(self._connection, seen)

    def undo_batch(self, batch: str, *, now_ms: int) -> tuple[ItemId, ...]:
        """Put the items of one batch back as they were before, and return them."""
        from backstory.store.items.undoing import undo_batch  # noqa: PLC0415 - seldom needed

        return undo_batch(self._connection, batch, now_ms=now_ms)

    def counts(self) -> Mapping[tuple[Kind, Status], int]:
        """Return how many items there are of each kind and status."""
        rows = self._connection.execute(
            "SELECT kind, status, count(*) FROM item GROUP BY kind, status"
        )
        return {(Kind(row[0]), Status(row[1])): row[2] for row in rows}
