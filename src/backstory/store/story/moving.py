"""Episodes of commits get later numbers, so that numbers follow the order of history."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

_Links = list[tuple[int, int, str]]


def move_behind(connection: apsw.Connection, numbers: Sequence[int], *, first: int) -> None:
    """Number these episodes from `first` on in the order given, and what names them with them.

    An episode stays behind those that it names, whatever the order given says. What finds them
    by words and paths is to be built anew by the caller.
    """
    order = _ordered(connection, numbers)
    moved = {number: first + place for place, number in enumerate(order)}
    links = _take_links(connection, order)
    connection.execute("PRAGMA defer_foreign_keys = ON")  # until the end of this transaction
    given = {"numbers": json.dumps(order), "first": first}
    connection.execute(
        """
        UPDATE episode SET seq = :first + t.key
          FROM json_each(:numbers) AS t
         WHERE seq = t.value
        """,
        given,
    )
    connection.execute(
        """
        UPDATE recorded_commit SET episode = :first + t.key
          FROM json_each(:numbers) AS t
         WHERE episode = t.value
        """,
        given,
    )
    connection.execute(
        """
        UPDATE story_entry SET episode = :first + t.key
          FROM json_each(:numbers) AS t
         WHERE episode = t.value
        """,
        given,
    )
    connection.execute(
        "UPDATE sqlite_sequence SET seq = :last WHERE name = 'episode'",
        {"last": first + len(order) - 1},
    )
    _put_links(connection, links, moved=moved)


def _ordered(connection: apsw.Connection, numbers: Sequence[int]) -> list[int]:
    """Return all that has to move, each behind what it names."""
    names: dict[int, list[int]] = defaultdict(list)
    rows = connection.execute(
        """
        WITH RECURSIVE moved (number) AS (
            SELECT value FROM json_each(:numbers)
             UNION
            SELECT l.episode FROM moved AS m JOIN episode_link AS l ON l.other = m.number
        )
        SELECT m.number, l.other
          FROM moved AS m
          LEFT JOIN episode_link AS l ON l.episode = m.number
         ORDER BY m.number, l.other
        """,
        {"numbers": json.dumps(list(numbers))},
    )
    for number, other in rows:
        names[number] += [] if other is None else [other]
    placed: dict[int, None] = {}
    for number in [*numbers, *names]:
        waiting = [number]
        while waiting:
            before = [o for o in names[waiting[-1]] if o in names and o not in placed]
            if before:
                waiting += before
            else:
                placed[waiting.pop()] = None
    return [*placed]


def _take_links(connection: apsw.Connection, numbers: Sequence[int]) -> _Links:
    """Remove the links of these episodes to what they name, and return them."""
    # What apsw hands over: STRICT tables prove the types.
    rows: list[tuple[Any, ...]] = connection.execute(
        """
        DELETE FROM episode_link
         WHERE episode IN (SELECT value FROM json_each(:numbers))
        RETURNING episode, other, kind
        """,
        {"numbers": json.dumps(list(numbers))},
    ).fetchall()
    return [(row[0], row[1], row[2]) for row in rows]


def _put_links(connection: apsw.Connection, links: _Links, *, moved: Mapping[int, int]) -> None:
    now = [(moved[episode], moved.get(other, other), kind) for episode, other, kind in links]
    connection.executemany(
        "INSERT INTO episode_link (episode, other, kind, doublings) VALUES (?, ?, ?, ?)",
        [
            (episode, other, kind, (episode - other).bit_length() - 1)
            for episode, other, kind in now
        ],
    )
