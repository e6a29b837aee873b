"""The answer of a turn, for a host whose hooks tell only where it is written.

Copilot CLI 1.0 hands over the path of its session's events, a JSON object a line; what it
answered is in the last `assistant.message` before the hook.
"""

import json
import os
import time
from collections.abc import Callable
from dataclasses import replace

from backstory.adapters.hosts.calls import Happening, HostCall

# Of the end of the file so much is read: an answer that is longer stays unknown.
_BYTES_MAX = 512 * 1024
_TRIES = 8
_BETWEEN_TRIES_S = 0.04
_EVENTS = ("assistant.message", "user.message")


def with_answer(call: HostCall, *, pause: Callable[[float], None] = time.sleep) -> HostCall:
    """Return the call with the answer that ended its turn, where the host wrote it down only.

    The host writes while the hook starts, so that it is looked for again for a third of a second.
    """
    is_wanted = call.host == "copilot" and call.happening is Happening.ANSWER
    if not (is_wanted and call.transcript and not call.answer):
        return call
    answer = _last_answer(_end_of(call.transcript))
    for _ in range(_TRIES):
        if answer:
            break
        pause(_BETWEEN_TRIES_S)
        answer = _last_answer(_end_of(call.transcript))
    return replace(call, answer=answer)


def _last_answer(lines: list[bytes]) -> str:
    for line in reversed(lines):
        if not any(event.encode() in line for event in _EVENTS):
            continue
        try:
            event = json.loads(line)
            kind, content = event["type"], event["data"].get("content", "")
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        if kind == "user.message":
            return ""
        # A message that only calls tools is empty.
        if kind == "assistant.message" and isinstance(content, str) and content.strip():
            return content
    return ""


def _end_of(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib need not be loaded for it
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _BYTES_MAX))
            return file.read(_BYTES_MAX).splitlines()
    except (OSError, ValueError):
        return []
