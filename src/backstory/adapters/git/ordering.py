"""Episodes follow the order of history, also where its older part was read last."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from backstory import index
from backstory.episodes.messages.references import Reference, references
from backstory.episodes.stage import close_todos, closed_todos, link_again
from backstory.jobs import pages
from backstory.ports.store import Store, Tables
from backstory.ports.vcs import Vcs

_PAGE_COMMITS = 4_000
# Episodes moved in one transaction, which nobody is to wait for longer than a moment.
_MOVED_AT_ONCE = 100
_CLOSED_AT_ONCE = 100


def put_in_order(store: Store, vcs: Vcs, *, history: Iterable[str]) -> int:
    """Renumber what was kept before commits that precede it, and return how much that was.

    `history` names all commits in the order in which they are read. What is renumbered is
    linked with the older commits that it names, and closes what they left open. Where the order
    is kept already nothing is written. It is done in short transactions: cut short, it is done
    again the next time (`is_unfinished`), and meanwhile everything is found.
    """
    displaced = _displaced(store, history)
    if displaced:
        _close(store, [*displaced.values()])
        read = ((one.sha, references(one.message)) for one in vcs.messages(displaced))
        named = {displaced[sha]: (sha, found) for sha, found in read if found}
        while not _moved(store, [*displaced.values()], named=named):
            pass
    if is_unfinished(store):
        index.freshen_story(store)
        with store.writing() as tables:
            tables.story_order.end()
    return len(displaced)


def is_unfinished(store: Store) -> bool:
    """Whether putting episodes in order was cut short."""
    with store.reading() as tables:
        return tables.story_order.is_under_way()


def _displaced(store: Store, history: Iterable[str]) -> dict[str, int]:
    """Return the kept commits from the first one on that has a lower number than one before it."""
    left, highest = iter(history), 0
    found: dict[str, int] = {}
    while page := list(islice(left, _PAGE_COMMITS)):
        with store.reading() as tables:
            numbers = tables.story.numbers(page)
        for sha in page:
            number = numbers.get(sha, highest)
            if sha in numbers and (found or number < highest):
                found[sha] = number
            highest = max(highest, number)
    return found


def _close(store: Store, numbers: Sequence[int]) -> None:
    """Let these episodes, in their order, close what others left open before."""
    for page in pages(numbers, _CLOSED_AT_ONCE):
        with store.reading() as tables:
            ids = tables.story.ids(page)
            episodes = tables.episodes.many([ids[number] for number in page if number in ids])
            closed = closed_todos(tables, episodes)
        if closed:
            with store.writing() as tables:
                close_todos(tables, closed)


def _moved(
    store: Store,
    numbers: Sequence[int],
    *,
    named: Mapping[int, tuple[str, Sequence[Reference]]],
) -> bool:
    """Let these episodes be the newest, or return False where others wrote of them meanwhile.

    The last ones go first, so that at no time anything precedes what it names.
    """
    with store.reading() as tables:
        now, order = tables.story.now(), tables.story_order.behind(numbers)
    with store.writing() as tables:
        if tables.story.now() != now:
            return False
        first = tables.story_order.begin(len(order))
    moved = {old: new for new, old in enumerate(order, first)}
    with store.reading() as tables:
        runs = tables.story_order.runs_of(moved)
    for page in runs:
        with store.writing() as tables:
            if not tables.story_order.add_runs(page, first=first):
                return False
    for last in pages(order[::-1], _MOVED_AT_ONCE):
        with store.writing() as tables:
            if not _move(tables, {one: moved[one] for one in last}, first=first, named=named):
                return False
    return True


def _move(
    tables: Tables,
    moved: Mapping[int, int],
    *,
    first: int,
    named: Mapping[int, tuple[str, Sequence[Reference]]],
) -> bool:
    if not tables.story_order.move(moved, first=first):
        return False
    link_again(tables, dict(named[old] for old in moved if old in named))
    return True
