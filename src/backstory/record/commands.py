"""Commands that were run, as events: those that run tests are test runs."""

from dataclasses import dataclass
from functools import lru_cache

from backstory.capture.redact import redact
from backstory.capture.runners import RanTests, ran_tests
from backstory.model.words import EventKind
from backstory.record.verbatim import without_half_characters

# A longer one carries a file's text, which is not ours to keep.
COMMAND_CHARS_MAX = 1_000


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
    if len(command) > COMMAND_CHARS_MAX:
        command = command[:COMMAND_CHARS_MAX] + " …"
    payload: dict[str, object] = {"command": redact(command).text, "exit_code": exit_code}
    if ran is None:
        return ToldCommand(kind=EventKind.COMMAND, payload=payload)
    payload["runner"] = ran.runner
    if ran.passed is not None and ran.failed is not None:
        payload |= {"passed": ran.passed, "failed": ran.failed}
    return ToldCommand(kind=EventKind.TEST_RUN, payload=payload)


@lru_cache(maxsize=1_024)  # people and agents run the same few commands over and over
def _tests_of(command: str) -> RanTests | None:
    return ran_tests(command)
