"""The lines that let a shell write down what is typed at its prompt."""

import re
import shlex
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

_CLASS = re.compile(r"\[[^\[\]\s]+\]")
_PLAIN = re.compile(r"[\w*?/.,:=@%+-]", re.ASCII)
_NEVER = "''"  # what an empty line is: the shell has left it out already


def snippet(shell: str, *, ignored: Iterable[str], switch: Path) -> str:
    """Return what bash or zsh reads at its start: functions, and the hooks that call them.

    Commands that match one of `ignored` are not written down at all. Where the file `switch`
    is, memory is off on this machine.
    """
    folder = files("backstory.adapters.sources").joinpath("data")
    record = folder.joinpath("record.sh").read_text(encoding="utf-8")
    hooks = folder.joinpath(f"{shell}.sh").read_text(encoding="utf-8")
    patterns = [_pattern(one) for one in ignored if one.isprintable() and one.strip()]
    record = record.replace("@IGNORED@", " | ".join([_NEVER, *patterns]))
    return record.replace("@SWITCH@", shlex.quote(str(switch))) + hooks


def _pattern(text: str) -> str:
    """Return a pattern with `*`, `?` and `[…]` as a shell's `case` reads it."""
    parts: list[str] = []
    place = 0
    while place < len(text):
        found = _CLASS.match(text, place)
        if found and re.fullmatch(r"\[[!\w.,:=@%+/-]+\]", found.group(), re.ASCII):
            parts.append(found.group())
            place = found.end()
            continue
        character = text[place]
        is_plain = _PLAIN.match(character) or not character.isascii()
        parts.append(character if is_plain else f"\\{character}")
        place += 1
    return "".join(parts)
