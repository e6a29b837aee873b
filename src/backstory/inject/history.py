"""The last turns of a conversation, within the budget of a chat prompt. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from backstory.inject.fences import cut
from backstory.model.limits import HISTORY_CHARS_MAX, HISTORY_TURNS_MAX
from backstory.model.turn import Turn
from backstory.model.words import TurnState


def history_turns(
    turns: Sequence[Turn],
    *,
    turns_max: int = HISTORY_TURNS_MAX,
    chars_max: int = HISTORY_CHARS_MAX,
) -> tuple[Turn, ...]:
    """Return the last completed turns that fit, oldest first.

    Older turns fall out whole; only the newest is cut, its answer before its question.
    """
    completed = [turn for turn in turns if turn.state is TurnState.COMPLETED]
    kept: list[Turn] = []
    room = chars_max
    for turn in reversed(completed[-turns_max:] if turns_max > 0 else []):
        fitted = turn if kept else _cut_to(turn, room)
        size = len(fitted.user_text) + len(fitted.answer_text)
        if size > room:
            break
        kept.append(fitted)
        room -= size
    return tuple(reversed(kept))


def _cut_to(turn: Turn, room: int) -> Turn:
    user_text = cut(turn.user_text, room)
    return replace(
        turn, user_text=user_text, answer_text=cut(turn.answer_text, room - len(user_text))
    )
