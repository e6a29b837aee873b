"""Where the parts of a JSON file stand in its text: JSON as people write it, with comments."""

import json
import re
from dataclasses import dataclass, field

from backstory.model.errors import UnreadableInputError

_BLANK = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORD = re.compile(r"[^\s,\[\]{}:/\"]+")
_DEPTH_MAX = 100


@dataclass(slots=True, kw_only=True)
class Node:
    """One value in a text; of an object or array the values in it, in order."""

    start: int  # of a member: where its key begins
    value_start: int
    end: int
    kind: str  # "{", "[", or "" for anything else
    key: str | None = None
    children: list["Node"] = field(default_factory=list)

    def child(self, key: str) -> "Node | None":
        """Return the last member of this name, which is the one that programs take."""
        found = [child for child in self.children if child.key == key]
        return found[-1] if found else None


def parse(text: str) -> Node:
    """Return the one value of a text. Raises `UnreadableInputError` naming the place of a fault.

    Comments and a comma behind the last part are allowed.
    """
    node = _value(text, _skip(text, 0), depth=0)
    if _skip(text, node.end) != len(text):
        raise _fault(text, _skip(text, node.end))
    return node


def value_of(text: str, node: Node) -> object:
    """Return a value as Python has it."""
    if node.kind == "{":
        return {child.key: value_of(text, child) for child in node.children}
    if node.kind == "[":
        return [value_of(text, child) for child in node.children]
    return json.loads(text[node.value_start : node.end])


def _value(text: str, at: int, *, depth: int) -> Node:
    opening = text[at : at + 1]
    if opening in ("{", "[") and depth < _DEPTH_MAX:
        return _container(text, at, depth=depth)
    match = (_STRING if opening == '"' else _WORD).match(text, at)
    if match is None:
        raise _fault(text, at)
    try:
        json.loads(match.group())
    except ValueError as error:
        raise _fault(text, at) from error
    return Node(start=at, value_start=at, end=match.end(), kind="")


def _container(text: str, start: int, *, depth: int) -> Node:
    node = Node(start=start, value_start=start, end=start, kind=text[start])
    closing = "}" if node.kind == "{" else "]"
    at = _skip(text, start + 1)
    while text[at : at + 1] != closing:
        child = _child(text, at, kind=node.kind, depth=depth)
        node.children.append(child)
        at = _skip(text, child.end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise _fault(text, at)
    node.end = at + 1
    return node


def _child(text: str, at: int, *, kind: str, depth: int) -> Node:
    if kind == "[":
        return _value(text, at, depth=depth + 1)
    match = _STRING.match(text, at)
    colon = _skip(text, match.end()) if match else at
    if match is None or text[colon : colon + 1] != ":":
        raise _fault(text, at)
    child = _value(text, _skip(text, colon + 1), depth=depth + 1)
    child.start, child.key = at, json.loads(match.group())
    return child


def _skip(text: str, at: int) -> int:
    """Return where blanks and comments end."""
    match = _BLANK.match(text, at)
    assert match is not None
    return match.end()


def _fault(text: str, at: int) -> UnreadableInputError:
    line = text.count("\n", 0, at) + 1
    return UnreadableInputError(f"it is no JSON: line {line}, near {text[at : at + 20]!r}")
