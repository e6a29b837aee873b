"""Writing everything that a store holds into one JSON file that `restore` can read back.

The file is one JSON object: `format`, `version`, where it is from, `tables` (each an array of
rows, one a line), `counts` (so that a file that was cut is noticed) and `problems` (what a
damaged store could not give any more).
"""

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import apsw

from backstory.model.errors import StoreUnavailableError
from backstory.store.db import SqliteStore
from backstory.store.file.create import make_private_directory, sync_directory
from backstory.store.file.identity import SCHEMA_VERSION
from backstory.store.file.salvage import DegradedStore
from backstory.store.upkeep.shape import EXPORTED, columns_of, listed

FORMAT = "backstory-export"
VERSION = 1
_NAMES_MAX = 10_000


def write_export(store: SqliteStore | DegradedStore, *, folder: Path, now_ms: int) -> Path:
    """Write one new file into a folder, and return where it is.

    The name tells the time. A file that is there is never overwritten, also when several
    processes export at once; a file that could not be finished leaves nothing behind.
    """
    make_private_directory(folder)
    draft = folder / f".{secrets.token_hex(8)}.part"
    try:
        handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(handle, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123 - a handle
            _write(store, file, now_ms=now_ms)
            file.flush()
            os.fsync(file.fileno())
        return _name(draft, folder, now_ms=now_ms)
    except OSError as error:
        raise StoreUnavailableError(f"{folder}: the export was not written: {error}") from error
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


def write_export_to(store: SqliteStore | DegradedStore, path: Path, *, now_ms: int) -> Path:
    """Write an export under a name of the caller's choice, which must be free."""
    draft = write_export(store, folder=path.absolute().parent, now_ms=now_ms)
    try:
        _take_name(draft, path)
    except FileExistsError as error:
        raise StoreUnavailableError(f"{path} exists; an export never overwrites") from error
    finally:
        draft.unlink(missing_ok=True)
    return path


def _name(draft: Path, folder: Path, *, now_ms: int) -> Path:
    at = datetime.fromtimestamp(now_ms / 1_000, UTC).strftime("%Y%m%dT%H%M%SZ")
    for number in range(1, _NAMES_MAX):
        suffix = "" if number == 1 else f"-{number}"
        final = folder / f"backstory-{at}{suffix}.json"
        with suppress(FileExistsError):
            _take_name(draft, final)
            sync_directory(folder)
            return final
    raise StoreUnavailableError(f"{folder} is full of exports of this moment")


def _take_name(draft: Path, final: Path) -> None:
    try:
        final.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # no hard links on this file system
        os.close(os.open(final, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        draft.replace(final)


def _write(store: SqliteStore | DegradedStore, file: TextIO, *, now_ms: int) -> None:
    with store.reading() as tables:
        connection = tables.connection
        problems: list[str] = [store.problem] if isinstance(store, DegradedStore) else []
        counts: dict[str, int] = {}
        head = {
            "format": FORMAT,
            "version": VERSION,
            "schema": SCHEMA_VERSION,
            "exported_at_ms": now_ms,
            "meta": _meta(connection, problems),
        }
        file.write(_dumped(head)[:-1] + ', "tables": {')
        for table in EXPORTED:
            file.write(f'{"," if counts else ""}\n"{table}": [')
            counts[table] = 0
            for row in _rows(connection, table, problems=problems):
                file.write(("," if counts[table] else "") + "\n" + _dumped(row))
                counts[table] += 1
            file.write("]")
        tail = {"counts": counts, "problems": problems}
        file.write("},\n" + _dumped(tail)[1:] + "\n")
        if not isinstance(store, DegradedStore) and problems:
            raise StoreUnavailableError(f"{store.path}: {'; '.join(problems)}")


def _dumped(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _meta(connection: apsw.Connection, problems: list[str]) -> dict[str, Any]:
    try:
        rows = connection.execute(
            "SELECT project_id, generation, created_at_ms FROM meta"
        ).fetchall()
    except (apsw.Error, UnicodeDecodeError) as error:
        problems.append(f"meta: {error}")
        rows = []
    names = ("project_id", "generation", "created_at_ms")
    return dict(zip(names, rows[0], strict=True)) if rows else {}


def _rows(
    connection: apsw.Connection, table: str, *, problems: list[str]
) -> Iterator[dict[str, Any]]:
    try:
        columns = columns_of(connection, table)
        if not columns:
            problems.append(f"{table}: the table is missing")
            return
        # Names come from the catalogue, never from a user; values are not part of the text.
        sql = f'SELECT {listed(columns)} FROM "{table}" ORDER BY 1, 2'  # noqa: S608
        for row in connection.execute(sql):
            yield dict(zip(columns, row, strict=True))
    except (apsw.Error, UnicodeDecodeError) as error:
        problems.append(f"{table}: {error}")
