"""Whether a script runs Gemini CLI or Copilot CLI, which tell it to their hooks nowhere.

Gemini's own rule (`isHeadlessMode` in 0.61) is that nobody is there where a prompt stands behind
`-p` or where its input or its output is no terminal. Behind ACP a person sits at another program.
Copilot CLI (1.0) runs a prompt behind `-p` and ends; others run it for a person, without it.
"""

import os
from pathlib import Path, PurePath

_PROGRAMS = frozenset({"gemini", "gemini.js"})
_COPILOT = "copilot"
_PROMPT = frozenset({"-p", "--prompt"})
_ACP = frozenset({"--acp", "--experimental-acp"})
_TERMINALS = ("/dev/pts/", "/dev/tty", "/dev/console")
# Between the program and its hook stand a shell or two.
_ANCESTORS_MAX = 4


def is_scripted(number: int, *, processes: Path = Path("/proc")) -> bool:
    """Whether the process of this number, or one that it comes from, is one that a script runs.

    False where the system does not show processes as Linux does.
    """
    for _ in range(_ANCESTORS_MAX):
        folder = processes / str(number)
        try:
            words = (folder / "cmdline").read_text(errors="replace").split("\0")
            names = {PurePath(word).name for word in words}
            if not _PROGRAMS.isdisjoint(names):
                return _has_nobody(words, folder)
            if _COPILOT in names:
                return _has_prompt(words)
            # The name of the program, which stands before it, may hold anything.
            told = (folder / "stat").read_text(errors="replace").rpartition(")")[2]
            number = int(told.split()[1])
        except (OSError, ValueError, IndexError):
            return False
    return False


def _has_nobody(words: list[str], folder: Path) -> bool:
    if not _ACP.isdisjoint(words):
        return False
    ends = (os.readlink(folder / "fd" / end) for end in ("0", "1"))  # noqa: PTH115 - no Path
    return _has_prompt(words) or not all(end.startswith(_TERMINALS) for end in ends)


def _has_prompt(words: list[str]) -> bool:
    return any(word in _PROMPT or word.startswith("--prompt=") for word in words)
