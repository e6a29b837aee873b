"""From turns to judged proposals: the rules that propose and the gate that decides. Pure."""

from backstory.extract.extractor import discussion_of, extract
from backstory.extract.gate import check_draft
from backstory.extract.window import Window

__all__ = ["Window", "check_draft", "discussion_of", "extract"]
