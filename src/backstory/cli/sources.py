"""How a screen tells what is recorded, and from where."""

import textwrap
from collections.abc import Sequence

from backstory.cli.render import Screen, counted, day, joined, label, with_brackets
from backstory.cli.wrapping import wrapped
from backstory.model.answers import SourceReport
from backstory.model.words import Source
from backstory.speaking import is_chinese, said

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
    off = [said(one.source.value) for one in sources if not one.is_on]
    if seen:
        _tell(screen, joined(map(_told, seen)), head=label("records"))
    if unseen:
        could = joined(_begun(one.source) for one in unseen)
        _tell(screen, said(f"record {could}"), head=label("could"))
    if off:
        screen.line(label("off"), (joined(off), "yellow"), indent=9)


def _tell(screen: Screen, words: str, *, head: str) -> None:
    lines = _wrapped(words, _WIDTH - _INDENT)
    for line, before in zip(lines, (head, *[" " * _INDENT] * len(lines)), strict=False):
        screen.line(f"{before}{line}", indent=_INDENT)


def _wrapped(words: str, width: int) -> Sequence[str]:
    if not is_chinese():
        return textwrap.wrap(words, width, break_long_words=False)
    return wrapped(words, width=width)


def _begun(source: Source) -> str:
    name, command = said(source.value), f"`{_BEGUN_BY[source]}`"
    return with_brackets(name, command)


def _told(one: SourceReport) -> str:
    name, held = said(one.source.value), f"{one.recorded:,}"
    if one.waiting:
        held = said(f"{held} and {counted(one.waiting, 'line')} to be stored")
    if one.last_at_ms is not None:
        held = said(f"{held}, last {day(one.last_at_ms)}")
    return with_brackets(name, held)
