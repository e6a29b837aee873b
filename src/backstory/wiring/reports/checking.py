"""What `doctor` finds: in the store, in its index, and in the project around it."""

import os
from collections.abc import Iterator

from backstory.adapters.git import GitRepository
from backstory.adapters.project import PLAIN_STATE_NAME, Project
from backstory.model.errors import VcsUnavailableError
from backstory.model.item import Item
from backstory.model.recall import Question
from backstory.model.words import Status
from backstory.ports.store import Tables
from backstory.recall import recall
from backstory.store import Finding, check_store
from backstory.wiring.desk import BrokenDesk, Desk
from backstory.wiring.reader import STORE_NAME

# The newest items, which the last writes should have indexed; `reindex` mends all of them.
_LOOKED_UP = 20
_HITS = 50


def findings_of(desk: Desk | BrokenDesk) -> tuple[Finding, ...]:
    """Return everything that is wrong with a memory, or nothing. Only looks."""
    findings = [*check_store(desk.store), *_tracked(desk.project)]
    if isinstance(desk, Desk):
        with desk.store.reading() as tables:
            findings += _not_found_by_themselves(tables, now_ms=desk.clock())
    return tuple(findings)


def _not_found_by_themselves(tables: Tables, *, now_ms: int) -> Iterator[Finding]:
    """Yield the items that their own titles do not find, as the index promises."""
    items = tables.items.listed(statuses=(Status.ACTIVE, Status.STALE))
    for item in items[-_LOOKED_UP:]:
        if not _is_found(tables, item, now_ms=now_ms):
            yield Finding(slug="index-differs", subject=f"{item.id} {item.revision.title}")


def _is_found(tables: Tables, item: Item, *, now_ms: int) -> bool:
    question = Question(text=item.revision.title, thread_id=item.thread_id, items_max=_HITS)
    return any(hit.entry.id == item.id for hit in recall(tables, question, now_ms=now_ms).hits)


def _tracked(project: Project) -> list[Finding]:
    """Return our files that git tracks: they would be published, merged and so destroyed."""
    if project.work_tree is None or project.common_dir is None:
        return []
    repository = GitRepository(project.work_tree, environ=os.environ)
    try:
        tracked = repository.tracked(f":(glob)**/{PLAIN_STATE_NAME}/{STORE_NAME}*")
    except VcsUnavailableError:
        return []  # without git there is nothing that could have tracked them
    return [Finding(slug="tracked-by-git", subject=path) for path in tracked]
