"""Stage: budgeted, fenced, labelled text for an agent."""

from backstory.inject.stage import (
    history_of,
    index_of,
    log_shown,
    refuse_if_unpinnable,
    relevant_of,
    routing_of,
)

__all__ = [
    "history_of",
    "index_of",
    "log_shown",
    "refuse_if_unpinnable",
    "relevant_of",
    "routing_of",
]
