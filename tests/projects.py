"""Projects on disk and memories of them, for tests that go through the library."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backstory import Memory
from backstory.wiring.opening import Opening


def a_project(folder: Path) -> Path:
    """Make a git repository with one empty commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "begin")
    return folder


def git(folder: Path, *arguments: str) -> str:
    """Run git and return what it prints."""
    result = subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return result.stdout


def an_opening(now_ms: int = 1_000_000) -> Opening:
    """Return an opening whose clock goes on by a second each time it is asked."""
    clock = iter(range(now_ms, now_ms + 10**9, 1_000))
    return Opening(clock=lambda: next(clock), env={})


@contextmanager
def memory_of(folder: Path, *, now_ms: int = 1_000_000) -> Iterator[Memory]:
    """Open the memory of a project, and close it."""
    memory = Memory.open(folder, opening=an_opening(now_ms))
    assert isinstance(memory, Memory)
    with memory:
        yield memory


def say(memory: Memory, *texts: str) -> None:
    """Let a person say this, and the rules read it."""
    for text in texts:
        memory.complete_turn(memory.begin_turn(text), "好的。")
    memory.settle()
