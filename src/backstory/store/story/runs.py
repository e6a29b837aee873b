"""The runs in which episodes are found: those of each word, path, name and ticket."""

import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from sys import byteorder

import apsw

from backstory.ports.story import Told

_Numbers = dict[str, "array[int]"]


class Runs:
    """The story_posting table.

    A key begins with "w:" for a word, "p:" for a path, "n:" for the name of a file or directory
    in it, and "t:" for a ticket.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def add(self, told: Sequence[Told]) -> None:
        """Add one run for each key of these episodes, which follow all that are there."""
        runs: _Numbers = defaultdict(partial(array, "I"))
        for one in told:
            for key in _keys(one.words, one.paths, tickets=one.episode.tickets):
                runs[key].append(one.episode.seq)
        self._write(runs)

    def reindex(self) -> None:
        """Build the runs anew from what episodes are compared by, one for each key."""
        self._connection.execute("DELETE FROM story_posting")
        runs: _Numbers = defaultdict(partial(array, "I"))
        for number, words, paths, tickets in self._connection.execute(
            """
            SELECT s.episode, s.words, s.paths, e.tickets
              FROM story_entry AS s
              JOIN episode AS e ON e.seq = s.episode
             ORDER BY s.episode
            """
        ):
            for key in _keys(json.loads(words), json.loads(paths), tickets=json.loads(tickets)):
                runs[key].append(number)
        self._write(runs)

    def counts(self, keys: Sequence[str]) -> Mapping[str, int]:
        """Return how many episodes hold each key; those of none are left out."""
        rows = self._connection.execute(
            """
            SELECT p.key, sum(length(p.episodes)) / 4
              FROM json_each(:keys) AS t
              CROSS JOIN story_posting AS p ON p.key = t.value
             GROUP BY p.key
            """,
            {"keys": json.dumps(list(dict.fromkeys(keys)))},
        )
        return {str(row[0]): int(row[1]) for row in rows}

    def newest(self, key: str, limit: int) -> Sequence[int]:
        """Return the newest episodes that hold a key, oldest of them first."""
        found: list[int] = []
        for (packed,) in self._connection.execute(
            "SELECT episodes FROM story_posting WHERE key = :key ORDER BY first DESC", {"key": key}
        ):
            found[:0] = _unpacked(packed)
            if len(found) >= limit:
                break
        return found[-limit:]

    def beginning(self, key: str, limit: int) -> Sequence[int]:
        """Return the newest episodes that hold any key that begins so."""
        rows = self._connection.execute(
            """
            SELECT episodes
              FROM story_posting
             WHERE key >= :key AND key < :key || :last
            """,
            {"key": key, "last": "\U0010ffff"},
        )
        held = {number for (packed,) in rows for number in _unpacked(packed)}
        return sorted(held)[-limit:]

    def _write(self, runs: _Numbers) -> None:
        self._connection.executemany(
            "INSERT INTO story_posting (key, first, episodes) VALUES (?, ?, ?)",
            [(key, runs[key][0], _packed(runs[key])) for key in sorted(runs)],
        )


def _keys(words: Iterable[str], paths: Iterable[str], *, tickets: Iterable[str]) -> Iterator[str]:
    for term in words:
        yield f"w:{term}"
    touched = dict.fromkeys(paths)
    for path in touched:
        yield f"p:{path}"
    for name in {name for path in touched for name in _names(path)}:
        yield f"n:{name}"
    for ticket in dict.fromkeys(tickets):
        yield f"t:{ticket}"


def last_name(path: str) -> str:
    """Return the name at the end of a path: no case, and without the suffix of a file."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name


def _names(path: str) -> Iterator[str]:
    """Yield the name of a file and those of the directories that hold it."""
    yield last_name(path)
    yield from filter(None, path.lower().split("/")[:-1])


def _packed(numbers: "array[int]") -> bytes:
    if byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _unpacked(packed: bytes) -> "array[int]":
    numbers = array("I")
    numbers.frombytes(packed)
    if byteorder == "big":
        numbers.byteswap()
    return numbers
