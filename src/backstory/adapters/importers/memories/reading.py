"""Telling whose memory a file is, reading it, and finding those of a project. Nothing is written.

Shapes are those of the programs' own files: Claude Code's auto-memory, the MCP reference memory
server (https://github.com/modelcontextprotocol/servers), mem0 and basic-memory.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from backstory.adapters.importers.discovery import claude_folder, slug_of
from backstory.adapters.importers.formats.records import refuse_wide
from backstory.adapters.importers.memories import exports, markdown
from backstory.adapters.importers.memories.proposals import Proposal
from backstory.adapters.instructions import INSTRUCTIONS
from backstory.adapters.project import Project, work_trees
from backstory.capture.fences import strip_injected
from backstory.model.errors import UnreadableInputError
from backstory.record import without_half_characters

_BYTES_MAX = 10 * 1024 * 1024
_FILES_MAX = 2_000

_Reader = Callable[[str, Path], Iterator[Proposal]]


def memory_files_in(path: Path) -> tuple[Path, ...]:
    """Return the files of another program's memory that a person named: one, or a directory's.

    Nothing where it is no such thing: a directory that also holds sessions is one of sessions.
    """
    if path.is_file():
        return (path,) if _reader_of(path) is not None else ()
    files = sorted(path.rglob("*.md"))[:_FILES_MAX] if path.is_dir() else []
    if any(path.rglob("*.jsonl")):
        return ()
    return tuple(file for file in files if file.is_file() and _reader_of(file) is not None)


def proposals_in(path: Path, *, has_sections: bool = False) -> tuple[Proposal, ...]:
    """Return what a file remembers, without what was once shown to an agent by Backstory.

    Raises `UnreadableInputError` for a file that is no memory known here; the points of a file
    of instructions are taken only where `has_sections` says so.
    """
    if path.name in INSTRUCTIONS:
        if not has_sections:
            raise UnreadableInputError(
                f"{path} holds instructions that agents read anyway; --sections offers them"
            )
        return tuple(markdown.of_sections(_text(path), path))
    reader = _reader_of(path)
    if reader is None:
        raise UnreadableInputError(f"{path} is no memory of a program known here")
    # JSON can name halves of characters, which no store can hold.
    return tuple(
        replace(one, statement=without_half_characters(one.statement))
        for one in reader(_text(path), path)
    )


def native_memories_of(project: Project, *, env: Mapping[str, str]) -> tuple[Path, ...]:
    """Return what Claude Code remembers of a project by itself.

    All work trees share one directory, named by the main one.
    """
    folder = claude_folder(env) / "projects"
    trees = work_trees(project) or (project.root,)
    places = dict.fromkeys(folder / slug_of(tree) / "memory" for tree in trees)
    return tuple(file for place in places for file in memory_files_in(place))


def section_files_of(project: Project) -> tuple[Path, ...]:
    """Return the files of instructions at the root of a project, a linked one once."""
    names = (*INSTRUCTIONS, ".claude/CLAUDE.md")
    files = [project.root / name for name in names if (project.root / name).is_file()]
    return tuple({os.path.realpath(file): file for file in reversed(files)}.values())[::-1]


def _reader_of(path: Path) -> _Reader | None:
    if path.suffix == ".md":
        return _markdown_reader(path)
    if path.suffix not in {".json", ".jsonl"}:
        return None
    text = _text(path)
    if exports.server_records(text):
        return exports.of_server
    return exports.of_mem0 if exports.mem0_records(text) else None


def _markdown_reader(path: Path) -> _Reader | None:
    if path.name == markdown.INDEX_NAME:
        return markdown.of_index
    text = _text(path)
    if markdown.is_topic(text):
        return markdown.of_topic
    return markdown.of_basic_note if markdown.is_basic_note(text) else None


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _BYTES_MAX:
            raise UnreadableInputError(f"{path} is larger than {_BYTES_MAX // 2**20} MB")
        raw = path.read_bytes()
    except OSError as error:
        raise UnreadableInputError(f"{path} cannot be read: {error.strerror}") from error
    refuse_wide(path, raw)
    return strip_injected(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
