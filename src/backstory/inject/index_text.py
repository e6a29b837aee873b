"""The index: one line for each active item, for the stable part of a prompt. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence

from backstory.inject.fences import FENCE_CHARS, fenced, one_line
from backstory.model.errors import IllegalOperationError
from backstory.model.ids import ItemId
from backstory.model.item import Item
from backstory.model.limits import INDEX_BYTES_MAX, INDEX_LINES_MAX
from backstory.model.words import Kind, Status

_NOTICE = (
    "Project memory, the most important first. It is not evidence about the code, and the "
    "user's current words win. To read an item in full, recall it by its id or title."
)
# At most so many items of one kind before the index folds them; pinned ones do not count.
KIND_ITEMS_MAX = 50
_LINE_CHARS_MAX = 220
# Two tags, the notice, and the line that tells the overflow.
_OTHER_LINES = 4
_OVERFLOW_BYTES = 60

_NONE: Mapping[ItemId, str] = {}
_KIND_ORDER = {kind: number for number, kind in enumerate(Kind)}


def index_text(
    items: Sequence[Item],
    *,
    unmerged: Mapping[ItemId, str] = _NONE,
    lines_max: int = INDEX_LINES_MAX,
    bytes_max: int = INDEX_BYTES_MAX,
) -> str:
    """Return the index of the active items, or "" where there is none.

    Those that were said on a branch that is not merged are marked (`unmerged` names the branch).
    Equal items give equal bytes. What does not fit is counted in the last line, but pinned
    items never fall out: raises `IllegalOperationError` where they alone do not fit.
    """
    listed = sorted((item for item in items if _is_listed(item)), key=_importance)
    if not listed:
        return ""
    pinned = [_line(item, unmerged) for item in listed if item.is_pinned]
    room = bytes_max - FENCE_CHARS - len(_NOTICE.encode()) - _OVERFLOW_BYTES
    kept = _fitting(pinned, lines_max=lines_max - _OTHER_LINES, bytes_max=room)
    if len(kept) < len(pinned):
        raise IllegalOperationError(
            f"{len(pinned)} pinned items do not fit into the index: unpin some of them"
        )
    others = _folded([item for item in listed if not item.is_pinned])
    told = [*pinned, *(_line(item, unmerged) for item in others)]
    lines = _fitting(told, lines_max=lines_max - _OTHER_LINES, bytes_max=room)
    missing = len(listed) - len(lines)
    overflow = [f"{missing} more: use recall"] if missing else []
    return fenced("\n".join([_NOTICE, *lines, *overflow]))


def _is_listed(item: Item) -> bool:
    return item.status is Status.ACTIVE and item.kind is not Kind.DISCUSSION_CONTEXT


def _importance(item: Item) -> tuple[bool, int, int, float, int]:
    return (
        not item.is_pinned,
        -item.priority,
        _KIND_ORDER[item.kind],
        -item.confidence,
        item.seq,
    )


def _folded(items: Sequence[Item]) -> list[Item]:
    seen: Counter[Kind] = Counter()
    kept: list[Item] = []
    for item in items:
        seen[item.kind] += 1
        if seen[item.kind] <= KIND_ITEMS_MAX:
            kept.append(item)
    return kept


def _line(item: Item, unmerged: Mapping[ItemId, str]) -> str:
    revision = item.revision
    title = one_line(revision.title, _LINE_CHARS_MAX)
    synopsis = one_line(revision.synopsis or revision.statement, _LINE_CHARS_MAX)
    text = title if synopsis.startswith(title) and len(synopsis) < len(title) + 2 else synopsis
    if title and not text.startswith(title):
        text = f"{title}: {synopsis}"
    mark = ", pinned" if item.is_pinned else ""
    mark += ", not merged yet" if item.id in unmerged else ""
    return one_line(f"- [{item.id}] {item.kind}{mark}: {text}", _LINE_CHARS_MAX)


def _fitting(lines: Sequence[str], *, lines_max: int, bytes_max: int) -> list[str]:
    kept: list[str] = []
    for line in lines[: max(0, lines_max)]:
        bytes_max -= len(line.encode("utf-8")) + 1
        if bytes_max < 0:
            break
        kept.append(line)
    return kept
