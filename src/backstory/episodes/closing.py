"""Which todos a new episode closes: by words and files, told from what it says itself. Pure."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from backstory.episodes.todos import is_done
from backstory.model.ids import EpisodeId
from backstory.ports.story import OpenTodo

# Of a file that everybody changes only so many of the newest todos are looked at.
_PER_PATH_MAX = 20
_PATHS_MAX = 50
# Of todos that nobody gave a file, so many of the newest are compared by their words alone.
_PLACELESS_MAX = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a new episode says and changed, and what it leaves open itself."""

    text: str
    paths: Sequence[str]
    left: Sequence[str]
    at_ms: int  # when it was over


class OpenTodos:
    """Todos by the files of the episodes that left them; those without a file by themselves."""

    def __init__(self, todos: Iterable[OpenTodo]) -> None:
        self._by_path: dict[str, list[OpenTodo]] = defaultdict(list)
        self._placeless: deque[OpenTodo] = deque(maxlen=_PLACELESS_MAX)
        self._done: set[tuple[EpisodeId, int]] = set()
        for todo in todos:
            self.add(todo)

    def add(self, todo: OpenTodo) -> None:
        """Take in one more, left later than those before."""
        if not todo.paths:
            self._placeless.append(todo)
        for path in todo.paths[:_PATHS_MAX]:
            self._by_path[path].append(todo)

    def closed_by(self, work: Work) -> Iterator[OpenTodo]:
        """Yield the todos that this work does, each once; they are open no more.

        What the work leaves open in the same words is not done by it, nor what was left later.
        """
        for todo in self._at(work.paths):
            if todo.at_ms > work.at_ms or any(
                _is_done(todo, text, paths=()) for text in work.left
            ):
                continue
            if _is_done(todo, work.text, paths=work.paths):
                self._done.add((todo.episode_id, todo.number))
                yield todo

    def _at(self, paths: Sequence[str]) -> list[OpenTodo]:
        found: dict[tuple[EpisodeId, int], OpenTodo] = {}
        near = [self._by_path.get(path, ())[-_PER_PATH_MAX:] for path in paths[:_PATHS_MAX]]
        for todo in chain(self._placeless, *near):
            name = (todo.episode_id, todo.number)
            if name not in self._done:
                found[name] = todo
        return list(found.values())


def _is_done(todo: OpenTodo, text: str, *, paths: Sequence[str]) -> bool:
    return is_done(todo.text, todo.paths, later=text, later_files=paths)
