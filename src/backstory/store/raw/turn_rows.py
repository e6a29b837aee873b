"""How a row of the turn table becomes a turn. The column order is the one of `TURN_COLUMNS`."""

from typing import Any

from backstory.model.turn import Turn
from backstory.model.words import Speaker, TurnState

# What every query of whole turns lists, in this order. Written out in each of them as well,
# so that a query can be read where it is run; `test_turn_queries_list_the_same_columns` compares.
TURN_COLUMNS = (
    "seq",
    "id",
    "thread_id",
    "position",
    "speaker",
    "user_text",
    "answer_text",
    "state",
    "said_at_ms",
    "recorded_at_ms",
    "finished_at_ms",
    "origin",
    "is_imported",
    "source_key",
    "branch",
    "error",
)


def turn_from(row: tuple[Any, ...]) -> Turn:
    """Make a turn of a row in the order of `TURN_COLUMNS`."""
    return Turn(
        seq=row[0],
        id=row[1],
        thread_id=row[2],
        position=row[3],
        speaker=Speaker(row[4]),
        user_text=row[5],
        answer_text=row[6],
        state=TurnState(row[7]),
        said_at_ms=row[8],
        recorded_at_ms=row[9],
        finished_at_ms=row[10],
        origin=row[11],
        is_imported=bool(row[12]),
        source_key=row[13],
        branch=row[14],
        error=row[15],
    )
