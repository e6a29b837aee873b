"""What Copilot CLI answered is read where it wrote it, and only there."""

import json
from pathlib import Path

import pytest

from backstory.adapters.hosts.calls import Happening, HostCall
from backstory.adapters.hosts.last_words import with_answer
from backstory.adapters.hosts.payloads import call_of


def event(kind: str, content: object) -> str:
    """Return a line of a session's events."""
    return json.dumps({"type": kind, "data": {"content": content}, "id": "e1"}) + "\n"


def stopped(transcript: Path, *, host: str = "copilot", **more: object) -> HostCall:
    """Return the call at the end of a turn, as Copilot CLI 1.0.102 sends it."""
    payload = {
        "sessionId": "s1",
        "timestamp": 1796048223786,
        "cwd": "/work",
        "transcriptPath": str(transcript),
        "stopReason": "end_turn",
        **more,
    }
    call = call_of(json.dumps(payload), host=host, event="agentStop", folder="/work", at_ms=1)
    assert call is not None
    return call


ASKED = event("user.message", "Which one?")


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (ASKED + event("assistant.message", "用 pytest。"), "用 pytest。"),
        (event("assistant.message", "An old one.") + ASKED, ""),
        (ASKED + event("assistant.message", "Yes.") + event("assistant.message", ""), "Yes."),
        (
            ASKED + event("assistant.message", "Yes.") + event("hook.start", "assistant.message"),
            "Yes.",
        ),
        (ASKED + event("assistant.message", "Yes.") + '{"type": "assistant.message", "da', "Yes."),
        (ASKED + event("assistant.message", ["no text"]) + "[1]\n", ""),
        ("", ""),
    ],
)
def test_the_answer_is_the_last_one_of_the_turn(
    events: str, expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text(events, encoding="utf-8")
    call = stopped(file)

    assert call.happening is Happening.ANSWER
    assert with_answer(call, pause=lambda _: None).answer == expected


def test_what_is_written_a_moment_later_is_found(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text(ASKED)

    def write(_seconds: float) -> None:
        with file.open("a") as events:
            events.write(event("assistant.message", "Done."))

    assert with_answer(stopped(file), pause=write).answer == "Done."


def test_of_a_long_session_the_end_is_read(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text(
        event("tool.execution_complete", "x" * 900_000) + event("assistant.message", "Done.")
    )

    assert with_answer(stopped(file)).answer == "Done."


def test_nothing_is_read_of_others_or_where_nothing_is(tmp_path: Path) -> None:
    file = tmp_path / "events.jsonl"
    file.write_text(event("assistant.message", "Done."))

    assert with_answer(stopped(tmp_path / "none"), pause=lambda _: None).answer == ""
    assert with_answer(stopped(file, response="Said.")).answer == "Said."
    assert with_answer(stopped(file, host="vscode")).answer == ""
