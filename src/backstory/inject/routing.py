"""What a host needs to route a request: wishes, choices and the talk so far. Pure."""

from collections.abc import Sequence

from backstory.inject.fences import FENCE_CHARS, fenced, one_line
from backstory.inject.relevant import BOUNDARY
from backstory.model.item import Item
from backstory.model.limits import ROUTING_CHARS_MAX
from backstory.model.words import Kind, Status

# How many lines of each sort, in this order (requirements 115 and 128).
_SECTIONS: tuple[tuple[str, tuple[Kind, ...], int], ...] = (
    ("The user prefers", (Kind.USER_PREFERENCE,), 5),
    ("Decided", (Kind.PROJECT_DECISION, Kind.CODE_CONVENTION), 5),
    ("Known", (Kind.PROJECT_FACT, Kind.REFERENCE, Kind.TOOL_LESSON, Kind.FAILURE_LESSON), 5),
    ("Being discussed, not facts", (Kind.DISCUSSION_CONTEXT,), 3),
)
_LINE_CHARS_MAX = 200


def routing_text(items: Sequence[Item], *, chars_max: int = ROUTING_CHARS_MAX) -> str:
    """Return the most important active items by sort, or "" where there is none."""
    room = chars_max - FENCE_CHARS - len(BOUNDARY)
    lines: list[str] = []
    for heading, kinds, count in _SECTIONS:
        section = [f"{heading}:", *_lines(items, kinds, count=count)]
        for line in section if len(section) > 1 else ():
            if room < len(line) + 1:
                break
            lines.append(line)
            room -= len(line) + 1
    return fenced("\n".join([BOUNDARY, *lines])) if lines else ""


def _lines(items: Sequence[Item], kinds: tuple[Kind, ...], *, count: int) -> list[str]:
    chosen = [item for item in items if item.kind in kinds and item.status is Status.ACTIVE]
    chosen.sort(key=lambda item: (not item.is_pinned, -item.priority, -item.seq))
    return [
        one_line(
            f"- [{item.id}] {item.revision.synopsis or item.revision.statement}", _LINE_CHARS_MAX
        )
        for item in chosen[:count]
    ]
