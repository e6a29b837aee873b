"""Names of things: one type for each, so that no two can be mixed up; and names from content."""

from collections.abc import Callable
from importlib import import_module
from typing import NewType, Protocol

ThreadId = NewType("ThreadId", str)
TurnId = NewType("TurnId", str)
EventId = NewType("EventId", str)
CandidateId = NewType("CandidateId", str)
ItemId = NewType("ItemId", str)
EpisodeId = NewType("EpisodeId", str)
JobId = NewType("JobId", int)


class _Digest(Protocol):
    def hexdigest(self) -> str: ...


def digest(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal digits; half characters count, too."""
    return _sha256()(text.encode("utf-8", "surrogatepass")).hexdigest()


def _sha256() -> Callable[[bytes], _Digest]:
    # `hashlib` takes longer to load than nearly anything else that a prompt waits for, because
    # it asks OpenSSL first. The first two are what it falls back to, in Python 3.12 and 3.11.
    for name in ("_sha2", "_sha256", "hashlib"):
        try:
            found: Callable[[bytes], _Digest] = import_module(name).sha256
        except ImportError:
            continue
        return found
    raise ImportError("there is no SHA-256")
