"""Stage 2: candidates become items, or evidence, or take the place of others, or are refused."""

from backstory.consolidate.advice import Opinion
from backstory.consolidate.operations import Proposed, Reject, Revise
from backstory.consolidate.shelf import Shelf
from backstory.consolidate.stage import (
    REVIEW_SETTING,
    ReviewRule,
    consolidate_pending,
    is_review_on,
    known,
    related_items,
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
    "Opinion",
    "Proposed",
    "Reject",
    "ReviewRule",
    "Revise",
    "Shelf",
    "Undone",
    "Words",
    "approve",
    "archive_discussions",
    "consolidate_pending",
    "discard",
    "edit",
    "forget",
    "is_review_on",
    "known",
    "pin",
    "related_items",
    "retract",
    "undo",
]
