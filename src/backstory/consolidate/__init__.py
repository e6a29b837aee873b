"""Stage 2: candidates become items, or evidence, or take the place of others, or are refused."""

from backstory.consolidate.stage import (
    REVIEW_SETTING,
    ReviewRule,
    consolidate_pending,
    is_review_on,
)
from backstory.consolidate.verbs import (
    Undone,
    Words,
    approve,
    archive_discussions,
    discard,
    edit,
    forget,
    pin,
    retract,
    undo,
)

__all__ = [
    "REVIEW_SETTING",
    "ReviewRule",
    "Undone",
    "Words",
    "approve",
    "archive_discussions",
    "consolidate_pending",
    "discard",
    "edit",
    "forget",
    "is_review_on",
    "pin",
    "retract",
    "undo",
]
