"""A command that failed and one like it that worked are a lesson, and nothing else is."""

import pytest

from backstory.episodes.lessons import lessons
from backstory.model.event import Event
from backstory.model.ids import EventId
from backstory.model.limits import MINUTE_MS
from backstory.model.words import EventKind


def commands(*ran: tuple[str, int], minutes: int = 1) -> list[Event]:
    return [
        Event(
            id=EventId(f"ev_{number}"),
            seq=number + 1,
            kind=EventKind.COMMAND,
            at_ms=number * minutes * MINUTE_MS,
            recorded_at_ms=0,
            payload={"command": command, "exit_code": code},
            text=f"$ {command}\nexit code {code}",
            origin="test",
            thread_id=None,
            turn_id=None,
            branch=None,
        )
        for number, (command, code) in enumerate(ran)
    ]


def statements(events: list[Event]) -> list[str]:
    return [lesson.statement for lesson in lessons(events)]


@pytest.mark.promise("R99")
def test_what_worked_instead_is_the_lesson() -> None:
    ran = commands(("npm test", 1), ("ls", 0), ("pnpm test", 0), ("npm test", 1), ("pnpm test", 0))

    assert statements(ran) == ["Use `pnpm test`: `npm test` exits with code 1"]


@pytest.mark.parametrize(
    "ran",
    [
        [("make test", 2), ("make test", 0)],  # the code was mended, not the command
        [("make test", 2), ("git commit", 0)],  # another matter
        [("make test", 130), ("make tests", 0)],  # ended by the user
        [("grep foo a.py", 1), ("grep foo b.py", 0)],  # looking around
        [("make test", 0), ("make tests", 0)],
        [("make test", 2), ("make tests", 2)],
        [("", 1), ("", 0)],
        [("echo 'unclosed", 1), ("echo closed", 0)],
    ],
)
def test_what_teaches_nothing_is_no_lesson(ran: list[tuple[str, int]]) -> None:
    assert statements(commands(*ran)) == []


def test_what_worked_much_later_is_another_matter() -> None:
    assert statements(commands(("npm test", 1), ("pnpm test", 0), minutes=21)) == []
