"""Reading the one row that a query gives, and where a range of texts ends."""

from collections.abc import Mapping
from typing import Any

import apsw

# Above every character: the end of the range of texts that begin alike.
LAST_CHARACTER = "\U0010ffff"


def only_row(
    connection: apsw.Connection,
    sql: str,
    *,
    bindings: Mapping[str, str | int | None] | None = None,
) -> tuple[Any, ...] | None:
    """Return the first row, or None. The statement is run to its end, so no cursor stays open."""
    rows: list[tuple[Any, ...]] = connection.execute(sql, bindings).fetchall()
    return rows[0] if rows else None
