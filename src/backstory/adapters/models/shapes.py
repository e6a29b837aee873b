"""How a reply's shape is asked for, and what is given up when a server rejects it."""

from collections.abc import Sequence
from enum import StrEnum

from backstory.model.job import FailureCause
from backstory.ports.model_client import Failure

# Extraction wants the likeliest words, not varied ones (requirement: 0 to 0.1).
_TEMPERATURE = 0.0
# How servers say that they do not take a request as it is (RFC 9110).
_REJECTED = frozenset({400, 422})
# llama-cpp-python's server fails with 500 over a shape that it does not know; its words tell.
_SHAPE_WORDS = ("response_format", "json_schema")
_SERVER_ERROR = 500


class Shape(StrEnum):
    """How the shape of the reply is asked for, strictest first."""

    SCHEMA = "json_schema"
    BARE_SCHEMA = "json_object with a schema"  # llama-cpp-python, Together and Fireworks
    OBJECT = "json_object"
    PROMPT = "prompt"  # by the words of the prompt alone


# A server may refuse each shape but the last, and the temperature, once.
ATTEMPTS_MAX = len(Shape) + 1


class Ladder:
    """Which of the shapes a server takes, learnt from what it rejects; kept for later requests."""

    def __init__(self) -> None:
        self.refused: frozenset[Shape] = frozenset()
        self.temperature: float | None = _TEMPERATURE

    def shape(self, offered: Sequence[Shape]) -> Shape:
        """Return the strictest of the offered shapes that was not refused."""
        return next((shape for shape in offered if shape not in self.refused), Shape.PROMPT)

    def loosen(self, failure: Failure, offered: Sequence[Shape]) -> bool:
        """Give up what the server rejected, and say whether there was anything left to give up."""
        words = f"{failure.diagnosis.message} {failure.diagnosis.body}".lower()
        if not _is_rejected(failure, words):
            return False
        if self.temperature is not None and "temperature" in words:
            self.temperature = None
            return True
        shape = self.shape(offered)
        if shape is Shape.PROMPT:
            return False
        self.refused |= {shape}
        return True


def _is_rejected(failure: Failure, words: str) -> bool:
    """Whether a server did not take the request as it is, by its status or by its own words."""
    status = failure.diagnosis.status
    if status == _SERVER_ERROR:
        return any(word in words for word in _SHAPE_WORDS)
    return failure.cause is FailureCause.MISCONFIGURED and status in _REJECTED
