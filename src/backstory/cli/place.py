"""Which project a command works on, opened."""

import warnings
from pathlib import Path

import typer

from backstory.api import Memory, NullMemory, Opening

HOST = "cli"


def opened(context: typer.Context, *, strict: bool = True) -> Memory | NullMemory:
    """Open the memory of the project that the command names.

    With `strict` a degraded store is an error, which says what to do; without, it is what
    `status`, `show`, `export`, `doctor` and `clear` look at.
    """
    with warnings.catch_warnings():
        # A command that looks at a degraded store says itself what is wrong.
        warnings.simplefilter("ignore", RuntimeWarning)
        return Memory.open(folder_of(context), strict=strict, opening=Opening(host=HOST))


def folder_of(context: typer.Context) -> Path:
    """Return the directory that the command was told to work on."""
    root = context.find_root()
    return Path(root.obj or ".")
