"""Turns as a model may see them: without what was forgotten of them."""

from collections.abc import Sequence
from dataclasses import replace

from backstory.model.turn import Turn
from backstory.model.words import Role
from backstory.ports.store_rows import Forgotten

# Stands for what was forgotten, so that offsets stay and no model learns of it again.
_MASK = "█"


def masked(turn: Turn, forgotten: Sequence[Forgotten]) -> Turn:
    """Return a turn with a filler of the same length in the place of what was forgotten."""
    user_text, answer_text = turn.user_text, turn.answer_text
    for span in forgotten:
        if span.turn_id == turn.id and span.role is Role.USER:
            user_text = _without(user_text, span)
        elif span.turn_id == turn.id and span.role is Role.ASSISTANT:
            answer_text = _without(answer_text, span)
    return replace(turn, user_text=user_text, answer_text=answer_text)


def _without(text: str, span: Forgotten) -> str:
    end = min(span.end, len(text))
    return text[: span.start] + _MASK * (end - span.start) + text[end:]
