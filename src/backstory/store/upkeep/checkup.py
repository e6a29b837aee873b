"""Looking a store over from end to end, for `doctor`. Reads only."""

import stat
from dataclasses import dataclass
from pathlib import Path

import apsw

from backstory.model.errors import StoreDegradedError, StoreUnavailableError
from backstory.store.db import SqliteStore
from backstory.store.file.connect import JOURNAL_BYTES_MAX, log_of
from backstory.store.file.identity import refuse_unsafe_library
from backstory.store.file.salvage import DegradedStore

# A log so much larger than it is cut back to is one that somebody keeps from being emptied.
_LOG_BYTES_WARNED = 4 * JOURNAL_BYTES_MAX

# Each statement returns one row for each thing that is wrong: its subject.
_RULES = (
    (
        "index-corrupt",
        "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
    ),
    (
        "dangling-row",
        """SELECT "table" || ' names a ' || parent || ' that is not there'
             FROM pragma_foreign_key_check""",
    ),
    ("meta-missing", "SELECT 'the row about the store' WHERE NOT EXISTS (SELECT 1 FROM meta)"),
    (
        "unproved-item",
        """SELECT id FROM item
            WHERE status = 'active'
              AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.item_id = item.id)
              AND NOT EXISTS (SELECT 1 FROM revision
                               WHERE revision.item_id = item.id AND author = 'human')""",
    ),
    (
        "misquoted-item",
        """SELECT item_id FROM evidence JOIN turn ON turn.id = evidence.turn_id
            WHERE end_char > length(CASE role WHEN 'user' THEN user_text ELSE answer_text END)
              AND instr(CASE role WHEN 'user' THEN user_text ELSE answer_text END, char(0)) = 0""",
    ),
    ("dead-job", "SELECT kind || ' ' || subject FROM job WHERE state = 'dead'"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong: a stable slug, and what or where it is."""

    slug: str
    subject: str


def check_store(store: SqliteStore | DegradedStore) -> tuple[Finding, ...]:
    """Return everything that is wrong with a store, or nothing."""
    findings = [*_library(), *_rights(store.path), *_log(store.path)]
    if isinstance(store, DegradedStore):
        findings.append(Finding(slug="degraded", subject=store.problem))
    for slug, sql in _RULES:
        findings += _broken(store, slug, sql=sql)
    return tuple(findings)


def _broken(store: SqliteStore | DegradedStore, slug: str, *, sql: str) -> list[Finding]:
    try:
        with store.reading() as tables:
            rows = tables.connection.execute(sql).fetchall()
    except (StoreDegradedError, StoreUnavailableError) as error:
        return [Finding(slug="unreadable", subject=f"{slug}: {error}")]
    return [Finding(slug=slug, subject=str(subject)) for (subject,) in rows]


def _library() -> list[Finding]:
    try:
        refuse_unsafe_library(apsw.sqlite_lib_version())
    except StoreUnavailableError as error:
        return [Finding(slug="unsafe-sqlite", subject=str(error))]
    return []


def _rights(path: Path) -> list[Finding]:
    places = [path.parent, path, log_of(path)]
    return [
        Finding(slug="open-to-others", subject=str(place))
        for place in places
        if place.exists() and stat.S_IMODE(place.stat().st_mode) & 0o077
    ]


def _log(path: Path) -> list[Finding]:
    log = log_of(path)
    if log.exists() and log.stat().st_size > _LOG_BYTES_WARNED:
        return [Finding(slug="log-grows", subject=f"{log}: {log.stat().st_size} bytes")]
    return []
