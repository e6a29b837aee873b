"""Telling what stands in the holes of a sentence, from the words around them. Pure."""

from collections.abc import Sequence


def held_by(pieces: Sequence[str], text: str) -> tuple[str, ...] | None:
    """Return what stands between these pieces, or None where the text is not made of them.

    It is empty where there is more than one way: the first places at which the pieces can
    stand are then not the last ones.
    """
    first, *inner, last = pieces
    start, end = len(first), len(text) - len(last)
    if end < start or not (text.startswith(first) and text.endswith(last)):
        return None
    earliest = _places(inner, text[start:end])
    if earliest is None:
        return None
    if earliest != _last_places(inner, text[start:end]):
        return ()
    edges = [
        0,
        *(
            edge
            for at, piece in zip(earliest, inner, strict=True)
            for edge in (at, at + len(piece))
        ),
        end - start,
    ]
    between = text[start:end]
    return tuple(between[edges[n] : edges[n + 1]] for n in range(0, len(edges), 2))


def _places(pieces: Sequence[str], text: str) -> list[int] | None:
    """Return where each piece stands, each as early as can be, or None."""
    found: list[int] = []
    start = 0
    for piece in pieces:
        at = text.find(piece, start)
        if at < 0:
            return None
        found.append(at)
        start = at + len(piece)
    return found


def _last_places(pieces: Sequence[str], text: str) -> list[int]:
    """Return where each piece stands, each as late as can be; somewhere they do."""
    found: list[int] = []
    end = len(text)
    for piece in reversed(pieces):
        at = text.rfind(piece, 0, end)
        found.append(at)
        end = at
    return found[::-1]
