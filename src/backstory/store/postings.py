"""The derived index of items and episodes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from backstory.ports.store_rows import Match, NewDocument, Wanted
from backstory.store.rows import only_row

# Above every character: the end of the range of texts that begin alike.
_LAST = "\U0010ffff"
# Counted for every entry like a term, so that nobody has to count the entries themselves.
_EVERY = ""
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
        self._add_postings(rows[0][0], document)
        self._count_words(words)

    def _add_postings(self, document_id: int, document: NewDocument) -> None:
        self._connection.executemany(
            "INSERT INTO posting (term, weight, document, fields) VALUES (?, ?, ?, ?)",
            ((p.term, p.weight, document_id, p.fields) for p in document.postings),
        )
        self._connection.executemany(
            """
            INSERT INTO term_stat (term, count) VALUES (?, 1)
            ON CONFLICT (term) DO UPDATE SET count = count + 1
            """,
            ((term,) for term in (_EVERY, *(p.term for p in document.postings))),
        )

    def _count_words(self, words: Sequence[str]) -> None:
        self._connection.executemany(
            """
            INSERT INTO spelling (word, reversed, count) VALUES (?, ?, 1)
            ON CONFLICT (word) DO UPDATE SET count = count + 1
            """,
            ((word, word[::-1]) for word in words),
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
        terms = [
            found[0]
            for found in self._connection.execute(
                "SELECT term FROM posting WHERE document = :document", {"document": document_id}
            )
        ]
        self._uncount(terms, words)
        self._connection.execute(
            "DELETE FROM posting WHERE document = :document", {"document": document_id}
        )
        self._connection.execute(
            "DELETE FROM document WHERE id = :document", {"document": document_id}
        )

    def _uncount(self, terms: Sequence[str], words: Sequence[str]) -> None:
        # The last holder takes the row with it: a count of nought is not kept.
        terms_json, words_json = json.dumps([_EVERY, *terms]), json.dumps(words)
        self._connection.execute(
            """
            DELETE FROM term_stat
             WHERE count = 1 AND term IN (SELECT value FROM json_each(:terms))
            """,
            {"terms": terms_json},
        )
        self._connection.execute(
            """
            UPDATE term_stat
               SET count = count - 1
             WHERE term IN (SELECT value FROM json_each(:terms))
            """,
            {"terms": terms_json},
        )
        self._connection.execute(
            """
            DELETE FROM spelling
             WHERE count = 1 AND word IN (SELECT value FROM json_each(:words))
            """,
            {"words": words_json},
        )
        self._connection.execute(
            """
            UPDATE spelling
               SET count = count - 1
             WHERE word IN (SELECT value FROM json_each(:words))
            """,
            {"words": words_json},
        )

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
            {"terms": json.dumps([_EVERY, *terms])},
        ).fetchall()
        counts = {row[0]: row[1] for row in rows}
        return counts.pop(_EVERY, 0), counts

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
                "last": _LAST,
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
        "last": _LAST,
    }
