"""Whether a script runs an agent is asked of the system where the agent does not tell it."""

import pytest

from backstory.adapters.hosts import scripted
from backstory.adapters.settings import Choices, Settings
from backstory.hooks.permitting import silence_of_script
from hosting import a_prompt

CHOICES = Choices(stated=Settings(), filed=Settings())


@pytest.mark.parametrize(
    ("host", "is_silent"), [("gemini", True), ("copilot", True), ("cursor", False)]
)
def test_a_host_that_does_not_tell_is_looked_up_among_the_processes(
    host: str, is_silent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted, "is_scripted", lambda _: True)
    call = a_prompt("Look around.", at_ms=0, host=host)

    assert (silence_of_script(call, env={}, choices=CHOICES) is not None) is is_silent
