"""Keeping what was said and what happened, verbatim and before anything judges it."""

from importlib import import_module
from typing import TYPE_CHECKING

from backstory.record.threads import bind_thread, current_thread, new_thread
from backstory.record.turns import (
    add_finished_turn,
    add_finished_turns,
    begin_turn,
    complete_turn,
    fail_turn,
    recover,
)
from backstory.record.verbatim import refuse_half_characters, without_half_characters

if TYPE_CHECKING:
    from backstory.record.events import event_text, record_event
    from backstory.record.telling import expect_telling
    from backstory.record.urgent import is_urgent

__all__ = [
    "add_finished_turn",
    "add_finished_turns",
    "begin_turn",
    "bind_thread",
    "complete_turn",
    "current_thread",
    "event_text",
    "expect_telling",
    "fail_turn",
    "is_urgent",
    "new_thread",
    "record_event",
    "recover",
    "refuse_half_characters",
    "without_half_characters",
]

# Loaded when it is asked for: a prompt begins a turn and does no more.
_PLACES = {
    "event_text": "events",
    "expect_telling": "telling",
    "is_urgent": "urgent",
    "record_event": "events",
}


def __getattr__(name: str) -> object:
    if name in _PLACES:
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
