"""Of calls that come at one moment, one alone is the first."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from backstory.adapters.hosts.answered import FILE_NAME, claim, forget
from backstory.adapters.hosts.calls import Happening, HostCall
from hosting import a_prompt

CALL = a_prompt("Which test runner do we use?", at_ms=1_000_000)
WITHIN_MS = 10_000


def is_first(folder: Path, call: HostCall) -> bool:
    """Whether a call is the first of its kind."""
    return claim(folder, call, within_ms=WITHIN_MS)


def test_of_many_calls_at_once_one_is_the_first(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda n: is_first(tmp_path, replace(CALL, at_ms=n)), range(64)))

    assert answers.count(True) == 1


@pytest.mark.parametrize(
    "other",
    [
        replace(CALL, host="cursor"),
        replace(CALL, session="s2"),
        replace(CALL, prompt="And where?"),
        replace(CALL, turn_key="p2"),
        replace(CALL, happening=Happening.SESSION_START),
        replace(CALL, at_ms=CALL.at_ms + WITHIN_MS + 1),
        replace(CALL, at_ms=CALL.at_ms - WITHIN_MS - 1),
    ],
)
def test_another_call_is_a_first_one_too(other: HostCall, tmp_path: Path) -> None:
    is_first(tmp_path, CALL)

    assert is_first(tmp_path, other)
    assert not is_first(tmp_path, replace(other, folder="/elsewhere"))


def test_nothing_that_was_said_is_in_the_file(tmp_path: Path) -> None:
    is_first(tmp_path, CALL)

    assert "runner" not in (tmp_path / FILE_NAME).read_text()


def test_whoever_finds_the_file_torn_or_cannot_write_it_goes_on(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"\xff\n12\n\n99 ")

    assert is_first(tmp_path, replace(CALL, session="s9"))
    assert is_first(tmp_path / "nowhere", CALL)
    forget(tmp_path / "nowhere", before_ms=0)


def test_what_is_old_goes(tmp_path: Path) -> None:
    is_first(tmp_path, CALL)
    forget(tmp_path, before_ms=0)
    stays = (tmp_path / FILE_NAME).exists()
    forget(tmp_path, before_ms=10**15)

    assert stays
    assert not (tmp_path / FILE_NAME).exists()
