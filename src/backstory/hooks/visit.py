"""One call of a hook and how far it got, so that whoever ends it knows what is left to save."""

from _thread import allocate_lock
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backstory.adapters.hosts.answers import Answer, written
from backstory.adapters.hosts.calls import HostCall
from backstory.hooks.reply import Reply

if TYPE_CHECKING:
    from backstory.adapters.project import Project

_SAVING = allocate_lock()


@dataclass(slots=True)
class Visit:
    """What is known of the call by now, and what it is answered."""

    reply: Reply
    env: Mapping[str, str]
    call: HostCall | None = None
    project: "Project | None" = None
    is_owed: bool = False  # something has to be recorded and is not yet

    def say(self, call: HostCall, answer: Answer) -> None:
        """Have an answer ready for the end, or for when the time is up."""
        if answer.notice:
            from backstory.adapters.language import notice_in_force  # noqa: PLC0415 - seldom

            told = notice_in_force(answer.notice, env=self.env)
            answer = Answer(context=answer.context, notice=told)
        self.reply.text = written(call, answer)

    def save(self) -> None:
        """Put what is not recorded into the spool.

        Who calls this while another thread is at it waits for that: both end the process.
        """
        with _SAVING:
            if self.is_owed and self.call is not None and self.project is not None:
                from backstory.adapters.hosts import spool  # noqa: PLC0415 - hardly ever needed

                self.is_owed = False
                with suppress(OSError):
                    spool.put(self.project.state_dir, self.call)

    def passed_over(self, because: str) -> None:
        """Note for `status` why memory had no part in this, where the project has a memory."""
        if self.call is not None and self.project is not None:
            from backstory.adapters.hosts import silences  # noqa: PLC0415 - seldom needed

            silences.note(self.project.state_dir, because, at_ms=self.call.at_ms)
