"""What may be kept of an error: its words without the request that it may echo, and without keys.

Pure. Servers often put the request into the body of an error (a validation error names its whole
input), so the body is masked by what was sent rather than trusted.
"""

import json
from collections.abc import Sequence

from backstory.capture.redact import redact

# Long enough that an error's own words do not occur in a prompt by chance, short enough that no
# readable part of a prompt stays.
_SHARED_CHARS = 24
_PROMPT_MARK = "[prompt]"
_KEY_MARK = "[key]"
_SCANNED_CHARS_MAX = 200_000
# Members of an error body that repeat what was sent.
_ECHO_NAMES = frozenset(
    {"input", "messages", "prompt", "request", "headers", "authorization", "api_key"}
)


def masked(text: str, *, sent: Sequence[str], key: str | None) -> str:
    """Return a text of an error without the key, without secrets and without what was sent."""
    text = text[:_SCANNED_CHARS_MAX]
    if key:
        text = text.replace(key, _KEY_MARK)
    return redact(_without_shared(text, sent)).text


def without_echo(body: object) -> object:
    """Return the body of an error without the members that repeat a request."""
    if isinstance(body, dict):
        return {
            name: without_echo(value)
            for name, value in body.items()
            if str(name).lower() not in _ECHO_NAMES
        }
    if isinstance(body, list):
        return [without_echo(value) for value in body]
    return body


def _without_shared(text: str, sent: Sequence[str]) -> str:
    shingles = {
        form[at : at + _SHARED_CHARS]
        for whole in sent
        for form in _forms(whole)
        for at in range(len(form) - _SHARED_CHARS + 1)
    }
    parts: list[str] = []
    at = kept_from = 0
    while at <= len(text) - _SHARED_CHARS:
        if text[at : at + _SHARED_CHARS] not in shingles:
            at += 1
            continue
        parts.append(text[kept_from:at])
        parts.append(_PROMPT_MARK)
        end = at + _SHARED_CHARS
        while end < len(text) and text[end - _SHARED_CHARS + 1 : end + 1] in shingles:
            end += 1
        at = kept_from = end
    parts.append(text[kept_from:])
    return "".join(parts)


def _forms(text: str) -> tuple[str, ...]:
    """Return a text as a server may echo it: as it is, or inside JSON with or without escapes."""
    escaped = (json.dumps(text), json.dumps(text, ensure_ascii=False), repr(text))
    return (text, *(form[1:-1] for form in escaped))
