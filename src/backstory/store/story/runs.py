"""The runs in which episodes are found: those of each word, path, name and ticket."""

import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from sys import byteorder

import apsw

from backstory.ports.story import RunPage, Told
from backstory.store.rows import LAST_CHARACTER

_Row = tuple[str, int, bytes]
# What is written in one go: some 3,000 keys of one or two episodes, in a tenth of the time that
# somebody may have to wait. A row costs as much as so many bytes.
_PAGE_BYTES = 256 * 1024
_ROW_BYTES = 80


class Runs:
    """The story_posting table.

    A key begins with "w:" for a word, "p:" for a path, "n:" for the name of a file or directory
    in it, and "t:" for a ticket.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def add(self, told: Sequence[Told]) -> None:
        """Add one run for each key of these episodes, which follow all that are there."""
        runs = _Runs()
        for one in told:
            runs.add(one.episode.seq, _keys(one.words, one.paths, tickets=one.episode.tickets))
        self.insert(runs.rows())

    def fresh(self) -> tuple[RunPage, ...]:
        """Return runs made anew from what episodes are compared by, one for each key."""
        runs = _Runs()
        for number, keys in self._stored():
            runs.add(number, keys)
        return tuple(_pages(runs.rows()))

    def of(self, moved: Mapping[int, int]) -> tuple[RunPage, ...]:
        """Return the runs of stored episodes under other numbers, one for each key."""
        runs = _Runs()
        for number, keys in self._stored():
            if number in moved:
                runs.add(moved[number], keys)
        return tuple(_pages(runs.rows()))

    def replace(self, page: RunPage, *, last: int) -> None:
        """Put runs in the place of those of the same keys that begin at `last` or before."""
        self._connection.execute(
            """
            DELETE FROM story_posting
             WHERE key > :after AND key <= :upto AND first <= :last
            """,
            {"after": page.after, "upto": page.upto, "last": last},
        )
        self.insert(page.rows)

    def _stored(self) -> Iterator[tuple[int, Iterator[str]]]:
        """Yield each episode with its keys."""
        for number, words, paths, tickets in self._connection.execute(
            """
            SELECT s.episode, s.words, s.paths, e.tickets
              FROM story_entry AS s
              JOIN episode AS e ON e.seq = s.episode
             ORDER BY s.episode
            """
        ):
            keys = _keys(json.loads(words), json.loads(paths), tickets=json.loads(tickets))
            yield number, keys

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
            {"key": key, "last": LAST_CHARACTER},
        )
        held = {number for (packed,) in rows for number in _unpacked(packed)}
        return sorted(held)[-limit:]

    def insert(self, rows: Iterable[_Row]) -> None:
        """Add runs that are not there."""
        self._connection.executemany(
            "INSERT INTO story_posting (key, first, episodes) VALUES (?, ?, ?)", rows
        )


class _Runs:
    """Runs that are being gathered, episode by episode."""

    def __init__(self) -> None:
        self._of: dict[str, array[int]] = defaultdict(partial(array, "I"))

    def add(self, number: int, keys: Iterable[str]) -> None:
        for key in keys:
            self._of[key].append(number)

    def rows(self) -> Iterator[_Row]:
        for key in sorted(self._of):
            numbers = array("I", sorted(self._of[key]))
            yield key, numbers[0], _packed(numbers)


def _pages(rows: Iterable[_Row]) -> Iterator[RunPage]:
    after, held, weight = "", list[_Row](), 0
    for row in rows:
        held.append(row)
        weight += _ROW_BYTES + len(row[2])
        if weight >= _PAGE_BYTES:
            yield RunPage(after=after, upto=row[0], rows=tuple(held))
            after, held, weight = row[0], [], 0
    # The last page reaches beyond its keys: what nothing holds any more goes with it.
    yield RunPage(after=after, upto=LAST_CHARACTER, rows=tuple(held))


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
