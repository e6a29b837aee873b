"""The files at the root of a project that agents and newcomers read by themselves."""

from functools import lru_cache
from pathlib import Path

from backstory.adapters.project import Project
from backstory.extract.window import line_form

INSTRUCTIONS = ("AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md")
_ALSO = (
    ".claude/CLAUDE.md",
    ".cursorrules",
    ".github/copilot-instructions.md",
    ".windsurfrules",
    "CONTRIBUTING.md",
    "README.md",
    "README.rst",
    "README.zh-CN.md",
)
# No file that is read at the start of every session is longer.
_FILE_BYTES_MAX = 256 * 1024


def written_lines(project: Project) -> frozenset[str]:
    """Return the lines of these files, each in the form in which lines are compared.

    A file that is not there, cannot be read or is longer than 256 KiB has none.
    """
    texts = (_text(project.root / name) for name in (*INSTRUCTIONS, *_ALSO))
    return frozenset().union(*map(_lines_of, texts))


@lru_cache(maxsize=16)  # an import asks again for every few turns
def _lines_of(text: str) -> frozenset[str]:
    return frozenset(map(line_form, text.splitlines())) - {""}


def _text(path: Path) -> str:
    try:
        if not path.is_file():  # nobody may ever write to a pipe of this name
            return ""
        with path.open("rb") as file:
            head = file.read(_FILE_BYTES_MAX + 1)
    except OSError:
        return ""
    return "" if len(head) > _FILE_BYTES_MAX else head.decode("utf-8-sig", "replace")
