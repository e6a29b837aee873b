"""Knowing a store file again: its header, its version, and every table, index and view of it."""

import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import apsw

from backstory.model.errors import StoreDegradedError, StoreUnavailableError
from backstory.model.ids import digest
from backstory.store.file.migrate import APPLICATION_ID, build, released

SCHEMA_VERSION = 2

# The first SQLite without the race by which two processes that checkpoint at once can lose
# commits (https://sqlite.org/wal.html, "The WAL-reset bug").
SQLITE_VERSION_MIN = (3, 51, 3)

_HEADER_BYTES = 100  # https://sqlite.org/fileformat2.html#the_database_header
_MAGIC = b"SQLite format 3\x00"

# Digest of the catalogue that the migrations make; it spares building it at every open.
# A test proves that it is right; were it not, opening would be slower, never wrong.
_KNOWN_DIGEST = "853da80ad302d1aeee876e003cac94a27b6d49e69ded03218a939f1670d166e5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the first bytes of a store file say."""

    version: int
    bytes_expected: int


def refuse_unsafe_library(version: str) -> None:
    """Raise `StoreUnavailableError` for a SQLite that is known to lose commits."""
    numbers = tuple(int(part) for part in version.split(".")[:3])
    if numbers < SQLITE_VERSION_MIN:
        raise StoreUnavailableError(
            f"SQLite {version} can lose commits when two processes write at once; "
            "install apsw 3.51.3 or newer"
        )


def read_header(path: Path) -> Header:
    """Return the header of a store file of a version we know.

    Raises `StoreDegradedError` with what is wrong. Reads the file, and touches nothing.
    """
    _refuse_no_file(path)
    with path.open("rb") as file:
        start = file.read(_HEADER_BYTES)
    if not start:
        raise StoreDegradedError(f"{path} is empty (0 bytes): something emptied it")
    if len(start) < _HEADER_BYTES or not start.startswith(_MAGIC):
        raise StoreDegradedError(f"{path} is not a SQLite database")
    application_id = int.from_bytes(start[68:72], "big")
    if application_id != APPLICATION_ID:
        raise StoreDegradedError(
            f"{path} is a SQLite database of another program (application id {application_id:#x})"
        )
    version = int.from_bytes(start[60:64], "big")
    page_size = int.from_bytes(start[16:18], "big")
    pages = int.from_bytes(start[28:32], "big")
    refuse_unknown_version(path, version)
    return Header(version=version, bytes_expected=(page_size if page_size > 1 else 65_536) * pages)


def _refuse_no_file(path: Path) -> None:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise StoreDegradedError(f"{path} is a directory, not a store file")
    if not stat.S_ISREG(mode):
        raise StoreDegradedError(f"{path} is not a regular file")


def refuse_unknown_version(path: Path, version: int) -> None:
    """Raise `StoreDegradedError` for a schema that this version of the program does not know."""
    if version > SCHEMA_VERSION:
        raise StoreDegradedError(
            f"{path} was written by a newer version of Backstory "
            f"(its schema is {version}, this version knows {SCHEMA_VERSION}): upgrade Backstory"
        )
    if version < 1:
        raise StoreDegradedError(f"{path} has no schema version")


def refuse_truncated(path: Path, header: Header) -> None:
    """Raise `StoreDegradedError` for a file that ends before its header says.

    Only right while no write-ahead log is waiting to be copied into the file.
    """
    size = path.stat().st_size
    if size < header.bytes_expected:
        raise StoreDegradedError(
            f"{path} is truncated: {size} bytes of {header.bytes_expected} are left"
        )


def refuse_altered(path: Path, connection: apsw.Connection) -> None:
    """Raise `StoreDegradedError` where a table, index or view is not exactly as we made it."""
    found = _catalogue(connection)
    if _digest(found) == _KNOWN_DIGEST:
        return
    version = connection.pragma("user_version")
    expected = expected_catalogue(version)
    problems = [
        f"{name} is missing" if name not in found else f"{name} was altered"
        for name in expected
        if found.get(name) != expected[name]
    ]
    problems += [f"{name} is not ours" for name in found if name not in expected]
    if problems:
        raise StoreDegradedError(f"{path} was altered: {', '.join(sorted(problems))}")


@cache
def expected_catalogue(version: int) -> Mapping[str, str]:
    """Return what the migrations up to a version make."""
    connection = apsw.Connection(":memory:")
    try:
        build(connection, [step for step in released() if step.number <= version])
        return _catalogue(connection)
    finally:
        connection.close()


def expected_digest() -> str:
    """Return the digest of the current catalogue, for the test of the one written down."""
    return _digest(expected_catalogue(SCHEMA_VERSION))


def catalogue_of(sql: str) -> Mapping[str, str]:
    """Return the catalogue that a script makes, for comparing scripts."""
    connection = apsw.Connection(":memory:")
    try:
        connection.execute(sql)
        return _catalogue(connection)
    finally:
        connection.close()


def _catalogue(connection: apsw.Connection) -> dict[str, str]:
    # SQLite's own tables are left out: statistics come and go. The tables behind full text are
    # known by name only, since their text is SQLite's and may change with its version.
    # The columns have these types; apsw cannot know.
    rows: list[tuple[str, str, str]] = connection.execute(  # type: ignore[assignment]
        """
        SELECT type, name, coalesce(sql, '')
          FROM sqlite_schema
         WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        """
    ).fetchall()
    virtual = [name for _, name, sql in rows if sql.upper().startswith("CREATE VIRTUAL TABLE")]
    return {
        f"{kind} {name}": "" if _is_behind(name, virtual) else _folded(sql)
        for kind, name, sql in rows
    }


def _is_behind(name: str, virtual: list[str]) -> bool:
    return any(name.startswith(f"{table}_") for table in virtual)


def _folded(sql: str) -> str:
    return " ".join(re.sub(r"--[^\n]*", " ", sql).split())


def _digest(catalogue: Mapping[str, str]) -> str:
    lines = "\n".join(f"{name}\t{catalogue[name]}" for name in sorted(catalogue))
    return digest(lines)
