"""Reading values out of records of other programs, which may hold anything anywhere."""

import codecs
import hashlib
import json
import re
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from backstory.adapters.importers.turns import BadLineError, Record
from backstory.capture.redact import redact
from backstory.model.errors import UnreadableInputError
from backstory.record import without_half_characters

_COMMAND_CHARS_MAX = 1_000  # a longer one carries a file's text, which is not ours to keep
_MILLISECONDS_MAX = 2**53  # beyond what numbers of JSON can tell apart
EXIT_CODE = re.compile(r"^\s*(?:Error: )?Exit code:? (-?\d{1,5})\b", re.IGNORECASE)


def refuse_wide(path: Path, head: bytes) -> None:
    """Raise `UnreadableInputError` where a file is UTF-16, as programs of Windows may write it."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableInputError(f"{path} is UTF-16 text; save it as UTF-8 first")


def record_of(line: bytes | bytearray) -> Record | None:
    """Return the JSON object of a line, or None where the line is blank."""
    if not line or line.isspace():
        return None
    try:
        # Decoded here: `json.loads` would first look for UTF-16, which no host writes.
        value = json.loads(line.decode("utf-8").removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise BadLineError(f"is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise BadLineError("is JSON, but no object")
    return value


def dict_of(value: object) -> Record:
    """Return a JSON object, or an empty one where there is something else."""
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[Any]:
    """Return a JSON array, or an empty one where there is something else."""
    return value if isinstance(value, list) else []


def text_of(value: object) -> str:
    """Return a string, or an empty one where there is something else."""
    return value if isinstance(value, str) else ""


def milliseconds_of(value: object, *, default: int) -> int:
    """Return the time of an ISO 8601 timestamp or a number of milliseconds."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 < value < _MILLISECONDS_MAX else default
    try:
        moment = datetime.fromisoformat(text_of(value))
    except ValueError:
        return default
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0, int(moment.timestamp() * 1000))


@lru_cache(maxsize=4096)  # an agent runs the same few commands over and over
def kept_command(command: str) -> str:
    """Return a command as an event keeps it: of bounded length, and without secrets."""
    if len(command) > _COMMAND_CHARS_MAX:
        command = command[:_COMMAND_CHARS_MAX] + " …"
    return redact(without_half_characters(command)).text


def digest_of(text: str) -> str:
    """Return what tells one text from another inside a key."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
