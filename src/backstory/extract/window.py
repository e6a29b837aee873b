"""What is read at once: turns of one thread, and the one right before them."""

import re
import unicodedata
from dataclasses import dataclass

from backstory.model.candidate import Quote
from backstory.model.turn import Turn

_MARKERS = re.compile(r"(?:(?:[-*+>#•]+|\d+[.)、]|\[[ x]\])\s*)*")
# Shorter lines are written the same by chance: a few words, or a dozen Han characters.
_LINE_COLUMNS_MIN = 24
# One line may be typed again, or be what an agent wrote down of these very words.
_COPIED_LINES_MIN = 2


def line_form(line: str) -> str:
    """Return a line as lines are compared: without its markers, or "" where it says too little."""
    text = _MARKERS.sub("", " ".join(unicodedata.normalize("NFKC", line).split()), count=1)
    columns = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    return text if columns >= _LINE_COLUMNS_MIN else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Turns of one thread in order; `previous` is the completed turn right before the first.

    A confirmation binds to the turn right before its own, so `previous` is None where that
    turn is unknown, belongs to another thread or was never completed. `written` holds the lines
    of files that agents read by themselves, each as `line_form` has it.
    """

    turns: tuple[Turn, ...]
    previous: Turn | None = None
    written: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Refuse turns of two threads: a confirmation must never cross."""
        threads = {turn.thread_id for turn in self.turns}
        if self.previous is not None:
            threads.add(self.previous.thread_id)
        if len(threads) > 1:
            raise ValueError("a window holds turns of one thread")

    def before(self, turn: Turn) -> Turn | None:
        """Return the turn right before one of the window, or None."""
        earlier: Turn | None = self.previous
        for later in self.turns:
            if later.id == turn.id:
                return earlier
            earlier = later
        return None

    def is_copied(self, quote: Quote, text: str) -> bool:
        """Whether a quote of this message was copied from one of those files.

        It was where the message has several of their lines, and all that it spans are theirs.
        """
        if not self.written:
            return False
        first, last = text.rfind("\n", 0, quote.start) + 1, text.find("\n", quote.end)
        spanned = text[first : last if last >= 0 else None]
        if not all(line_form(line) in self.written for line in spanned.splitlines()):
            return False
        held = {line_form(line) for line in text.splitlines()} & self.written
        return len(held) >= _COPIED_LINES_MIN

    def find(self, turn_id: str) -> Turn | None:
        """Return the turn of the window (or the one before it) with this id."""
        earlier = () if self.previous is None else (self.previous,)
        return next((turn for turn in (*self.turns, *earlier) if turn.id == turn_id), None)
