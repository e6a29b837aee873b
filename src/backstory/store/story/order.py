"""The order of commits' episodes: moved in short writes, and found meanwhile."""

from collections.abc import Mapping, Sequence

import apsw

from backstory.ports.story import FreshRuns, RunPage
from backstory.store.meta import SqliteMeta
from backstory.store.rows import only_row
from backstory.store.story.moving import move, order_behind
from backstory.store.story.runs import Runs

# The settings that say from which number on episodes were moved the last time, and that it is
# not done.
MOVED_KEPT = "story_moved_to"
MOVING_KEPT = "story_moving"


class SqliteStoryOrder:
    """The numbers in the episode, recorded_commit, episode_link and story tables."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._meta = SqliteMeta(connection)
        self._runs = Runs(connection)

    def behind(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """Return these episodes and all that name them, each behind what it names itself."""
        return order_behind(self._connection, numbers)

    def begin(self, count: int) -> int:
        """Keep so many numbers free for episodes that are to be moved, and return the first."""
        last = self._number("SELECT max(seq) FROM sqlite_sequence WHERE name = 'episode'")
        self._connection.execute(
            "UPDATE sqlite_sequence SET seq = :last WHERE name = 'episode'",
            {"last": last + count},
        )
        self._meta.set_setting(MOVED_KEPT, str(last + 1))
        self._meta.set_setting(MOVING_KEPT, "1")
        return last + 1

    def runs_of(self, moved: Mapping[int, int]) -> tuple[RunPage, ...]:
        """Return the runs of episodes under other numbers. Nothing is written."""
        return self._runs.of(moved)

    def add_runs(self, page: RunPage, *, first: int) -> bool:
        """Let episodes be found by the numbers that they will have; False as for `move`."""
        if self._is_overtaken(first):
            return False
        self._runs.insert(page.rows)
        return True

    def move(self, moved: Mapping[int, int], *, first: int) -> bool:
        """Give episodes other numbers, or return False where the move was overtaken."""
        if self._is_overtaken(first):
            return False
        move(self._connection, moved)
        return True

    def _is_overtaken(self, first: int) -> bool:
        return not self.is_under_way() or self._meta.setting(MOVED_KEPT) != str(first)

    def is_under_way(self) -> bool:
        """Whether a move was begun and not ended."""
        return self._meta.setting(MOVING_KEPT) is not None

    def end(self) -> None:
        """Note that what was begun is done."""
        self._meta.set_setting(MOVING_KEPT, None)

    def fresh_runs(self) -> FreshRuns:
        """Return what finds episodes by words, paths and tickets, made anew; write nothing."""
        last = self._number("SELECT max(episode) FROM story_entry")
        return FreshRuns(numbering=self._numbering(), last=last, pages=self._runs.fresh())

    def replace_runs(self, page: RunPage, *, fresh: FreshRuns) -> bool:
        """Put a page in the place of what is there, or return False where it is out of date."""
        if self._numbering() != fresh.numbering:
            return False
        self._runs.replace(page, last=fresh.last)
        return True

    def _numbering(self) -> str:
        """Return what changes whenever a number may mean another episode than before."""
        return f"{self._meta.generation()}:{self._meta.setting(MOVED_KEPT)}"

    def _number(self, statement: str) -> int:
        row = only_row(self._connection, statement)
        return int(row[0] or 0) if row else 0
