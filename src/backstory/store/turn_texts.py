"""The derived full text of raw turns."""

import json
from collections.abc import Sequence

import apsw

from backstory.model.ids import ThreadId
from backstory.model.turn import Turn
from backstory.store.raw.turn_rows import turn_from
from backstory.store.rows import only_row


class SqliteTurnTexts:
    """The turn_text table."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def watermark(self) -> int:
        """Return the highest turn.seq that is indexed."""
        row = only_row(self._connection, "SELECT max(rowid) FROM turn_text")
        return int(row[0] or 0) if row else 0

    def put(self, rows: Sequence[tuple[int, str, str]]) -> None:
        """Index turns as (seq, user terms, answer terms), terms separated by spaces."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO turn_text (rowid, user_terms, answer_terms) VALUES (?, ?, ?)",
            rows,
        )

    def remove(self, seqs: Sequence[int]) -> None:
        """Take turns out, and rewrite the index so that no byte of their words is left in it."""
        self._connection.executemany(
            "DELETE FROM turn_text WHERE rowid = ?", [(seq,) for seq in seqs]
        )
        self._connection.execute("INSERT INTO turn_text (turn_text) VALUES ('optimize')")

    def clear(self) -> None:
        """Empty the index."""
        self._connection.execute("INSERT INTO turn_text (turn_text) VALUES ('delete-all')")

    def ranked(
        self, terms: Sequence[str], *, limit: int, answer_weight: float
    ) -> tuple[tuple[Turn, float], ...]:
        """Return turns that hold any of the terms, best BM25 first.

        The terms are quoted one by one: no text of a user is ever read as an expression.
        """
        if not terms:
            return ()
        rows = self._connection.execute(
            """
            WITH found AS (
                SELECT rowid AS seq, -bm25(turn_text, 1.0, :answer_weight) AS score
                  FROM turn_text
                 WHERE turn_text MATCH :expression
                 ORDER BY score DESC
                 LIMIT :limit)
            SELECT t.seq, t.id, t.thread_id, t.position, t.speaker, t.user_text, t.answer_text,
                   t.state, t.said_at_ms, t.recorded_at_ms, t.finished_at_ms, t.origin,
                   t.is_imported, t.source_key, t.branch, t.error, f.score
              FROM found AS f
              CROSS JOIN turn AS t ON t.seq = f.seq
             ORDER BY f.score DESC, t.seq DESC
            """,
            {
                "expression": " OR ".join(_quoted(term) for term in dict.fromkeys(terms)),
                "answer_weight": answer_weight,
                "limit": limit,
            },
        )
        return tuple((turn_from(row[:-1]), float(row[-1])) for row in rows)

    def at(self, places: Sequence[tuple[ThreadId, int]]) -> tuple[Turn, ...]:
        """Return the turns at these places (thread and position)."""
        rows = self._connection.execute(
            """
            SELECT t.seq, t.id, t.thread_id, t.position, t.speaker, t.user_text, t.answer_text,
                   t.state, t.said_at_ms, t.recorded_at_ms, t.finished_at_ms, t.origin,
                   t.is_imported, t.source_key, t.branch, t.error
              FROM json_each(:places) AS p
              CROSS JOIN turn AS t
                ON t.thread_id = p.value ->> 0 AND t.position = p.value ->> 1
             ORDER BY t.seq
            """,
            {"places": json.dumps(places)},
        )
        return tuple(map(turn_from, rows))


def _quoted(term: str) -> str:
    # A string ends at a null character, and the quote that closes it would not be seen.
    return '"' + term.replace("\0", " ").replace('"', '""') + '"'
