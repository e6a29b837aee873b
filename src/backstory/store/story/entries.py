"""What episodes are compared by, read for those alone that a first look has chosen."""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import apsw

from backstory.ports.story import Entry

_NAMERS_MAX = 8


def entries(connection: apsw.Connection, numbers: Sequence[int]) -> list[Entry]:
    """Return these episodes with what they name and what names them."""
    wanted = json.dumps(list(numbers))
    names, named_by = _neighbours(connection, wanted)
    # What apsw hands over: STRICT tables prove the types.
    rows: list[tuple[Any, ...]] = connection.execute(
        """
        SELECT e.episode, e.title, e.words, e.paths
          FROM json_each(:numbers) AS t
          CROSS JOIN story_entry AS e ON e.episode = t.value
        """,
        {"numbers": wanted},
    ).fetchall()
    # One text for all of them: most of the cost of reading JSON is in the calls.
    words = json.loads(f"[{','.join([row[2] for row in rows])}]")
    paths = json.loads(f"[{','.join([row[3] for row in rows])}]")
    return [
        Entry(
            number=row[0],
            words=held,
            paths=tuple(touched),
            title=row[1],
            names=tuple(names.get(row[0], ())),
            named_by=tuple(sorted(named_by.get(row[0], ()))[-_NAMERS_MAX:]),
        )
        for row, held, touched in zip(rows, words, paths, strict=True)
    ]


def _neighbours(
    connection: apsw.Connection, wanted: str
) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Return what each episode names and what names it."""
    names: dict[int, list[int]] = defaultdict(list)
    named_by: dict[int, list[int]] = defaultdict(list)
    for episode, other in connection.execute(
        """
        SELECT l.episode, l.other
          FROM json_each(:numbers) AS t
          CROSS JOIN episode_link AS l ON l.episode = t.value
         WHERE l.kind <> 'same_ticket'
        """,
        {"numbers": wanted},
    ):
        names[episode].append(other)
    for episode, other in connection.execute(
        """
        SELECT l.episode, l.other
          FROM json_each(:numbers) AS t
          CROSS JOIN episode_link AS l ON l.other = t.value
         WHERE l.kind <> 'same_ticket'
        """,
        {"numbers": wanted},
    ):
        named_by[other].append(episode)
    return names, named_by
