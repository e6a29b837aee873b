"""Stretches of development."""

import apsw


class SqliteEpisodes:
    """The episode tables."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
