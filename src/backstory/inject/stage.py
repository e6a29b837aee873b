"""The texts for an agent, made from what the store holds now, and the log of what was shown."""

from dataclasses import replace
from typing import TYPE_CHECKING

from backstory.inject.fences import fenced
from backstory.inject.relevant import Relevant, relevant_text
from backstory.model.errors import IllegalOperationError
from backstory.model.ids import ItemId, ThreadId
from backstory.model.item import Item
from backstory.model.limits import HISTORY_TURNS_MAX, INDEX_BYTES_MAX
from backstory.model.recall import Recalled
from backstory.model.turn import Turn
from backstory.model.words import Scope, Status

if TYPE_CHECKING:
    from backstory.ports.store import Tables


def index_of(tables: "Tables", *, bytes_max: int = INDEX_BYTES_MAX) -> str:
    """Return the index for a system prompt: the same bytes while memory is the same.

    Where pinned items do not fit, the index says so in place of dropping any.
    """
    from backstory.inject.index_text import index_text  # noqa: PLC0415 - no prompt needs it

    items = tables.items.listed(statuses=(Status.ACTIVE,))
    unmerged = tables.branches.of_items([item.id for item in items])
    try:
        return index_text(items, unmerged=unmerged, bytes_max=bytes_max)
    except IllegalOperationError as error:
        return fenced(f"{error}; until then use recall")


def refuse_if_unpinnable(tables: "Tables", item_id: ItemId) -> None:
    """Raise `IllegalOperationError` where the index has no room for one more pinned item."""
    from backstory.inject.index_text import index_text  # noqa: PLC0415 - as above

    pinned = tables.items.listed(statuses=(Status.ACTIVE,), only_pinned=True)
    index_text([*pinned, *(_pinned(item) for item in tables.items.many([item_id]))])


def relevant_of(tables: "Tables", recalled: Recalled, *, thread_id: ThreadId | None) -> Relevant:
    """Return what a recall found as text, without what this thread has been shown already."""
    shown = tables.injections.shown(thread_id) if thread_id is not None else frozenset()
    return relevant_text(recalled.hits, shown=shown)


def log_shown(tables: "Tables", relevant: Relevant, *, thread_id: ThreadId, now_ms: int) -> None:
    """Log what a text has shown, so that it is not shown again until it changes."""
    tables.injections.add(relevant.shown, part="relevant", thread_id=thread_id, now_ms=now_ms)


def routing_of(tables: "Tables", *, thread_id: ThreadId | None) -> str:
    """Return what a host needs to route a request, with the discussions of this thread only."""
    from backstory.inject.routing import routing_text  # noqa: PLC0415 - as above

    return routing_text(
        [
            item
            for item in tables.items.listed(statuses=(Status.ACTIVE,))
            if item.scope is not Scope.THREAD or item.thread_id == thread_id
        ]
    )


def history_of(tables: "Tables", thread_id: ThreadId) -> tuple[Turn, ...]:
    """Return the last completed turns of a thread that fit a chat prompt, oldest first."""
    from backstory.inject.history import history_turns  # noqa: PLC0415 - as above

    return history_turns(tables.turns.history(thread_id, limit=HISTORY_TURNS_MAX))


def _pinned(item: Item) -> Item:
    return replace(item, is_pinned=True)
