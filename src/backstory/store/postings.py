"""The derived index of items and episodes."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from backstory.ports.store_rows import Match, Miscount, NewDocument, Posting, Wanted
from backstory.store.posting_counts import (
    EVERY,
    correct,
    count_terms,
    count_words,
    miscounts,
    uncount,
)
from backstory.store.rows import LAST_CHARACTER, only_row

# Names that begin like a question: more than these would not be read.
_BEGINNINGS_MAX = 40


class SqlitePostings:
    """The document, posting, term_stat and spelling tables."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def put(self, document: NewDocument) -> None:
        """Index an entry, in place of what was there.

        Items get positive numbers and episodes negative ones, so that a list of postings
        tells them apart without a look at the documents.
        """
        self.remove(document.entry_id)
        words = sorted(set(document.spellings))
        rows: list[tuple[Any, ...]] = self._connection.execute(
            """
            INSERT INTO document (id, entry_id, is_item, thread_id, started_at_ms, spellings)
            VALUES (iif(:is_item,
                        (SELECT max(0, coalesce(max(id), 0)) + 1 FROM document),
                        (SELECT min(0, coalesce(min(id), 0)) - 1 FROM document)),
                    :entry_id, :is_item, :thread_id, :started_at_ms, :spellings)
            RETURNING id
            """,
            {
                "entry_id": document.entry_id,
                "is_item": int(document.is_item),
                "thread_id": document.thread_id or "",
                "started_at_ms": document.started_at_ms,
                "spellings": " ".join(words),
            },
        ).fetchall()
        self._insert(rows[0][0], document.postings)
        count_terms(self._connection, (EVERY, *(p.term for p in document.postings)))
        count_words(self._connection, words)

    def renew(self, document: NewDocument) -> None:
        """Index an entry anew in the place that it has; what is right already is not written."""
        words = sorted(set(document.spellings))
        row = only_row(
            self._connection,
            """
            SELECT id, spellings
              FROM document
             WHERE entry_id = :entry_id AND is_item = :is_item AND thread_id = :thread_id
               AND started_at_ms = :started_at_ms
            """,
            bindings={
                "entry_id": document.entry_id,
                "is_item": int(document.is_item),
                "thread_id": document.thread_id or "",
                "started_at_ms": document.started_at_ms,
            },
        )
        if row is None:
            self.put(document)
            return
        document_id, known_words = row[0], row[1].split()
        known, wanted = self._postings_of(document_id), set(document.postings)
        self._delete(document_id, known - wanted)
        self._insert(document_id, sorted(wanted - known))
        terms, known_terms = {p.term for p in wanted}, {p.term for p in known}
        uncount(
            self._connection,
            sorted(known_terms - terms),
            words=[word for word in known_words if word not in words],
        )
        count_terms(self._connection, sorted(terms - known_terms))
        count_words(self._connection, [word for word in words if word not in known_words])
        if words != known_words:
            self._connection.execute(
                "UPDATE document SET spellings = :spellings WHERE id = :id",
                {"spellings": " ".join(words), "id": document_id},
            )

    def _postings_of(self, document_id: int) -> set[Posting]:
        rows = self._connection.execute(
            "SELECT term, weight, fields FROM posting WHERE document = :document",
            {"document": document_id},
        )
        return set(map(Posting._make, rows))

    def _insert(self, document_id: int, postings: Iterable[Posting]) -> None:
        self._connection.executemany(
            "INSERT INTO posting (term, weight, document, fields) VALUES (?, ?, ?, ?)",
            ((p.term, p.weight, document_id, p.fields) for p in postings),
        )

    def _delete(self, document_id: int, postings: Iterable[Posting]) -> None:
        self._connection.executemany(
            "DELETE FROM posting WHERE term = ? AND weight = ? AND document = ?",
            ((p.term, p.weight, document_id) for p in postings),
        )

    def remove(self, entry_id: str) -> None:
        """Take an entry out of the index; one that is not in it changes nothing."""
        row = only_row(
            self._connection,
            "SELECT id, spellings FROM document WHERE entry_id = :entry_id",
            bindings={"entry_id": entry_id},
        )
        if row is None:
            return
        document_id, words = row[0], row[1].split()
        held = self._postings_of(document_id)
        uncount(self._connection, [EVERY, *(p.term for p in held)], words=words)
        self._delete(document_id, held)
        self._connection.execute(
            "DELETE FROM document WHERE id = :document", {"document": document_id}
        )

    def entry_ids(self) -> frozenset[str]:
        """Return all that is in the index."""
        rows = self._connection.execute("SELECT entry_id FROM document")
        return frozenset(str(row[0]) for row in rows)

    def is_torn(self) -> bool:
        """Whether it holds terms of an entry that is not in it. Reads all of the index."""
        row = only_row(
            self._connection,
            """
            SELECT EXISTS (SELECT 1
                             FROM posting AS p
                            WHERE NOT EXISTS (SELECT 1 FROM document AS d WHERE d.id = p.document))
            """,
        )
        return bool(row and row[0])

    def miscounts(self) -> tuple[Miscount, ...]:
        """Return by how much counts differ from what entries hold. Reads all of the index."""
        return miscounts(self._connection)

    def correct(self, found: Sequence[Miscount]) -> None:
        """Add what counts differ by, whatever was counted since that was found out."""
        correct(self._connection, found)

    def clear(self) -> None:
        """Empty the index."""
        self._connection.execute("DELETE FROM posting")
        self._connection.execute("DELETE FROM document")
        self._connection.execute("DELETE FROM term_stat")
        self._connection.execute("DELETE FROM spelling")

    def totals(self, terms: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        """Return how many entries there are and the count of each known term."""
        # What apsw hands over: STRICT tables prove the types.
        rows: list[tuple[Any, ...]] = self._connection.execute(
            """
            SELECT s.term, s.count
              FROM json_each(:terms) AS t
              CROSS JOIN term_stat AS s ON s.term = t.value
            """,
            {"terms": json.dumps([EVERY, *terms])},
        ).fetchall()
        counts = {row[0]: row[1] for row in rows}
        return counts.pop(EVERY, 0), counts

    def spellings(self, words: Sequence[str], *, limit: int) -> Mapping[str, tuple[str, ...]]:
        """Return known words that share a half with each of these, or begin with it.

        One slip of the keyboard leaves the first or the last half of a word as it was, so
        two short ranges hold every word at that distance.
        """
        rows = self._connection.execute(
            """
            SELECT * FROM (
                SELECT w.value, s.word
                  FROM json_each(:words) AS w
                  CROSS JOIN spelling AS s
                    ON s.word >= substr(w.value, 1, length(w.value) / 2)
                   AND s.word < substr(w.value, 1, length(w.value) / 2) || :last
                 WHERE length(s.word) BETWEEN length(w.value) - 1 AND length(w.value) + 1
                 LIMIT :limit)
             UNION ALL
            SELECT * FROM (
                SELECT w.key, s.word
                  FROM json_each(:reversed) AS w
                  CROSS JOIN spelling AS s INDEXED BY spelling_reversed
                    ON s.reversed >= w.value AND s.reversed < w.value || :last
                 WHERE length(s.word) BETWEEN length(w.key) - 1 AND length(w.key) + 1
                 LIMIT :limit)
             UNION ALL
            SELECT * FROM (
                SELECT w.value, s.word
                  FROM json_each(:words) AS w
                  CROSS JOIN spelling AS s ON s.word > w.value AND s.word < w.value || :last
                 LIMIT :limit)
            """,
            {
                "words": json.dumps(words),
                "reversed": json.dumps({w: w[::-1][: (len(w) - 1) // 2] for w in words}),
                "last": LAST_CHARACTER,
                "limit": limit,
            },
        )
        found: dict[str, set[str]] = {}
        for word, known in rows:
            found.setdefault(word, set()).add(known)
        return {word: tuple(sorted(known)) for word, known in found.items()}

    def matches(self, wanted: Wanted) -> tuple[Match, ...]:
        """Return what the best entries hold of the wanted terms."""
        rows = self._connection.execute(
            """
            WITH found (document, term, weight, fields, score) AS MATERIALIZED (
                SELECT * FROM (
                    SELECT p.document, p.term, p.weight, p.fields, p.weight * s.value
                      FROM json_each(:seeds) AS s
                      CROSS JOIN posting AS p ON p.term = s.key
                     LIMIT :postings_max)
                 UNION ALL
                SELECT * FROM (
                    SELECT p.document, p.term, p.weight, p.fields, 1000.0
                      FROM json_each(:beginnings) AS b
                      CROSS JOIN posting AS p ON p.term >= b.value AND p.term < b.value || :last
                     LIMIT :beginnings_max)
                 UNION ALL
                SELECT d.id, '', 0.0, 0, 3.0
                  FROM json_each(:entry_ids) AS e
                  CROSS JOIN document AS d ON d.entry_id = e.value
            ), top (document) AS MATERIALIZED (
                SELECT * FROM (
                    SELECT document FROM found WHERE document > 0
                     GROUP BY document
                     ORDER BY sum(score) DESC, document DESC
                     LIMIT :items_max)
                 UNION ALL
                SELECT * FROM (
                    SELECT document FROM found WHERE document < 0
                     GROUP BY document
                     ORDER BY sum(score) DESC, document
                     LIMIT :episodes_max)
            ), best (document, entry_id, is_item) AS MATERIALIZED (
                SELECT d.id, d.entry_id, d.is_item
                  FROM top AS t
                  CROSS JOIN document AS d ON d.id = t.document
                 WHERE d.thread_id IN ('', :thread_id)
            )
            SELECT b.entry_id, b.is_item, f.term, f.weight, f.fields
              FROM found AS f
              CROSS JOIN best AS b ON b.document = f.document
             UNION ALL
            SELECT b.entry_id, b.is_item, p.term, p.weight, p.fields
              FROM json_each(:terms) AS t
              CROSS JOIN best AS b
              CROSS JOIN posting AS p INDEXED BY posting_document
                ON p.document = b.document AND p.term = t.value
            """,
            _bindings(wanted),
        )
        return tuple(map(Match._make, rows))


def _bindings(wanted: Wanted) -> dict[str, str | int]:
    return {
        "terms": json.dumps(wanted.terms),
        "seeds": json.dumps(dict(wanted.seeds)),
        "beginnings": json.dumps(wanted.name_beginnings),
        "entry_ids": json.dumps(wanted.entry_ids),
        "thread_id": wanted.thread_id or "",
        "postings_max": wanted.postings_max,
        "beginnings_max": _BEGINNINGS_MAX,
        "items_max": wanted.items_max,
        "episodes_max": wanted.episodes_max,
        "last": LAST_CHARACTER,
    }
