"""Turns: what was said, kept verbatim from before the host's model sees it."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from backstory.model.errors import LeaseLostError
from backstory.model.ids import ThreadId, TurnId
from backstory.model.limits import DIAGNOSIS_CHARS_MAX
from backstory.model.turn import NewTurn, OpenTurn, Turn
from backstory.model.words import Role, Speaker, TurnState
from backstory.ports.store_rows import Forgotten
from backstory.store.raw.turn_rows import turn_from
from backstory.store.rows import only_row


class SqliteTurns:
    """The turn table."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def begin(self, turn: NewTurn, *, now_ms: int, lease_ms: int) -> OpenTurn:
        """Store the user's text. A source key seen before gives a replay of the old turn."""
        known = self._of_source(turn.source_key)
        if known is not None:
            return known
        open_turn = OpenTurn(id=_new_id(), thread_id=turn.thread_id, owner=os.urandom(8).hex())
        self._insert(
            turn,
            {
                "id": open_turn.id,
                "answer": "",
                "state": TurnState.OPEN,
                "owner": open_turn.owner,
                "lease_until_ms": now_ms + lease_ms,
                "now_ms": now_ms,
                "finished_at_ms": None,
            },
        )
        return open_turn

    def add_finished(self, turn: NewTurn, answer: str, *, now_ms: int) -> TurnId | None:
        """Store a whole turn, or return None where its source key is known."""
        if self._of_source(turn.source_key) is not None:
            return None
        turn_id = _new_id()
        self._insert(
            turn,
            {
                "id": turn_id,
                "answer": answer,
                "state": TurnState.COMPLETED,
                "owner": None,
                "lease_until_ms": None,
                "now_ms": now_ms,
                "finished_at_ms": now_ms,
            },
        )
        return turn_id

    def is_known(self, source_key: str) -> bool:
        """Tell whether a turn of this source key is stored."""
        return self._of_source(source_key) is not None

    def _of_source(self, source_key: str | None) -> OpenTurn | None:
        if source_key is None:
            return None
        row = only_row(
            self._connection,
            "SELECT id, thread_id FROM turn WHERE source_key = :source_key",
            bindings={"source_key": source_key},
        )
        if row is None:
            return None
        return OpenTurn(id=row[0], thread_id=row[1], owner="", is_replay=True)

    def is_told(self, thread_id: ThreadId, text: str, *, after_ms: int, before_ms: int) -> bool:
        """Tell whether a host said this itself, in this thread and about then."""
        row = only_row(
            self._connection,
            """
            SELECT 1
              FROM turn
             WHERE thread_id = :thread AND is_imported = 0
               AND said_at_ms BETWEEN :after AND :before
               AND trim(user_text, char(9, 10, 13, 32)) = trim(:text, char(9, 10, 13, 32))
            """,
            bindings={"thread": thread_id, "text": text, "after": after_ms, "before": before_ms},
        )
        return row is not None

    def open_in(self, thread_id: ThreadId) -> OpenTurn | None:
        """Return the right to finish the last turn of a thread, where that is open."""
        row = only_row(
            self._connection,
            """
            SELECT id, owner
              FROM turn
             WHERE thread_id = :thread_id AND state = 'open'
             ORDER BY position DESC
             LIMIT 1
            """,
            bindings={"thread_id": thread_id},
        )
        return None if row is None else OpenTurn(id=row[0], thread_id=thread_id, owner=row[1])

    def _insert(self, turn: NewTurn, place: Mapping[str, str | int | None]) -> None:
        # Only what a human said is ever extracted or asked about, so that nothing else waits.
        self._connection.execute(
            """
            INSERT INTO turn
                (id, thread_id, position, speaker, user_text, answer_text, state, owner,
                 lease_until_ms, said_at_ms, recorded_at_ms, finished_at_ms, origin, is_imported,
                 source_key, branch, is_extracted, is_asked)
            VALUES
                (:id, :thread_id,
                 (SELECT coalesce(max(position), -1) + 1 FROM turn WHERE thread_id = :thread_id),
                 :speaker, :user_text, :answer, :state, :owner,
                 :lease_until_ms, :said_at_ms, :now_ms, :finished_at_ms, :origin, :is_imported,
                 :source_key, :branch, :is_extracted, :is_extracted)
            """,
            {
                **place,
                "thread_id": turn.thread_id,
                "speaker": turn.speaker,
                "user_text": turn.user_text,
                "said_at_ms": turn.said_at_ms,
                "origin": turn.origin,
                "is_imported": int(turn.is_imported),
                "source_key": turn.source_key,
                "branch": turn.branch,
                "is_extracted": int(turn.speaker is not Speaker.HUMAN),
            },
        )

    def complete(self, turn: OpenTurn, answer: str, *, now_ms: int) -> None:
        """Store the final answer. Raises `LeaseLostError` where the turn has ended already."""
        if turn.is_replay:
            return
        self._connection.execute(
            """
            UPDATE turn
               SET state = 'completed', answer_text = :answer, finished_at_ms = :now_ms,
                   owner = NULL, lease_until_ms = NULL
             WHERE id = :id AND owner = :owner AND state = 'open'
            """,
            {"id": turn.id, "owner": turn.owner, "answer": answer, "now_ms": now_ms},
        )
        self._refuse_unless_changed(turn)

    def fail(self, turn: OpenTurn, error: str, *, now_ms: int) -> None:
        """Keep the user's text and why there is no answer."""
        if turn.is_replay:
            return
        self._connection.execute(
            """
            UPDATE turn
               SET state = 'failed', error = :error, finished_at_ms = :now_ms,
                   owner = NULL, lease_until_ms = NULL
             WHERE id = :id AND owner = :owner AND state = 'open'
            """,
            {
                "id": turn.id,
                "owner": turn.owner,
                "error": error[:DIAGNOSIS_CHARS_MAX],
                "now_ms": now_ms,
            },
        )
        self._refuse_unless_changed(turn)

    def renew(self, turn: OpenTurn, *, now_ms: int, lease_ms: int) -> None:
        """Keep the right to finish a turn for another while."""
        if turn.is_replay:
            return
        self._connection.execute(
            """
            UPDATE turn
               SET lease_until_ms = :lease_until_ms
             WHERE id = :id AND owner = :owner AND state = 'open'
            """,
            {"id": turn.id, "owner": turn.owner, "lease_until_ms": now_ms + lease_ms},
        )
        self._refuse_unless_changed(turn)

    def _refuse_unless_changed(self, turn: OpenTurn) -> None:
        if self._connection.changes() == 0:
            raise LeaseLostError(
                f"turn {turn.id} is no longer open: it was ended by somebody else, "
                "its lease ran out, or memory was cleared meanwhile"
            )

    def threads_expired(self, *, now_ms: int) -> tuple[ThreadId, ...]:
        """Return the threads with open turns whose lease ran out."""
        # The plus keeps SQLite from walking all turns in the order of their threads.
        rows = self._connection.execute(
            """
            SELECT DISTINCT +thread_id
              FROM turn
             WHERE state = 'open' AND lease_until_ms <= :now_ms
            """,
            {"now_ms": now_ms},
        )
        return tuple(ThreadId(str(thread_id)) for (thread_id,) in rows)

    def interrupt_expired(self, *, now_ms: int) -> int:
        """End open turns whose lease ran out, and return how many there were."""
        self._connection.execute(
            """
            UPDATE turn
               SET state = 'interrupted', finished_at_ms = :now_ms,
                   owner = NULL, lease_until_ms = NULL
             WHERE state = 'open' AND lease_until_ms <= :now_ms
            """,
            {"now_ms": now_ms},
        )
        return self._connection.changes()

    def get(self, turn_id: TurnId) -> Turn | None:
        """Return the turn of this id."""
        row = only_row(
            self._connection,
            """
            SELECT seq, id, thread_id, position, speaker, user_text, answer_text, state,
                   said_at_ms, recorded_at_ms, finished_at_ms, origin, is_imported, source_key,
                   branch, error
              FROM turn
             WHERE id = :id
            """,
            bindings={"id": turn_id},
        )
        return turn_from(row) if row else None

    def before(self, turn: Turn) -> Turn | None:
        """Return the turn right before this one in its thread."""
        return self._at(turn.thread_id, turn.position - 1)

    def after(self, turn: Turn) -> Turn | None:
        """Return the turn right after this one in its thread."""
        return self._at(turn.thread_id, turn.position + 1)

    def _at(self, thread_id: ThreadId, position: int) -> Turn | None:
        row = only_row(
            self._connection,
            """
            SELECT seq, id, thread_id, position, speaker, user_text, answer_text, state,
                   said_at_ms, recorded_at_ms, finished_at_ms, origin, is_imported, source_key,
                   branch, error
              FROM turn
             WHERE thread_id = :thread_id AND position = :position
            """,
            bindings={"thread_id": thread_id, "position": position},
        )
        return turn_from(row) if row else None

    def waiting(self, thread_id: ThreadId, *, limit: int) -> tuple[Turn, ...]:
        """Return finished turns that were not extracted yet, oldest first.

        Those behind an open turn wait for it: what is said later must be judged later.
        """
        rows = self._connection.execute(
            """
            SELECT seq, id, thread_id, position, speaker, user_text, answer_text, state,
                   said_at_ms, recorded_at_ms, finished_at_ms, origin, is_imported, source_key,
                   branch, error
              FROM turn
             WHERE thread_id = :thread_id AND is_extracted = 0 AND state <> 'open'
               AND position < coalesce(
                   (SELECT min(earlier.position)
                      FROM turn AS earlier
                     WHERE earlier.thread_id = :thread_id AND earlier.state = 'open'),
                   9223372036854775807)
             ORDER BY position
             LIMIT :limit
            """,
            {"thread_id": thread_id, "limit": limit},
        )
        return tuple(turn_from(row) for row in rows)

    def mark_extracted(self, turn_ids: Sequence[TurnId]) -> None:
        """Take turns out of those that wait."""
        self._connection.execute(
            "UPDATE turn SET is_extracted = 1 WHERE id IN (SELECT value FROM json_each(:ids))",
            {"ids": json.dumps(list(turn_ids))},
        )

    def unasked(self, thread_id: ThreadId, *, limit: int) -> tuple[Turn, ...]:
        """Return turns that the rules have read and no model has, oldest first."""
        rows = self._connection.execute(
            """
            SELECT seq, id, thread_id, position, speaker, user_text, answer_text, state,
                   said_at_ms, recorded_at_ms, finished_at_ms, origin, is_imported, source_key,
                   branch, error
              FROM turn
             WHERE thread_id = :thread_id AND is_asked = 0 AND is_extracted = 1
             ORDER BY position
             LIMIT :limit
            """,
            {"thread_id": thread_id, "limit": limit},
        )
        return tuple(turn_from(row) for row in rows)

    def threads_unasked(self) -> Mapping[ThreadId, int]:
        """Return how many such turns each thread has, the longest waiting first."""
        rows = self._connection.execute(
            """
            SELECT thread_id, count(*)
              FROM turn
             WHERE is_asked = 0 AND is_extracted = 1
             GROUP BY thread_id
             ORDER BY min(seq)
            """
        )
        return {ThreadId(str(thread_id)): int(count) for thread_id, count in rows}

    def mark_asked(self, turn_ids: Sequence[TurnId], *, is_asked: bool = True) -> None:
        """Note that a model was asked about them, or that it is to be asked."""
        self._connection.execute(
            """
            UPDATE turn
               SET is_asked = :is_asked
             WHERE id IN (SELECT value FROM json_each(:ids)) AND speaker = 'human'
            """,
            {"ids": json.dumps(list(turn_ids)), "is_asked": int(is_asked)},
        )

    def mark_all_asked(self, *, after_seq: int = 0) -> int:
        """Let no model be asked about what is stored now, and return how many turns waited."""
        self._connection.execute(
            "UPDATE turn SET is_asked = 1 WHERE is_asked = 0 AND seq > :after_seq",
            {"after_seq": after_seq},
        )
        return self._connection.changes()

    def forgotten_in(self, turn_ids: Sequence[TurnId]) -> tuple[Forgotten, ...]:
        """Return the spans of these turns that prove a forgotten item."""
        rows = self._connection.execute(
            """
            SELECT e.turn_id, e.role, e.start_char, e.end_char
              FROM evidence AS e
              JOIN item AS i ON i.id = e.item_id
             WHERE e.turn_id IN (SELECT value FROM json_each(:ids)) AND i.status = 'forgotten'
             ORDER BY e.turn_id, e.role, e.start_char, e.end_char
            """,
            {"ids": json.dumps(list(turn_ids))},
        )
        return tuple(_forgotten_from(row) for row in rows)

    def history(self, thread_id: ThreadId, *, limit: int) -> tuple[Turn, ...]:
        """Return the last completed turns of a thread, oldest first."""
        rows = self._connection.execute(
            """
            SELECT seq, id, thread_id, position, speaker, user_text, answer_text, state,
                   said_at_ms, recorded_at_ms, finished_at_ms, origin, is_imported, source_key,
                   branch, error
              FROM turn
             WHERE thread_id = :thread_id AND state = 'completed'
             ORDER BY position DESC
             LIMIT :limit
            """,
            {"thread_id": thread_id, "limit": limit},
        )
        return tuple(turn_from(row) for row in rows)[::-1]

    def page(self, *, after_seq: int, limit: int) -> tuple[Turn, ...]:
        """Return turns in the order of recording."""
        rows = self._connection.execute(
            """
            SELECT seq, id, thread_id, position, speaker, user_text, answer_text, state,
                   said_at_ms, recorded_at_ms, finished_at_ms, origin, is_imported, source_key,
                   branch, error
              FROM turn
             WHERE seq > :after_seq
             ORDER BY seq
             LIMIT :limit
            """,
            {"after_seq": after_seq, "limit": limit},
        )
        return tuple(turn_from(row) for row in rows)

    def last_seq(self) -> int:
        """Return the number of the turn recorded last, or 0."""
        row = only_row(self._connection, "SELECT coalesce(max(seq), 0) FROM turn")
        return row[0] if row else 0

    def counts(self) -> Mapping[TurnState, int]:
        """Return how many turns there are in each state; a state without one is left out."""
        rows = self._connection.execute("SELECT state, count(*) FROM turn GROUP BY state")
        return {TurnState(state): count for state, count in rows}


def _forgotten_from(row: tuple[Any, ...]) -> Forgotten:
    return Forgotten(turn_id=TurnId(row[0]), role=Role(row[1]), start=row[2], end=row[3])


def _new_id() -> TurnId:
    return TurnId(f"t_{os.urandom(8).hex()}")
