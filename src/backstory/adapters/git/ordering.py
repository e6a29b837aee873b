"""Episodes follow the order of history, also where its older part was read last."""

from collections.abc import Iterable
from itertools import islice

from backstory.episodes.messages.references import references
from backstory.episodes.stage import close_todos, link_again
from backstory.ports.store import Store
from backstory.ports.vcs import Vcs

_PAGE_COMMITS = 4_000


def put_in_order(store: Store, vcs: Vcs, *, history: Iterable[str]) -> int:
    """Renumber what was kept before commits that precede it, and return how much that was.

    `history` names all commits in the order in which they are read. What is renumbered is
    linked with the older commits that it names, and closes what they left open. Where the order
    is kept already nothing is written; otherwise it is one transaction.
    """
    displaced = _displaced(store, history)
    if not displaced:
        return 0
    read = ((one.sha, references(one.message)) for one in vcs.messages(displaced))
    named = {sha: found for sha, found in read if found}
    with store.writing() as tables:
        tables.story.move_behind([*displaced.values()])
        link_again(tables, named)
        numbers = tables.story.numbers([*displaced])
        ids = tables.story.ids(sorted(numbers.values()))
        close_todos(tables, tables.episodes.many([ids[number] for number in sorted(ids)]))
    return len(displaced)


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
