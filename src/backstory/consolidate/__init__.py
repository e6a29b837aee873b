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
    EXPIRED,
    Undone,
    Words,
    approve,
    archive_discussions,
    discard,
    discard_expired,
    edit,
    forget,
    pin,
    retract,
    undo,
)

__all__ = [
    "EXPIRED",
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
    "discard_expired",
    "edit",
    "forget",
    "is_review_on",
    "known",
    "pin",
    "related_items",
    "retract",
    "undo",
]
