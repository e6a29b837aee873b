"""What can be wrong with Backstory in an agent, and what a person can do about it."""

from collections.abc import Mapping
from dataclasses import dataclass

# By the finding: what it means, and what to do.
ADVICE: Mapping[str, tuple[str, str]] = {
    "agent-not-installed": ("Backstory is in none of its settings", "backstory install {host}"),
    "agent-file-broken": ("a settings file cannot be read", "mend the file; the agent needs it"),
    "agent-program-gone": (
        "its settings name a program that is not there",
        "enter the present one: backstory install {host}",
    ),
    "agent-hooks-off": (
        "its own settings keep hooks from running",
        "change that setting, or do without hooks there",
    ),
    "agent-not-reviewed": (
        "Codex runs no hook that you have not reviewed",
        "start `codex` in a terminal: it says that hooks need review; look and trust them there",
    ),
    "agent-not-trusted": (
        "Codex reads a project's files only where you trust its folder",
        "start `codex` in this folder, and say that you trust it",
    ),
    "agent-memory-off": ("memory is off on this machine", "backstory on --machine"),
    "agent-bad-answer": (
        "a hook gives an answer that the agent would not take",
        "enter it anew: backstory install {host}; report it if that does not help",
    ),
    "agent-not-recorded": (
        "a prompt was not recorded",
        "run `backstory purpose` and `backstory status`: memory may be isolated, off or locked",
    ),
    "agent-not-shown": (
        "what is remembered was not shown",
        "run `backstory purpose` and `backstory status`: memory may be isolated, off or slow",
    ),
    "agent-not-passed-on": (
        "run by itself, the agent does not give its model what the hooks answer",
        "bring the agent and Backstory up to date; report it if that does not help",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong in one agent."""

    slug: str
    subject: str

    @property
    def meaning(self) -> str:
        """What it means."""
        return ADVICE[self.slug][0]

    def advice(self, host: str) -> str:
        """What to do about it."""
        return ADVICE[self.slug][1].format(host=host)
