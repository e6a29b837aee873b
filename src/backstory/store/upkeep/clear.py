"""Beginning a memory anew, whether the old one is sound or broken."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import apsw

from backstory.model.errors import StoreUnavailableError
from backstory.model.ids import ThreadId
from backstory.model.turn import Thread
from backstory.store.db import SqliteStore
from backstory.store.file.connect import log_of
from backstory.store.file.create import draft_store, sync_directory
from backstory.store.file.salvage import DegradedStore
from backstory.store.tables import SqliteTables
from backstory.store.upkeep.scrub import scrub

_EMPTIED = """
    DELETE FROM evidence;
    DELETE FROM candidate;
    DELETE FROM revision;
    DELETE FROM item;
    DELETE FROM tombstone;
    DELETE FROM change;
    DELETE FROM story_posting;
    DELETE FROM story_entry;
    DELETE FROM path_name;
    DELETE FROM cited_file;
    DELETE FROM episode_link;
    DELETE FROM recorded_commit;
    DELETE FROM todo;
    DELETE FROM episode_summary;
    DELETE FROM episode;
    DELETE FROM event;
    DELETE FROM turn;
    DELETE FROM thread;
    DELETE FROM job;
    DELETE FROM import_cursor;
    DELETE FROM injection;
    DELETE FROM setting
     WHERE name IN ('last_success_ms', 'backfilled_tips', 'learnt_events', 'learnt_turns',
                    'commits_left_for_backfill', 'model_paused', 'story_moved_to', 'story_moving')
        OR name GLOB 'summary/*' OR name GLOB 'run/*';
    UPDATE meta SET generation = generation + 1;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleared:
    """A memory begun anew: its generation, and the files that a broken one was kept in."""

    generation: int
    kept: tuple[Path, ...] = ()
    is_scrubbed: bool = True  # False: deleted bytes are still in the file, for now


def clear_store(store: SqliteStore, *, host: str, thread_id: ThreadId, now_ms: int) -> Cleared:
    """Delete all that is remembered, and begin a new generation with one empty thread.

    The user's choices are kept, and so are exports. Whatever began before, a turn or a job,
    can no longer be finished. The words leave the file itself as well, where nobody else reads it.
    """
    with _without_references(store.connection()), store.writing() as tables:
        tables.connection.execute(_EMPTIED)
        tables.postings.clear()
        tables.turn_texts.clear()
        _begin(tables, host=host, thread_id=thread_id, now_ms=now_ms)
        generation = tables.meta.generation()
    return Cleared(generation=generation, is_scrubbed=scrub(store))


@contextmanager
def _without_references(connection: apsw.Connection) -> Iterator[None]:
    """Let whole tables be emptied at once, which SQLite does only where no row names another.

    Row by row, thirty thousand items take fourteen seconds, and all who write would wait for
    them: half a memory must not stay, so it is one transaction
    (https://sqlite.org/lang_delete.html, "The Truncate Optimization").
    """
    connection.pragma("foreign_keys", False)  # noqa: FBT003 - the pragma's own value
    try:
        yield
    finally:
        # On a full disk a connection closes with its transaction.
        with suppress(apsw.ConnectionClosedError):
            connection.pragma("foreign_keys", True)  # noqa: FBT003 - as above


def start_over(degraded: DegradedStore, *, host: str, thread_id: ThreadId, now_ms: int) -> Cleared:
    """Put a new store in the place of a broken one, which is kept beside it under another name.

    The generation goes on from the highest that can still be read, so that late results of
    the old store are refused; when it was made is kept where it can be read.
    """
    path = degraded.path
    generation = degraded.generation() + 1
    draft = draft_store(
        path,
        now_ms=degraded.created_at_ms() or now_ms,
        generation=generation,
        project_id=degraded.project_id(),
    )
    try:
        fresh = SqliteStore(draft)
        with fresh.writing() as tables:
            _begin(tables, host=host, thread_id=thread_id, now_ms=now_ms)
        fresh.close()
        kept = _set_aside(path, now_ms=now_ms)
        draft.replace(path)
        sync_directory(path.parent)
    except OSError as error:
        raise StoreUnavailableError(f"{path} could not be replaced: {error}") from error
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
    return Cleared(generation=generation, kept=kept)


def _begin(tables: SqliteTables, *, host: str, thread_id: ThreadId, now_ms: int) -> None:
    tables.threads.add(
        Thread(
            id=thread_id,
            host=host,
            host_key=None,
            is_active=True,
            started_at_ms=now_ms,
            generation=tables.meta.generation(),
        )
    )


def _set_aside(path: Path, *, now_ms: int) -> tuple[Path, ...]:
    aside = _free_name(path, now_ms=now_ms)
    kept = [aside]
    # The file keeps its own name until the new one takes it, so that at no moment there is none
    # and another process makes an empty one.
    if path.is_file():
        _link_or_move(path, aside)
    else:
        path.rename(aside)
    for log in _logs(path):
        target = log.with_name(log.name.replace(path.name, aside.name, 1))
        log.rename(target)
        kept.append(target)
    return tuple(kept)


def _link_or_move(path: Path, aside: Path) -> None:
    try:
        aside.hardlink_to(path)
    except OSError:  # no hard links on this file system
        path.rename(aside)


def _logs(path: Path) -> Iterable[Path]:
    logs = (log_of(path), path.with_name(f"{path.name}-journal"))
    # The index of the log is of no use without the log's own name.
    with suppress(FileNotFoundError):
        path.with_name(f"{path.name}-shm").unlink()
    return [log for log in logs if log.exists()]


def _free_name(path: Path, *, now_ms: int) -> Path:
    at = datetime.fromtimestamp(now_ms / 1_000, UTC).strftime("%Y%m%dT%H%M%SZ")
    for number in range(1, 1_000):
        suffix = "" if number == 1 else f"-{number}"
        aside = path.with_name(f"{path.name}.damaged-{at}{suffix}")
        if not os.path.lexists(aside):
            return aside
    raise StoreUnavailableError(f"{path.parent} holds a thousand damaged stores already")
