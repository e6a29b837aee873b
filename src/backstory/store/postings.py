"""The derived index of items and episodes."""

import apsw


class SqlitePostings:
    """The document, posting and term_stat tables."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
