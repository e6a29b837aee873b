"""The branches that are not merged, and the items that were said on nothing but them."""

import json
from collections.abc import Mapping, Sequence

import apsw

from backstory.model.ids import ItemId
from backstory.store.meta import SqliteMeta

# The setting that says which branches are not merged, and when each left the main line.
UNMERGED_KEPT = "unmerged_branches"


class SqliteBranches:
    """What was last seen of branches, as a setting, and the branches of what proves items."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._meta = SqliteMeta(connection)

    def note(self, unmerged: Mapping[str, int]) -> None:
        """Keep the branches that are not merged, each with when it left the main line."""
        self._meta.set_setting(UNMERGED_KEPT, json.dumps(unmerged, sort_keys=True))

    def noted(self) -> Mapping[str, int]:
        """Return what was kept last."""
        kept = self._meta.setting(UNMERGED_KEPT)
        found: dict[str, int] = {} if kept is None else json.loads(kept)
        return found

    def of_items(self, item_ids: Sequence[ItemId]) -> Mapping[ItemId, str]:
        """Return the branch of each item that was said on branches alone that are not merged.

        What was said on a branch before it left the main line was merged with that. How a user
        wants to be answered, and what is only being discussed, belongs to no branch.
        """
        unmerged = self.noted()
        if not unmerged:
            return {}
        rows = self._connection.execute(
            """
            SELECT i.id, min(b.key)
              FROM json_each(:ids) AS w
              CROSS JOIN item AS i ON i.id = w.value
              CROSS JOIN evidence AS e ON e.item_id = i.id
              LEFT JOIN turn AS t ON t.id = e.turn_id
              LEFT JOIN event AS v ON v.id = e.event_id
              LEFT JOIN json_each(:unmerged) AS b
                     ON b.key = coalesce(t.branch, v.branch)
                    AND b.value < coalesce(t.said_at_ms, v.at_ms)
             WHERE i.kind NOT IN ('user_preference', 'discussion_context')
             GROUP BY i.id
            HAVING count(*) = count(b.key)
            """,
            {"ids": json.dumps(list(item_ids)), "unmerged": json.dumps(unmerged)},
        )
        return {ItemId(str(row[0])): str(row[1]) for row in rows}
