"""What is read at once: turns of one thread, and the one right before them."""

from dataclasses import dataclass

from backstory.model.turn import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Turns of one thread in order; `previous` is the completed turn right before the first.

    A confirmation binds to the turn right before its own, so `previous` is None where that
    turn is unknown, belongs to another thread or was never completed.
    """

    turns: tuple[Turn, ...]
    previous: Turn | None = None

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

    def find(self, turn_id: str) -> Turn | None:
        """Return the turn of the window (or the one before it) with this id."""
        earlier = () if self.previous is None else (self.previous,)
        return next((turn for turn in (*self.turns, *earlier) if turn.id == turn_id), None)
