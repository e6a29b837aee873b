"""Telling which processes are left."""

from pathlib import Path

PROCESSES = Path("/proc")


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
