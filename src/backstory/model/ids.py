"""Names of things: one type for each, so that no two can be mixed up; and names from content."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NewType

from backstory.model.errors import NotFoundError

if TYPE_CHECKING:
    from typing import Protocol, TypeVar

    _Id = TypeVar("_Id", bound=str)

    class _Digest(Protocol):
        def hexdigest(self) -> str: ...


ThreadId = NewType("ThreadId", str)
TurnId = NewType("TurnId", str)
EventId = NewType("EventId", str)
CandidateId = NewType("CandidateId", str)
ItemId = NewType("ItemId", str)
EpisodeId = NewType("EpisodeId", str)
JobId = NewType("JobId", int)

# Whose names begin so is an episode.
EPISODE_LETTER = "e"
# What may stand for an id: so much after its underscore that nobody types it by accident.
BEGINNING_CHARS_MIN = 4


def meant(name: str, found: "Sequence[_Id]", *, what: str) -> "_Id":
    """Return the one id that is meant by an id, or by enough of its beginning to be no accident.

    `found` are the ids that begin so. Raises `NotFoundError`, which lists what could be meant.
    """
    if name in found:
        return found[found.index(name)]
    if not found or not name:
        raise NotFoundError(f"there is no {what} {name!r} in this project")
    listed = ", ".join(found)
    if len(name.partition("_")[2]) < BEGINNING_CHARS_MIN:
        raise NotFoundError(
            f"{name!r} is too little of an id: it could be {listed}; "
            f"give all of it, or at least {BEGINNING_CHARS_MIN} characters after the underscore"
        )
    if len(found) > 1:
        raise NotFoundError(f"{name!r} could be any of {listed}: give more of the id")
    return found[0]


def digest(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal digits; half characters count, too."""
    return _sha256()(text.encode("utf-8", "surrogatepass")).hexdigest()


def _sha256() -> "Callable[[bytes], _Digest]":
    # `hashlib` takes longer to load than nearly anything else that a prompt waits for, because
    # it asks OpenSSL first. The first two are what it falls back to, in Python 3.12 and 3.11.
    for name in ("_sha2", "_sha256", "hashlib"):
        try:
            found: Callable[[bytes], _Digest] = import_module(name).sha256
        except ImportError:
            continue
        return found
    raise ImportError("there is no SHA-256")
