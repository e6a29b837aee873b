"""Taking back what a model said of an episode."""

import json
from collections.abc import Sequence

import apsw

from backstory.model.ids import EpisodeId

# Stands where a todo was that a model had found and that was taken back.
WITHDRAWN = "…"

# A person who edits writes the objective; what a model had said beside it is not theirs.
_WITHDRAW_UNDER_EDITS = """
UPDATE episode_summary AS s
   SET (decisions, changes, problems, keywords)
       = (SELECT r.decisions, r.changes, r.problems, r.keywords
            FROM episode_summary AS r
           WHERE r.episode_id = s.episode_id AND r.author NOT IN ('model', 'human')
             AND r.number < s.number
           ORDER BY r.number DESC
           LIMIT 1)
 WHERE s.episode_id = :id AND s.author = 'human'
   AND EXISTS (SELECT 1 FROM episode_summary AS m
                WHERE m.episode_id = :id AND m.author = 'model' AND m.number < s.number)
   AND EXISTS (SELECT 1 FROM episode_summary AS r
                WHERE r.episode_id = :id AND r.author NOT IN ('model', 'human')
                  AND r.number < s.number)
"""


def withdraw_model(
    connection: apsw.Connection, episode_id: EpisodeId, *, todos: Sequence[int]
) -> bool:
    """Delete what a model said of an episode, and these todos; tell if there was anything."""
    connection.execute(_WITHDRAW_UNDER_EDITS, {"id": episode_id})
    connection.execute(
        """
        UPDATE episode
           SET summary = coalesce((SELECT max(number) FROM episode_summary
                                    WHERE episode_id = :id AND author <> 'model'), summary)
         WHERE id = :id
        """,
        {"id": episode_id},
    )
    connection.execute(
        """
        DELETE FROM episode_summary
         WHERE episode_id = :id AND author = 'model'
           AND number <> (SELECT summary FROM episode WHERE id = :id)
        """,
        {"id": episode_id},
    )
    deleted = connection.changes()
    connection.execute(
        """
        UPDATE todo
           SET text = :withdrawn, is_open = 0
         WHERE episode_id = :id AND number IN (SELECT value FROM json_each(:todos))
        """,
        {"id": episode_id, "todos": json.dumps(list(todos)), "withdrawn": WITHDRAWN},
    )
    return deleted > 0
