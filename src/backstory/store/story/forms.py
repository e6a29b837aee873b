"""What tells the rewritten forms of one commit."""

import json
from collections.abc import Mapping, Sequence

import apsw

from backstory.ports.story import Form


def forms_of(connection: apsw.Connection, numbers: Sequence[int]) -> Mapping[int, Form]:
    """Return what each of these commits keeps when it is rewritten, where that was worked out."""
    rows = connection.execute(
        """
        SELECT c.episode, c.patch_id, c.author, c.authored_at_ms
          FROM json_each(:numbers) AS t
          CROSS JOIN recorded_commit AS c ON c.episode = t.value
         WHERE c.patch_id <> ''
        """,
        {"numbers": json.dumps(list(numbers))},
    )
    return {int(row[0]): (str(row[1]), str(row[2]), int(row[3])) for row in rows}
