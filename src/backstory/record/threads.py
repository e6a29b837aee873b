"""Beginning, finding and ending conversations."""

from typing import TYPE_CHECKING

from backstory.model.ids import ThreadId
from backstory.model.turn import Thread

if TYPE_CHECKING:
    from backstory.ports.store import Tables


def new_thread(tables: "Tables", *, host: str, thread_id: ThreadId, now_ms: int) -> Thread:
    """Archive the host's active thread and begin a new one, which is then the only active one.

    Turns that are open in the old thread stay bound to it. The host's own sessions, which
    have keys, are not touched.
    """
    active = tables.threads.active(host)
    if active is not None:
        tables.threads.archive(active.id, now_ms=now_ms)
    return _begin(tables, host=host, host_key=None, thread_id=thread_id, now_ms=now_ms)


def current_thread(tables: "Tables", *, host: str, thread_id: ThreadId, now_ms: int) -> Thread:
    """Return the host's active thread, beginning one named `thread_id` where there is none."""
    active = tables.threads.active(host)
    if active is not None:
        return active
    return _begin(tables, host=host, host_key=None, thread_id=thread_id, now_ms=now_ms)


def bind_thread(
    tables: "Tables", *, host: str, host_key: str, thread_id: ThreadId, now_ms: int
) -> Thread:
    """Return the thread of a host's session, beginning one named `thread_id` at first sight."""
    bound = tables.threads.of_host(host, host_key)
    if bound is not None:
        return bound
    return _begin(tables, host=host, host_key=host_key, thread_id=thread_id, now_ms=now_ms)


def _begin(
    tables: "Tables", *, host: str, host_key: str | None, thread_id: ThreadId, now_ms: int
) -> Thread:
    thread = Thread(
        id=thread_id,
        host=host,
        host_key=host_key,
        is_active=True,
        started_at_ms=now_ms,
        generation=tables.meta.generation(),
    )
    tables.threads.add(thread)
    return thread
