"""Which tables an export holds, in the order in which they can be filled."""

import apsw

# Truth first, parents before children; then the work and the choices that belong to it.
# What is derived is left out: `reindex` makes it again.
EXPORTED = (
    "thread",
    "turn",
    "event",
    "item",
    "revision",
    "evidence",
    "candidate",
    "tombstone",
    "change",
    "episode",
    "episode_summary",
    "todo",
    "recorded_commit",
    "episode_link",
    "cited_file",
    "path_name",
    "story_entry",
    "setting",
    "job",
    "model_call",
    "import_cursor",
    "injection",
)


def columns_of(connection: apsw.Connection, table: str) -> dict[str, str]:
    """Return a table's columns and their types, in their order."""
    rows = connection.execute(
        "SELECT name, type FROM pragma_table_info(:table) ORDER BY cid", {"table": table}
    )
    return {str(name): str(kind) for name, kind in rows}


def listed(names: dict[str, str]) -> str:
    """Return names as SQL lists them."""
    return ", ".join(f'"{name}"' for name in names)
