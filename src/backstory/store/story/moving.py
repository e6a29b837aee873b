"""Episodes of commits get later numbers, so that numbers follow the order of history."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

_Links = list[tuple[int, int, str]]
# Wherever the number of an episode stands, beside the links.
_RENUMBERED = (
    "UPDATE episode SET seq = :new WHERE seq = :old",
    "UPDATE recorded_commit SET episode = :new WHERE episode = :old",
    "UPDATE story_entry SET episode = :new WHERE episode = :old",
)


def move(connection: apsw.Connection, moved: Mapping[int, int]) -> None:
    """Give episodes other numbers, which nobody has, and what names them with them.

    What finds them by words and paths is for the caller to add.
    """
    connection.execute("PRAGMA defer_foreign_keys = ON")  # until the end of this transaction
    links = _take_links(connection, [*moved])
    for statement in _RENUMBERED:
        connection.executemany(statement, [{"old": old, "new": moved[old]} for old in moved])
    _put_links(connection, links, moved=moved)


def order_behind(connection: apsw.Connection, numbers: Sequence[int]) -> tuple[int, ...]:
    """Return these episodes and all that name them, each behind what it names itself."""
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
    return tuple(placed)


def _take_links(connection: apsw.Connection, numbers: Sequence[int]) -> _Links:
    """Remove the links of these episodes to what they name and what names them; return them."""
    # What apsw hands over: STRICT tables prove the types.
    rows: list[tuple[Any, ...]] = connection.execute(
        """
        DELETE FROM episode_link
         WHERE episode IN (SELECT value FROM json_each(:numbers))
            OR other IN (SELECT value FROM json_each(:numbers))
        RETURNING episode, other, kind
        """,
        {"numbers": json.dumps(list(numbers))},
    ).fetchall()
    return [(row[0], row[1], row[2]) for row in rows]


def _put_links(connection: apsw.Connection, links: _Links, *, moved: Mapping[int, int]) -> None:
    now = [(moved.get(one, one), moved.get(other, other), kind) for one, other, kind in links]
    connection.executemany(
        "INSERT INTO episode_link (episode, other, kind, doublings) VALUES (?, ?, ?, ?)",
        [
            (episode, other, kind, (episode - other).bit_length() - 1)
            for episode, other, kind in now
        ],
    )
