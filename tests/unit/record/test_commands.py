"""A command becomes an event that says what it was, without its secrets."""

import pytest

from backstory.capture.runners import RanTests
from backstory.model.words import EventKind
from backstory.record.commands import COMMAND_CHARS_MAX, told_command


def test_a_command_keeps_its_words_and_its_exit_code() -> None:
    told = told_command("make 构建", 2)

    assert told.kind is EventKind.COMMAND
    assert told.payload == {"command": "make 构建", "exit_code": 2}


@pytest.mark.promise("R64")
def test_a_command_that_runs_tests_is_a_test_run() -> None:
    told = told_command("uv run pytest -q", 1)

    assert told.kind is EventKind.TEST_RUN
    assert told.payload == {"command": "uv run pytest -q", "exit_code": 1, "runner": "pytest"}


def test_counts_are_kept_where_somebody_saw_them() -> None:
    told = told_command("pytest | tail", 0, tests=RanTests(runner="pytest", passed=3, failed=1))

    assert told.kind is EventKind.TEST_RUN
    assert (told.payload["passed"], told.payload["failed"]) == (3, 1)


def test_a_secret_in_a_command_is_replaced() -> None:
    told = told_command("curl -H 'Authorization: Bearer ghp_" + "a1B2" * 9 + "'", 0)

    assert "ghp_" not in str(told.payload["command"])
    assert "[REDACTED:" in str(told.payload["command"])


def test_a_long_command_is_cut_and_still_known_as_a_test_run() -> None:
    told = told_command("pytest " + "tests/a.py " * 500, 0)

    assert told.kind is EventKind.TEST_RUN
    assert len(str(told.payload["command"])) <= COMMAND_CHARS_MAX + 2


@pytest.mark.parametrize("shown", range(4, 40, 5))
def test_a_secret_that_lies_across_the_cut_is_replaced_whole(shown: int) -> None:
    before = "echo ".ljust(COMMAND_CHARS_MAX - shown, "x") + " "
    told = told_command(f"{before}ghp_{'a1B2' * 9} && make", 0)

    assert "ghp_" not in str(told.payload["command"])
