"""Which text can be stored as it is. Pure.

Any text can, NUL included, but for halves of surrogate pairs: these are no characters, and no
encoding can hold them. They come from text that was cut in the middle of an emoji.
"""

import re

from backstory.model.errors import UnreadableInputError

_HALF = "[\ud800-\udfff]"
_REPLACEMENT = "\ufffd"


def refuse_half_characters(text: str) -> None:
    """Raise `UnreadableInputError` for text that cannot be stored without loss."""
    half = None if _is_whole(text) else re.search(_HALF, text)
    if half:
        raise UnreadableInputError(
            f"the text holds half of a character (U+{ord(half[0]):04X} at place {half.start()}): "
            "it was cut in the middle, and cannot be stored as it is"
        )


def without_half_characters(text: str) -> str:
    """Return the text with a visible mark in place of each half; no offset moves.

    For hosts, which may not fail: what they hand over is better kept with a mark than lost.
    """
    return text if _is_whole(text) else re.sub(_HALF, _REPLACEMENT, text)


def _is_whole(text: str) -> bool:
    """Whether there is no half: nearly always, and told without making a pattern."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
