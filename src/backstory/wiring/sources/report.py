"""What is recorded here and from where, for a person to see."""

from collections import defaultdict

from backstory.adapters.hosts.spool import FOLDER_NAME
from backstory.adapters.sources.shell_lines import count
from backstory.model.answers import SourceReport
from backstory.model.words import EventKind, Source
from backstory.ports.store import Tables
from backstory.wiring.desk import Desk
from backstory.wiring.sources.shell import ORIGIN as SHELL_ORIGIN

_BY_KIND = {
    EventKind.COMMIT: Source.GIT,
    EventKind.COMMAND: Source.COMMANDS,
    EventKind.TEST_RUN: Source.COMMANDS,
    EventKind.FILE_SAVED: Source.FILES,
    EventKind.TICKET_CLOSED: Source.TICKETS,
}


def sources_of(
    tables: Tables, desk: Desk, *, turns: int, commits: int
) -> tuple[SourceReport, ...]:
    """Return each source with whether it is on and what has come from it.

    Git is one only of a project that is a repository.
    """
    recorded: dict[Source, int] = defaultdict(int)
    recorded |= {Source.CONVERSATIONS: turns, Source.GIT: commits}
    last: dict[Source, int] = {}
    for (kind, origin), (number, last_at_ms) in tables.events.tallies().items():
        source = Source.SHELL if origin == SHELL_ORIGIN else _BY_KIND[kind]
        recorded[source] += number
        last[source] = max(last.get(source, 0), last_at_ms)
    waiting = count(desk.project.state_dir / FOLDER_NAME)
    return tuple(
        SourceReport(
            source=source,
            is_on=desk.choices.captures(source),
            recorded=recorded[source],
            last_at_ms=last.get(source),
            waiting=waiting if source is Source.SHELL else 0,
        )
        for source in Source
        if source is not Source.GIT or desk.project.git_dir is not None
    )
