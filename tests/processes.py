"""Telling which processes are left, and waiting for what another process does."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

PROCESSES = Path("/proc")
# Whoever works beside the tests may take a while on a busy machine.
PATIENCE_S = 60
_STEP_S = 0.02


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds, and fail where it never does."""
    for _ in range(round(PATIENCE_S / _STEP_S)):
        if holds():
            return
        time.sleep(_STEP_S)
    pytest.fail("it never came to hold")


def marked(mark: str) -> list[int]:
    """Return the processes that have a mark in their environment."""
    found = []
    for folder in PROCESSES.iterdir():
        if folder.name.isdigit():
            try:
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if mark.encode() in environment:
                found.append(int(folder.name))
    return found
