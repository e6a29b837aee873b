"""Making deleted bytes vanish from the file and its log."""

from backstory.store.db import SqliteStore


def scrub(store: SqliteStore) -> bool:
    """Rewrite the file and empty its log, so that nothing that was deleted is left in either.

    Returns False where another process was reading, so that the log could not be emptied
    yet; it is safe to call again later. Takes time by the size of the file.
    """
    connection = store.connection()
    connection.execute("VACUUM")
    busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
    return not busy
