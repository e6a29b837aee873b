"""What was shown to an agent."""

import apsw


class SqliteInjections:
    """The injection table."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
