"""The tables of a store inside one transaction, a family at a time."""

import apsw


class SqliteTables:
    """Gives each family of tables; lives no longer than its transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
