"""Adding to a JSON file and taking away again, with every other byte left as it is."""

import json
import re
from collections.abc import Callable, Sequence

from backstory.adapters.installing.jsonc import Node, parse, value_of
from backstory.model.errors import UnreadableInputError

_INDENT = re.compile(r"\n([ \t]+)\S")


def added(text: str, path: Sequence[str], *, value: object, to_list: bool = False) -> str:
    """Return the text with a value at a path; objects on the way are made.

    With `to_list` the value becomes the last one of the list at the path.
    Raises `UnreadableInputError` where something else stands on the way.
    """
    if not text.strip("\ufeff \t\r\n"):
        text = f"{text}{{}}\n"
    node = parse(text)
    for place, key in enumerate(path):
        if node.kind != "{":
            raise UnreadableInputError(f"{'.'.join(path[:place])} is no object")
        child = node.child(key)
        if child is None:
            wrapped: object = [value] if to_list else value
            for name in reversed(path[place + 1 :]):
                wrapped = {name: wrapped}
            return _with_child(text, node, key=key, value=wrapped)
        node = child
    if not to_list:
        return text[: node.value_start] + _rendered(text, node, value=value) + text[node.end :]
    if node.kind != "[":
        raise UnreadableInputError(f"{'.'.join(path)} is no list")
    return _with_child(text, node, key=None, value=value)


def removed(
    text: str, path: Sequence[str], *, is_ours: Callable[[object], bool], stays: int = 0
) -> str:
    """Return the text without what is ours at a path, and without what that leaves empty.

    At the path stands a list whose parts are looked at, or one value. Of the path, the first
    `stays` keys stay even where they hold nothing any more.
    """
    if not text.strip():
        return text
    chain = [parse(text)]
    for key in path:
        child = chain[-1].child(key) if chain[-1].kind == "{" else None
        if child is None:
            return text
        chain.append(child)
    target = chain[-1]
    if target.kind == "[":
        ours = [part for part in target.children if is_ours(value_of(text, part))]
        if not ours:
            return text
        if len(ours) == len(target.children) and stays < len(path):
            return _without_branch(text, chain, stays=stays)
        rest = _without_child(text, target, child=ours[-1])
        return removed(rest, path, is_ours=is_ours, stays=stays)
    is_gone = is_ours(value_of(text, target))
    return _without_branch(text, chain, stays=stays) if is_gone else text


def removed_within(
    text: str, path: Sequence[str], *, key: str, is_ours: Callable[[object], bool]
) -> str:
    """Return the text without what is ours in a list that parts of the list at a path hold.

    A part that held nothing else stays: it is for `removed` to take out as a whole.
    """
    target = _at(text, path)
    for part in [] if target is None or target.kind != "[" else target.children:
        inner = part.child(key) if part.kind == "{" else None
        children = [] if inner is None or inner.kind != "[" else inner.children
        ours = [one for one in children if is_ours(value_of(text, one))]
        if inner is not None and ours and len(ours) < len(children):
            rest = _without_child(text, inner, child=ours[-1])
            return removed_within(rest, path, key=key, is_ours=is_ours)
    return text


def with_blanks_of(original: str, text: str, *, path: Sequence[str]) -> str:
    """Return the text with objects and lists on a path as empty as they were before."""
    for depth in range(len(path) + 1):
        was = _at(original, path[:depth]) if original.strip() else None
        now = _at(text, path[:depth])
        if was is None or now is None or was.children or now.children or was.kind != now.kind:
            continue
        blank = original[was.value_start + 1 : was.end - 1]
        if was.kind and not text[now.value_start + 1 : now.end - 1].strip():
            text = text[: now.value_start + 1] + blank + text[now.end - 1 :]
    return text


def depth_of(text: str, path: Sequence[str]) -> int:
    """Return how many keys of a path are there."""
    return next((n for n in range(len(path), 0, -1) if found(text, path[:n]) is not None), 0)


def found(text: str, path: Sequence[str]) -> object:
    """Return what stands at a path, or None."""
    node = _at(text, path)
    return None if node is None else value_of(text, node)


def _at(text: str, path: Sequence[str]) -> Node | None:
    node = parse(text) if text.strip("\ufeff \t\r\n") else None
    for key in path:
        node = node.child(key) if node is not None and node.kind == "{" else None
    return node


def _without_branch(text: str, chain: Sequence[Node], *, stays: int) -> str:
    """Remove the last of a chain of nodes, and those above it that held nothing else."""
    place = len(chain) - 1
    while place > stays + 1 and len(chain[place - 1].children) == 1:
        place -= 1
    return _without_child(text, chain[place - 1], child=chain[place])


def _with_child(text: str, parent: Node, *, key: str | None, value: object) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    closing = parent.end - 1
    last = parent.children[-1] if parent.children else None
    indent = _indent_of(text, parent.value_start) + unit
    if last is not None and "\n" in text[parent.value_start : last.start]:
        indent = _indent_of(text, last.start)
    body = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + indent)
    new = f"{json.dumps(key, ensure_ascii=False)}: {body}" if key is not None else body
    rest = text[closing:]
    if last is None:
        inner = text[parent.value_start + 1 : closing].rstrip()
        outer = _indent_of(text, parent.value_start)
        head = text[: parent.value_start + 1] + inner
        return f"{head}{newline}{indent}{new}{newline}{outer}{rest}"
    has_comma = _comma_after(text, last.end, limit=closing) is not None
    head = text[: last.end] + ("" if has_comma else ",") + text[last.end : closing].rstrip()
    space = text[len(text[:closing].rstrip()) : closing]
    is_spread = "\n" in text[parent.value_start : last.start] or "\n" in space
    separator = newline + indent if is_spread else " "
    return f"{head}{separator}{new}{',' if has_comma else ''}{space}{rest}"


def _without_child(text: str, parent: Node, *, child: Node) -> str:
    closing = parent.end - 1
    place = parent.children.index(child)
    start = len(text[: child.start].rstrip())
    comma = _comma_after(text, child.end, limit=closing)
    end = child.end if comma is None else comma + 1
    if len(parent.children) == 1:
        inner = text[parent.value_start + 1 : start] + text[end:closing]
        return text[: parent.value_start + 1] + (inner if inner.strip() else "") + text[closing:]
    head = text[:start]
    if comma is None:
        before = parent.children[place - 1].end
        behind = _comma_after(text, before, limit=child.start)
        assert behind is not None
        head = text[:behind] + text[behind + 1 : start]
    return head + text[end:]


def _comma_after(text: str, at: int, *, limit: int) -> int | None:
    """Return where the comma behind a part is, past comments, or None."""
    match = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*,", re.DOTALL).match(text, at, limit)
    return match.end() - 1 if match else None


def _rendered(text: str, node: Node, *, value: object) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    body = json.dumps(value, indent=_unit(text), ensure_ascii=False)
    return body.replace("\n", newline + _indent_of(text, node.start))


def _unit(text: str) -> str:
    match = _INDENT.search(text)
    return match.group(1) if match else "  "


def _indent_of(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
