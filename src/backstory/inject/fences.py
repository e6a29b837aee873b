"""The fence around what an agent is shown, which no content can close or forge. Pure."""

import re

from backstory.model.ids import digest

_NAME = "backstory-memory"

# A tag of ours, or one in which a host wraps what hooks say: inside the fence its angle
# bracket is replaced by one that looks alike and opens nothing.
_TAG = (
    r"(?i)<(?=\s*/?\s*(?:backstory-|system-reminder|system_reminder|hook_context|hook-context"
    r"|user-prompt-submit-hook|session-start-hook))"
)
# Control characters but for tab and line feed: a terminal would obey them. None is printable.
_CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"
_NONCE_CHARS = 16


def fenced(body: str) -> str:
    """Return a body between an opening and a closing tag with the same nonce.

    The nonce is a hash of the body, so that equal memory gives equal bytes; a body that
    went through `harmless` line by line cannot hold a tag at all.
    """
    nonce = digest(body)[:_NONCE_CHARS]
    return f'<{_NAME} nonce="{nonce}">\n{body}\n</{_NAME} nonce="{nonce}">'


FENCE_CHARS = len(fenced("")) + 1


def harmless(text: str) -> str:
    """Return a text in which no fence begins or ends, without control characters."""
    # Few texts need a pattern, and each takes time to make: a prompt waits for it.
    if not text.isprintable():
        text = re.sub(_CONTROLS, " ", text)
    return re.sub(_TAG, "‹", text) if "<" in text else text


def one_line(text: str, limit: int) -> str:
    """Return a harmless text on one line, cut to a number of characters."""
    return cut(" ".join(harmless(text).split()), limit)


def cut(text: str, limit: int) -> str:
    """Return at most so many characters, the last an ellipsis where some are missing."""
    if len(text) <= limit:
        return text
    return f"{text[: limit - 1].rstrip()}…" if limit > 0 else ""
