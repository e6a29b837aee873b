"""Migrations: numbered SQL files, forward only, one transaction each, after a copy of the file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw

from backstory.model.errors import StoreUnavailableError
from backstory.store.file.addressing import open_file
from backstory.store.rows import only_row

APPLICATION_ID = 0x42535459  # "BSTY"


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step from the schema before it to the schema of its number."""

    number: int
    name: str
    sql: str


def released() -> tuple[Migration, ...]:
    """Return the migrations that this version carries, in order."""
    from importlib import resources  # noqa: PLC0415 - slow to load, for a new store or an old one

    folder = resources.files("backstory.store").joinpath("migrations")
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=str)
    return tuple(
        Migration(
            number=int(entry.name[:4]), name=entry.name, sql=entry.read_text(encoding="utf-8")
        )
        for entry in files
    )


def build(connection: apsw.Connection, migrations: Sequence[Migration]) -> None:
    """Run every migration on an empty database that nobody else can see."""
    connection.execute("BEGIN IMMEDIATE")
    for migration in migrations:
        connection.execute(migration.sql)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", migrations[-1].number)
    connection.execute("COMMIT")


def migrate(
    connection: apsw.Connection, path: Path, *, migrations: Sequence[Migration]
) -> tuple[Path, ...]:
    """Bring the store up to date, and return the copies made of it before each step.

    A step that fails leaves the file as it was and raises `StoreUnavailableError`.
    Safe when several processes do it at once: the version is read inside the lock.
    """
    copies: list[Path] = []
    # SQLite ignores this pragma inside a transaction, and a rebuilt table would then take its
    # children with it (https://sqlite.org/lang_altertable.html#otheralter).
    connection.pragma("foreign_keys", False)  # noqa: FBT003 - the name of the pragma says what
    try:
        for migration in migrations:
            copies += _step(connection, path, migration=migration)
    finally:
        connection.pragma("foreign_keys", True)  # noqa: FBT003 - as above
    return tuple(copies)


def _step(connection: apsw.Connection, path: Path, *, migration: Migration) -> list[Path]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.pragma("user_version") >= migration.number:
            connection.execute("ROLLBACK")
            return []
        copy = path.with_name(f"{path.name}.before-schema-{migration.number}")
        copy_store(path, copy)
        before = _row_counts(connection)
        connection.execute(migration.sql)
        _refuse_loss(connection, before)
        connection.pragma("user_version", migration.number)
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, apsw.Error | StoreUnavailableError):
            raise StoreUnavailableError(
                f"{path} could not be brought up to date ({migration.name}): {error}; "
                "nothing in it was changed"
            ) from error
        raise
    return [copy]


def copy_store(path: Path, final: Path) -> None:
    """Put a copy of a store, of one moment and whole, at `final`, where it replaces what is there.

    The caller holds the write lock; a second connection sees what the first is about to change.
    """
    for left_behind in final.parent.glob(f"{final.name}.*.draft"):
        left_behind.unlink()  # of one that was killed: the lock says that nobody is at it
    draft = final.with_name(f"{final.name}.{os.urandom(4).hex()}.draft")
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    source, target = open_file(path), open_file(draft)
    try:
        with target.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(1_000)
        target.pragma("journal_mode", "delete")
    finally:
        target.close()
        source.close()
    draft.replace(final)


def _row_counts(connection: apsw.Connection) -> Mapping[str, int]:
    tables = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'"
    ).fetchall()
    return {str(table): _rows_in(connection, str(table)) for (table,) in tables}


def _rows_in(connection: apsw.Connection, table: str) -> int:
    # A table's name cannot be bound; it comes from the catalogue, never from a user.
    row = only_row(connection, f'SELECT count(*) FROM "{table}"')  # noqa: S608
    return row[0] if row else 0


def _refuse_loss(connection: apsw.Connection, before: Mapping[str, int]) -> None:
    broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    if broken:
        raise StoreUnavailableError(f"{len(broken)} rows would point at nothing")
    after = _row_counts(connection)
    lost = [table for table, count in before.items() if after.get(table, count) < count]
    if lost:
        raise StoreUnavailableError(f"rows would be lost from {', '.join(lost)}")
