"""Letting a person change a text in their own editor."""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from backstory.model.errors import UnreadableInputError, UsageError


def edited(text: str, *, otherwise: str) -> str:
    """Let a person change a text in `$VISUAL` or `$EDITOR`, and return what they saved.

    Raises `UsageError` where nothing was changed, the editor's command is not one, and, saying
    what to do `otherwise`, where nobody sits at a terminal; `UnreadableInputError` for what is
    no UTF-8 text.
    """
    if not sys.stdin.isatty():
        raise UsageError(otherwise)
    editor = _command_of_editor()
    with tempfile.TemporaryDirectory(prefix="backstory-") as folder:
        draft = Path(folder) / "statement.txt"
        draft.write_text(f"{text}\n", encoding="utf-8")
        done = subprocess.run([*editor, str(draft)], check=False)
        try:
            # Editors of Windows may put a mark before what they save.
            saved = draft.read_text(encoding="utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise UnreadableInputError("what the editor saved is not UTF-8 text") from error
    if done.returncode or saved == text.strip():
        raise UsageError("nothing was changed")
    return saved


def _command_of_editor() -> list[str]:
    for name in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(os.environ.get(name, ""))
        except ValueError as error:
            raise UsageError(f"{name} is not a command: {error}") from error
        if words:
            return words
    return ["vi"]
