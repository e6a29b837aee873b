"""How a screen tells what is recorded, and from where."""

import textwrap

from backstory.cli.render import Screen, counted, day
from backstory.model.answers import SourceReport
from backstory.model.words import Source

_WIDTH = 80
_INDENT = 9
# What begins each of them.
_BEGUN_BY = {
    Source.CONVERSATIONS: "install",
    Source.COMMANDS: "install",
    Source.GIT: "backfill",
    Source.SHELL: "shell",
    Source.FILES: "watch",
    Source.TICKETS: "tickets",
}


def tell_sources(screen: Screen, sources: tuple[SourceReport, ...]) -> None:
    """Write what is recorded, what could be, and what is switched off."""
    seen = [one for one in sources if one.is_on and one.recorded + one.waiting]
    unseen = [one for one in sources if one.is_on and not one.recorded + one.waiting]
    off = [one.source.value for one in sources if not one.is_on]
    if seen:
        _tell(screen, ", ".join(map(_told, seen)), head="records")
    if unseen:
        could = ", ".join(f"{one.source} (`{_BEGUN_BY[one.source]}`)" for one in unseen)
        _tell(screen, f"record {could}", head="could")
    if off:
        screen.line("off      ", (", ".join(off), "yellow"), indent=9)


def _tell(screen: Screen, words: str, *, head: str) -> None:
    lines = textwrap.wrap(words, _WIDTH - _INDENT, break_long_words=False)
    for line, before in zip(lines, (head, *[""] * len(lines)), strict=False):
        screen.line(f"{before:<{_INDENT}}{line}", indent=_INDENT)


def _told(one: SourceReport) -> str:
    waiting = f" and {counted(one.waiting, 'line')} to be stored" if one.waiting else ""
    last = f", last {day(one.last_at_ms)}" if one.last_at_ms is not None else ""
    return f"{one.source} ({one.recorded:,}{waiting}{last})"
