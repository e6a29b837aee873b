"""Commands that were run, as events: those that run tests are test runs."""

from dataclasses import dataclass
from functools import lru_cache

from backstory.capture.redact import redact
from backstory.capture.runners import RanTests, ran_tests
from backstory.model.words import EventKind
from backstory.record.verbatim import without_half_characters

# A longer one carries a file's text, which is not ours to keep.
COMMAND_CHARS_MAX = 1_000
# What is shown of a command lies far before this end, whatever is replaced in it.
_REDACTED_CHARS_MAX = 16 * COMMAND_CHARS_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldCommand:
    """A command as an event tells it: its kind, and its payload with secrets replaced."""

    kind: EventKind
    payload: dict[str, object]


def told_command(command: str, exit_code: int, *, tests: RanTests | None = None) -> ToldCommand:
    """Return how a command and its exit code are recorded.

    `tests` is what is known of the tests that it ran, where somebody saw its output; otherwise
    the command alone tells. Of the output nothing is kept but two numbers.
    """
    command = without_half_characters(command)
    ran = tests or _tests_of(command)
    payload: dict[str, object] = {"command": _shown(command), "exit_code": exit_code}
    if ran is None:
        return ToldCommand(kind=EventKind.COMMAND, payload=payload)
    payload["runner"] = ran.runner
    if ran.passed is not None and ran.failed is not None:
        payload |= {"passed": ran.passed, "failed": ran.failed}
    return ToldCommand(kind=EventKind.TEST_RUN, payload=payload)


def _shown(command: str) -> str:
    # Redacted before it is cut: half of a secret is not known as one any more.
    told = redact(command[:_REDACTED_CHARS_MAX]).text
    is_whole = len(told) <= COMMAND_CHARS_MAX and len(command) <= _REDACTED_CHARS_MAX
    return told if is_whole else f"{told[:COMMAND_CHARS_MAX]} …"


@lru_cache(maxsize=1_024)  # people and agents run the same few commands over and over
def _tests_of(command: str) -> RanTests | None:
    return ran_tests(command)
