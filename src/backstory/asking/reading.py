"""The JSON in what a model says: read tolerantly, whatever stands around it."""

import json
import re
from collections.abc import Iterator

# Beyond this, a reply is not one that our output limits allow.
READ_CHARS_MAX = 200_000
# How many places are tried where JSON may begin; prose holds few braces.
_BEGINNINGS_MAX = 60
_THINKING_END = re.compile(r"</(?:think|thinking|thought|reasoning)\s*>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n(.*?)^[ \t]*(?:```|~~~)", re.DOTALL | re.MULTILINE)
_OPENING_FENCE = re.compile(r"^\s*(?:```|~~~)[^\n]*\n")
_DECODER = json.JSONDecoder()

Json = dict[str, object] | list[object]


def json_in(text: str) -> Json | None:
    """Return the object or list in a reply, or None where there is none.

    Thinking before it, a fence around it, words before and after it and a string that holds it
    are all passed over. Where there are several, the first that is not empty counts.
    """
    text = _after_thinking(text[:READ_CHARS_MAX].lstrip("\ufeff"))
    empty: Json | None = None
    for found in _found_in(text):
        if found:
            return found
        empty = found if empty is None else empty
    return empty


def _after_thinking(text: str) -> str:
    end = 0
    for match in _THINKING_END.finditer(text):
        end = match.end()
    rest = text[end:]
    return rest if rest.strip() else text


def _found_in(text: str) -> Iterator[Json]:
    for part in (text, *_FENCE.findall(text), _OPENING_FENCE.sub("", text)):
        whole = _loaded(part)
        if whole is not None:
            yield whole
    yield from _embedded(text)


def _embedded(text: str) -> Iterator[Json]:
    at = 0
    for _ in range(_BEGINNINGS_MAX):
        begin = min((i for i in (text.find("{", at), text.find("[", at)) if i >= 0), default=-1)
        if begin < 0:
            return
        try:
            value, at = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            at = begin + 1
            continue
        if isinstance(value, dict | list):
            yield value


def _loaded(text: str) -> Json | None:
    value = _decoded(text)
    if isinstance(value, str):
        value = _decoded(value)
    return value if isinstance(value, dict | list) else None


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def entries_of(found: Json, name: str, *, single: str) -> list[object] | None:
    """Return the list that a reply holds under a name, or None where it holds no such thing.

    A list that came alone is taken for it, and so is one object of the list, told by its member
    `single`.
    """
    if isinstance(found, list):
        return found
    if name not in found:
        return [found] if single in found else None
    entries = found[name]
    if entries is None:
        return []
    return entries if isinstance(entries, list) else [entries]
