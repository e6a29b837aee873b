"""The token that a server on this machine asks for: made once, kept for its owner alone."""

import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from backstory.model.errors import UsageError

TOKEN_VARIABLE = "BACKSTORY_MCP_TOKEN"  # noqa: S105 - the name of a variable
TOKEN_FILE = "mcp-token"  # noqa: S105 - the name of a file
_TOKEN_BYTES = 32
_TOKEN_CHARS_MIN = 16


def token_for(state_dir: Path, *, env: Mapping[str, str]) -> str:
    """Return the token of a project's server: the variable's, or the one that is kept in a file.

    The file is made where there is none, for its owner alone. Raises `UsageError` for a token
    that is too short, and for a file that others can read.
    """
    stated = env.get(TOKEN_VARIABLE, "").strip()
    if stated:
        return _long_enough(stated, place=TOKEN_VARIABLE)
    file = state_dir / TOKEN_FILE
    state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return _kept_in(file)
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with os.fdopen(made, "w", encoding="ascii") as opened:
        opened.write(token + "\n")
    return token


def _kept_in(file: Path) -> str:
    state = file.lstat()
    if not stat.S_ISREG(state.st_mode) or (os.name == "posix" and state.st_mode & 0o077):
        raise UsageError(f"{file} is not a file of yours alone: remove it, and it is made anew")
    return _long_enough(file.read_text(encoding="utf-8").strip(), place=str(file))


def _long_enough(token: str, *, place: str) -> str:
    if len(token) < _TOKEN_CHARS_MIN:
        raise UsageError(f"the token in {place} has fewer than {_TOKEN_CHARS_MIN} characters")
    return token
