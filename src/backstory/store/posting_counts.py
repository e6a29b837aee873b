"""How many entries hold a term or a word: counted with each change, and counted over."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from backstory.ports.store_rows import Miscount

# Counted for every entry like a term, so that nobody has to count the entries themselves.
EVERY = ""


def count_terms(connection: apsw.Connection, terms: Iterable[str]) -> None:
    """Note that one entry more holds these terms."""
    connection.executemany(
        """
        INSERT INTO term_stat (term, count) VALUES (?, 1)
        ON CONFLICT (term) DO UPDATE SET count = count + 1
        """,
        ((term,) for term in terms),
    )


def count_words(connection: apsw.Connection, words: Iterable[str]) -> None:
    """Note that one entry more holds these words as they are written."""
    connection.executemany(
        """
        INSERT INTO spelling (word, reversed, count) VALUES (?, ?, 1)
        ON CONFLICT (word) DO UPDATE SET count = count + 1
        """,
        ((word, word[::-1]) for word in words),
    )


def uncount(connection: apsw.Connection, terms: Sequence[str], *, words: Sequence[str]) -> None:
    """Note that one entry less holds these terms and words."""
    # The last holder takes the row with it: a count of nought is not kept.
    terms_json, words_json = json.dumps(terms), json.dumps(words)
    connection.execute(
        """
        DELETE FROM term_stat
         WHERE count = 1 AND term IN (SELECT value FROM json_each(:terms))
        """,
        {"terms": terms_json},
    )
    connection.execute(
        """
        UPDATE term_stat
           SET count = count - 1
         WHERE term IN (SELECT value FROM json_each(:terms))
        """,
        {"terms": terms_json},
    )
    connection.execute(
        """
        DELETE FROM spelling
         WHERE count = 1 AND word IN (SELECT value FROM json_each(:words))
        """,
        {"words": words_json},
    )
    connection.execute(
        """
        UPDATE spelling
           SET count = count - 1
         WHERE word IN (SELECT value FROM json_each(:words))
        """,
        {"words": words_json},
    )


def miscounts(connection: apsw.Connection) -> tuple[Miscount, ...]:
    """Return by how much counts differ from what entries hold. Reads all of the index."""
    # What apsw hands over: STRICT tables prove the types.
    terms: list[tuple[Any, ...]] = connection.execute(
        """
        WITH held (term, count) AS (
            SELECT term, count(*) FROM posting GROUP BY term
             UNION ALL
            SELECT :every, count(*) FROM document
        )
        SELECT h.term, h.count - coalesce(s.count, 0)
          FROM held AS h
          LEFT JOIN term_stat AS s ON s.term = h.term
         WHERE h.count <> coalesce(s.count, 0)
         UNION ALL
        SELECT s.term, -s.count
          FROM term_stat AS s
         WHERE s.term <> :every AND NOT EXISTS (SELECT 1 FROM posting AS p WHERE p.term = s.term)
        """,
        {"every": EVERY},
    ).fetchall()
    held = Counter(
        word
        for (spellings,) in connection.execute("SELECT spellings FROM document")
        for word in str(spellings).split()
    )
    held.subtract(
        {
            str(row[0]): int(row[1])
            for row in connection.execute("SELECT word, count FROM spelling")
        }
    )
    return (
        *(Miscount(text=term, by=by, is_word=False) for term, by in terms),
        *(Miscount(text=word, by=by, is_word=True) for word, by in held.items() if by),
    )


def correct(connection: apsw.Connection, found: Sequence[Miscount]) -> None:
    """Add what counts differ by, whatever was counted since that was found out."""
    more = [one for one in found if one.by > 0]
    less = [one for one in found if one.by < 0]
    connection.executemany(
        """
        INSERT INTO term_stat (term, count) VALUES (?, ?)
        ON CONFLICT (term) DO UPDATE SET count = count + excluded.count
        """,
        ((one.text, one.by) for one in more if not one.is_word),
    )
    connection.executemany(
        """
        INSERT INTO spelling (word, reversed, count) VALUES (?, ?, ?)
        ON CONFLICT (word) DO UPDATE SET count = count + excluded.count
        """,
        ((one.text, one.text[::-1], one.by) for one in more if one.is_word),
    )
    terms = [(one.by, one.text) for one in less if not one.is_word]
    words = [(one.by, one.text) for one in less if one.is_word]
    connection.executemany("DELETE FROM term_stat WHERE count + ? <= 0 AND term = ?", terms)
    connection.executemany("UPDATE term_stat SET count = count + ? WHERE term = ?", terms)
    connection.executemany("DELETE FROM spelling WHERE count + ? <= 0 AND word = ?", words)
    connection.executemany("UPDATE spelling SET count = count + ? WHERE word = ?", words)
