"""Words that a slip of the keyboard may have been meant as. Pure."""

# A shorter word has too many neighbours that are words themselves.
TYPED_CHARS_MIN = 4
_CHANGED_CHARS_MIN = 6
_BEGUN_CHARS_MIN = 5


def is_slip(typed: str, meant: str) -> bool:
    """Whether one slip makes one of the other: two letters swapped, one added, lost or changed.

    (Damerau, "A technique for computer detection and correction of spelling errors", 1964.)
    A word of less than six letters may only have two of them swapped.
    """
    if typed == meant or abs(len(typed) - len(meant)) > 1:
        return False
    head = _common_head(typed, meant)
    rest, other = typed[head:], meant[head:]
    if len(typed) == len(meant):
        if rest[:2] == other[1::-1] and rest[2:] == other[2:]:
            return True
        return len(typed) >= _CHANGED_CHARS_MIN and rest[1:] == other[1:]
    shorter, longer = sorted((rest, other), key=len)
    return len(typed) >= _CHANGED_CHARS_MIN and longer[1:] == shorter


def is_begun(typed: str, meant: str) -> bool:
    """Whether a word was begun and not finished."""
    return len(typed) >= _BEGUN_CHARS_MIN and meant.startswith(typed)


def _common_head(one: str, other: str) -> int:
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length
