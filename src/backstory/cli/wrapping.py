"""Where a line may be broken, so that Chinese and English read well side by side. Pure."""

from itertools import pairwise

from rich.cells import cell_len

# A line begins with none of these (see JIS X 4051 and the W3C's requirements for Chinese layout).
_NOT_FIRST = frozenset("。，、；：？！）》」』】〕”’…—·,.;:?!)]}%")
# And ends with none of these.
_NOT_LAST = frozenset("（《「『【〔“‘([{")
_WIDE = 2


def wrapped(text: str, *, width: int, indent: int = 0) -> list[str]:
    """Return a text in lines that fit into a width; all but the first stand behind the indent."""
    cuts = [0, *breaks(text, width=width, indent=indent), len(text)]
    return [text[start:end].rstrip() for start, end in pairwise(cuts)]


def breaks(text: str, *, width: int, indent: int) -> list[int]:
    """Return the offsets at which a text is cut, so that each piece fits into a width.

    All pieces but the first stand behind the indent. A piece may be broken after a space and
    beside a wide character; a word that is longer than a line is cut anywhere.
    """
    found: list[int] = []
    start = 0
    room = width
    while (end := _reach(text, start, room=room)) < len(text):
        cut = next((n for n in range(end, start, -1) if _may_break(text, n)), end)
        found.append(cut)
        start = cut
        room = max(width - indent, _WIDE)
    return found


def _reach(text: str, start: int, *, room: int) -> int:
    """Return how far a line goes; trailing spaces take no room."""
    cells = 0
    for number in range(start, len(text)):
        cells += cell_len(text[number])
        if cells > room and text[number] != " ":
            return max(number, start + 1)
    return len(text)


def _may_break(text: str, offset: int) -> bool:
    before, after = text[offset - 1], text[offset : offset + 1]
    if after in _NOT_FIRST or before in _NOT_LAST or after == " ":
        return False
    is_between_wide = cell_len(before) == _WIDE or cell_len(after) == _WIDE
    return before == " " or is_between_wide
