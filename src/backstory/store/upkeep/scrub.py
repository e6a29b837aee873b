"""Making deleted bytes vanish from the file and its log."""

import apsw

from backstory.store.db import SqliteStore
from backstory.store.file.failures import translated


def scrub(store: SqliteStore) -> bool:
    """Rewrite the file and empty its log, so that nothing that was deleted is left in either.

    Returns False where that could not be done yet, because another process was at work or the
    disk is too full for the copy that it takes; it is safe to call again later.
    Takes time by the size of the file.
    """
    connection = store.connection()
    try:
        connection.execute("VACUUM")
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
    except (apsw.BusyError, apsw.LockedError, apsw.FullError):
        return False
    except apsw.Error as error:
        raise translated(store.path, error) from error
    return not busy
