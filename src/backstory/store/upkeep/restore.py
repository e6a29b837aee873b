"""Reading an export back into an empty store, all of it or nothing."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw

from backstory.model.errors import UnreadableInputError, UsageError
from backstory.store.db import SqliteStore
from backstory.store.file.identity import SCHEMA_VERSION
from backstory.store.rows import only_row
from backstory.store.upkeep.shape import EXPORTED, columns_of, listed
from backstory.store.upkeep.snapshot import FORMAT, VERSION

# Schema 2 has the tables of schema 1, with more indexes, and one word more in a column.
_SCHEMAS = (1, SCHEMA_VERSION)
# As migration 2 does it with the rows of a store.
_SINCE_SCHEMA_1 = """
    UPDATE episode
       SET origin = 'todo'
     WHERE origin = 'manual' AND ended_at_ms = started_at_ms
       AND EXISTS (SELECT 1
                     FROM episode_summary AS s
                     JOIN todo AS t ON t.episode_id = s.episode_id AND t.text = s.objective
                    WHERE s.episode_id = episode.id AND s.number = episode.summary)
"""
# How many problems are listed; a file with more is not an export any more.
_PROBLEMS_MAX = 20
# What a store holds that remembers nothing yet: its first thread, and work about it.
_EMPTYING = "DELETE FROM job; DELETE FROM import_cursor; DELETE FROM injection; DELETE FROM thread"
# Calls outlive `clear`, so that limits hold: an export's stand beside them, and none stands twice.
_CALLS = "model_call"
_DELETE_CALL = """
    DELETE FROM model_call
     WHERE at_ms = :at_ms AND purpose = :purpose AND model = :model
       AND session = :session AND duration_ms = :duration_ms
"""
_CALL_NUMBER = "CASE WHEN (SELECT 1 FROM model_call WHERE seq = :seq) THEN NULL ELSE :seq END"
_TYPES: Mapping[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (int, float)}


def is_export(path: Path) -> bool:
    """Whether a file begins as an export does."""
    try:
        with path.open("rb") as file:
            return f'"format": "{FORMAT}"'.encode() in file.read(200)
    except OSError:
        return False


def restore_export(store: SqliteStore, path: Path) -> Mapping[str, int]:
    """Fill an empty store from an export, and return how many rows each table got.

    The items, their evidence and status, the turns and the change log are then as they were;
    the caller makes the index again. Leases are not taken over, and the choices made and the
    calls of models paid in this store stay. Raises `UnreadableInputError` with all that is
    wrong with the file, and `UsageError` where the store is not empty: two histories have no
    common order, so that one cannot be put into the other. In both cases nothing is changed.
    """
    export = _read(path)
    with store.writing() as tables:
        connection = tables.connection
        _refuse_filled(connection)
        connection.execute("PRAGMA defer_foreign_keys = ON")
        connection.execute(_EMPTYING)
        _drop_known_calls(connection, export["tables"][_CALLS])
        problems = _fill(connection, export["tables"])
        problems += _dangling(connection)
        if problems:
            raise _unreadable(path, problems)
        if export["schema"] == 1:
            connection.execute(_SINCE_SCHEMA_1)
        _take_over(connection, export["meta"])
    return {table: len(export["tables"][table]) for table in EXPORTED}


def _read(path: Path) -> dict[str, Any]:
    try:
        export = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UnreadableInputError(f"{path} cannot be read: {error}") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableInputError(f"{path} is not whole JSON: {error}") from error
    problems = _shape_problems(export)
    if problems:
        raise _unreadable(path, problems)
    assert isinstance(export, dict)
    return export


def _shape_problems(export: object) -> list[str]:
    if not isinstance(export, dict) or export.get("format") != FORMAT:
        return [f'it is not an export of Backstory ("format" is not "{FORMAT}")']
    if export.get("version") != VERSION:
        return [f"its version is {export.get('version')}; this Backstory reads {VERSION}"]
    if export.get("schema") not in _SCHEMAS:
        return [f"its schema is {export.get('schema')}; this Backstory reads {SCHEMA_VERSION}"]
    problems = [f'"{name}" is missing' for name in ("meta", "counts") if name not in export]
    problems += [
        f"the store it is from was damaged: {text}" for text in export.get("problems", ())
    ]
    return problems + _table_problems(export.get("tables"), export.get("counts"))


def _table_problems(tables: object, counts: object) -> list[str]:
    if not isinstance(tables, dict) or not isinstance(counts, dict):
        return ["it has no tables"]
    problems = [f"table {name} is not ours" for name in tables if name not in EXPORTED]
    for name in EXPORTED:
        rows = tables.get(name)
        if not isinstance(rows, list):
            problems.append(f"table {name} is missing")
        elif len(rows) != counts.get(name):
            problems.append(f"table {name} has {len(rows)} rows, {counts.get(name)} were written")
    return problems


def _refuse_filled(connection: apsw.Connection) -> None:
    row = only_row(
        connection,
        """
        SELECT (SELECT count(*) FROM turn) + (SELECT count(*) FROM event)
             + (SELECT count(*) FROM item) + (SELECT count(*) FROM candidate)
             + (SELECT count(*) FROM episode) + (SELECT count(*) FROM tombstone)
        """,
    )
    if row and row[0]:
        raise UsageError(
            "this memory is not empty: an export can only be read into an empty one "
            "(export this one, then `clear --confirm`)"
        )


def _drop_known_calls(connection: apsw.Connection, rows: list[object]) -> None:
    columns = columns_of(connection, _CALLS)
    for row in rows:
        if isinstance(row, dict) and not _row_problem(row, columns):
            connection.execute(_DELETE_CALL, row)


def _fill(connection: apsw.Connection, tables: Mapping[str, list[object]]) -> list[str]:
    problems: list[str] = []
    for table in EXPORTED:
        columns = columns_of(connection, table)
        sql = _filling(table, columns)
        for number, row in enumerate(tables[table], 1):
            problem = _row_problem(row, columns) or _insert(connection, sql, row=row)
            if problem:
                problems.append(f"{table}, row {number}: {problem}")
            if len(problems) >= _PROBLEMS_MAX:
                return [*problems, "and perhaps more"]
    return problems


def _filling(table: str, columns: dict[str, str]) -> str:
    # Names come from the catalogue of this store; values are bound.
    marks = {name: f":{name}" for name in columns}
    if table == _CALLS:
        marks["seq"] = _CALL_NUMBER
    verb = "INSERT OR IGNORE" if table == "setting" else "INSERT"
    return f'{verb} INTO "{table}" ({listed(columns)}) VALUES ({", ".join(marks.values())})'


def _row_problem(row: object, columns: Mapping[str, str]) -> str | None:
    if not isinstance(row, dict):
        return "it is not an object"
    if row.keys() != columns.keys():
        wrong = sorted(set(row) ^ set(columns))
        return f"columns are missing or not ours: {', '.join(wrong)}"
    for name, kind in columns.items():
        value = row[name]
        if value is not None and (isinstance(value, bool) or not isinstance(value, _TYPES[kind])):
            return f"{name} is not {kind.lower()}"
    return None


def _insert(connection: apsw.Connection, sql: str, *, row: Any) -> str | None:
    try:
        connection.execute(sql, row)
    except (apsw.ConstraintError, apsw.MismatchError, OverflowError, UnicodeEncodeError) as error:
        return str(error)
    return None


def _dangling(connection: apsw.Connection) -> list[str]:
    rows = connection.execute("PRAGMA foreign_key_check").fetchall()
    problems = [
        f"{table}: a row names a {parent} that is not there" for table, _, parent, _ in rows
    ]
    return problems[:_PROBLEMS_MAX]


def _take_over(connection: apsw.Connection, meta: Mapping[str, Any]) -> None:
    connection.execute(
        """
        UPDATE meta
           SET generation = max(generation, coalesce(:generation, 0)),
               created_at_ms = min(created_at_ms, coalesce(:created_at_ms, created_at_ms));
        UPDATE job
           SET generation = (SELECT generation FROM meta), lease_token = NULL, again_at_ms = NULL;
        """,
        {
            "generation": meta.get("generation"),
            "created_at_ms": meta.get("created_at_ms"),
        },
    )


def _unreadable(path: Path, problems: list[str]) -> UnreadableInputError:
    lines = "".join(f"\n- {problem}" for problem in problems[: _PROBLEMS_MAX + 1])
    return UnreadableInputError(f"{path} cannot be read back; nothing was changed:{lines}")
