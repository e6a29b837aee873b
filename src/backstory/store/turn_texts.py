"""The derived full text of raw turns."""

import apsw


class SqliteTurnTexts:
    """The turn_text table."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
