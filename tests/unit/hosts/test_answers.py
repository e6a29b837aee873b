"""Every host is answered in its own form, and in no other."""

import json

import pytest

from backstory.adapters.hosts.answers import Answer, written
from backstory.adapters.hosts.calls import Happening, HostCall

SHOWN = Answer(context="remembered", notice="")


def call(dialect: str, *, happening: Happening = Happening.PROMPT, event: str = "E") -> HostCall:
    """Make a call of a host's hook."""
    return HostCall(
        host=dialect,
        dialect=dialect,
        happening=happening,
        event=event,
        session="s",
        folder="/",
        at_ms=1,
    )


@pytest.mark.case("C16")
@pytest.mark.parametrize("dialect", ["claude_code", "codex", "gemini"])
def test_context_stands_beside_the_name_of_the_event(dialect: str) -> None:
    answer = json.loads(written(call(dialect, event="UserPromptSubmit"), SHOWN))

    assert answer == {
        "hookSpecificOutput": {
            "hookEventName": "UserPromptSubmit",
            "additionalContext": "remembered",
        }
    }


@pytest.mark.case("C16")
def test_every_other_form_is_exact() -> None:
    start = Happening.SESSION_START
    answers = {
        "cursor prompt": {"additional_context": "remembered", "continue": True},
        "cursor start": {"additional_context": "remembered"},
        "vscode start": {
            "hookSpecificOutput": {"hookEventName": "E", "additionalContext": "remembered"}
        },
        "copilot prompt": {"additionalContext": "remembered"},
        "cline prompt": {
            "cancel": False,
            "contextModification": "remembered",
            "errorMessage": "",
        },
        "opencode prompt": {"context": "remembered", "notice": ""},
    }
    moments = {"prompt": Happening.PROMPT, "start": start}
    told = {
        name: json.loads(written(call(host, happening=moments[moment]), SHOWN))
        for name in answers
        for host, moment in [name.split()]
    }

    assert told == answers


@pytest.mark.case("C16")
@pytest.mark.parametrize("dialect", ["claude_code", "codex", "gemini", "vscode", "cursor"])
@pytest.mark.parametrize("happening", list(Happening))
def test_nothing_to_say_is_an_answer_that_changes_nothing(
    dialect: str, happening: Happening
) -> None:
    answer = json.loads(written(call(dialect, happening=happening), Answer()))

    assert answer in ({}, {"continue": True})


def test_context_is_left_out_where_the_host_takes_none() -> None:
    assert written(call("vscode"), SHOWN) == "{}\n"
    assert written(call("windsurf"), SHOWN) == ""
    assert written(call("claude_code", happening=Happening.ANSWER), SHOWN) == "{}\n"


@pytest.mark.case("C16")
def test_a_text_above_the_limit_is_left_out_whole() -> None:
    assert written(call("cursor"), Answer(context="x" * 9_001)) == '{"continue": true}\n'
    assert len(written(call("claude_code"), Answer(context="x" * 9_000))) > 9_000


@pytest.mark.case("C16")
def test_fields_of_codex_are_those_of_its_schema() -> None:
    allowed = {"continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason"}
    answer = json.loads(written(call("codex"), Answer(context="x", notice="told")))

    assert set(answer) <= allowed | {"hookSpecificOutput"}
    assert set(answer["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
