"""Ending what runs in the foreground when it is told to: Ctrl-C, or SIGTERM."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType


@contextmanager
def stopped_by_signals() -> Iterator[Event]:
    """Give an event that SIGINT and SIGTERM set while the block runs. Main thread only."""
    stop = Event()

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, on_signal) for number in numbers]
    try:
        yield stop
    finally:
        for number, earlier in zip(numbers, before, strict=True):
            signal.signal(number, earlier)
