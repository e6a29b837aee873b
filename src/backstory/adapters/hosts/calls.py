"""What a hook was called for, in one form for all hosts.

Light: it is loaded at every prompt. Shapes are those that the programs were seen to send, or
that their documentation names; what is unknown is passed over and never an error.
"""

from dataclasses import dataclass
from enum import StrEnum


class Happening(StrEnum):
    """What a host says has happened."""

    SESSION_START = "session_start"
    PROMPT = "prompt"
    COMMAND = "command"
    ANSWER = "answer"
    SESSION_END = "session_end"


# Claude Code, Codex, VS Code · Gemini CLI · Cursor · Copilot CLI · Windsurf · Cline and its
# command line, by the letters of their names. What is not here is none of our business.
_HAPPENINGS = {
    **dict.fromkeys(
        ("sessionstart", "taskstart", "taskresume", "agentstart", "agentresume"),
        Happening.SESSION_START,
    ),
    **dict.fromkeys(
        (
            *("userpromptsubmit", "beforeagent", "beforesubmitprompt", "userpromptsubmitted"),
            *("preuserprompt", "promptsubmit"),
        ),
        Happening.PROMPT,
    ),
    **dict.fromkeys(
        (
            *("posttooluse", "posttoolusefailure", "aftertool", "aftershellexecution"),
            "postruncommand",
        ),
        Happening.COMMAND,
    ),
    **dict.fromkeys(
        (
            *("stop", "afteragent", "afteragentresponse", "agentstop", "postcascaderesponse"),
            *("taskcomplete", "agentend"),
        ),
        Happening.ANSWER,
    ),
    **dict.fromkeys(("sessionend", "taskcancel", "sessionshutdown"), Happening.SESSION_END),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HostCall:
    """One call of a hook.

    `host` is who really calls, `dialect` whose answers the caller understands: the same
    settings file may be run by several programs.
    """

    host: str
    dialect: str
    happening: Happening
    event: str  # as the host writes it
    session: str
    folder: str
    at_ms: int
    prompt: str = ""
    answer: str = ""
    turn_key: str = ""  # the host's own name for the turn, where it has one
    command: str | None = None
    exit_code: int | None = None
    runner: str = ""  # of a command that ran tests, where its output told how many
    passed: int | None = None
    failed: int | None = None
    tool_key: str = ""
    transcript: str = ""
    source: str = ""  # why a session starts; who a prompt is from
    is_subagent: bool = False
    is_scripted: bool = False  # as our own plugin tells; of other hosts it is found out


def happening_of(event: str) -> Happening | None:
    """Return what an event of any host's name is, or None where it does not matter here."""
    return _HAPPENINGS.get(event.replace("_", "").lower())
