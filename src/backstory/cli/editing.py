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

    Raises `UsageError` where nothing was changed, and, saying what to do `otherwise`, where
    nobody sits at a terminal; `UnreadableInputError` for what is no UTF-8 text.
    """
    if not sys.stdin.isatty():
        raise UsageError(otherwise)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="backstory-") as folder:
        draft = Path(folder) / "statement.txt"
        draft.write_text(f"{text}\n", encoding="utf-8")
        done = subprocess.run([*shlex.split(editor), str(draft)], check=False)
        try:
            saved = draft.read_text(encoding="utf-8").strip()
        except UnicodeDecodeError as error:
            raise UnreadableInputError("what the editor saved is not UTF-8 text") from error
    if done.returncode or saved == text.strip():
        raise UsageError("nothing was changed")
    return saved
