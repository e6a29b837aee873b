"""What other programs remember, offered for review: the part of `backstory import` for it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backstory.adapters.importers.memories import (
    INSTRUCTIONS,
    Proposal,
    memory_files_in,
    native_memories_of,
    proposals_in,
    section_files_of,
)
from backstory.adapters.project import Project, require_project
from backstory.api import Memory, NullMemory
from backstory.cli.place import Invocation
from backstory.cli.render import Screen, counted, one_line
from backstory.model.answers import Offered
from backstory.speaking import said

_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Which files of other programs' memories are to be read, and the paths that are none."""

    files: tuple[Path, ...]
    others: tuple[Path, ...]
    has_sections: bool


def chosen(
    invocation: Invocation, paths: Sequence[Path], *, memories: bool, sections: bool
) -> Chosen:
    """Tell files of other programs' memories from sessions, and find those that were asked for."""
    files: list[Path] = []
    others: list[Path] = []
    for path in paths:
        found = (path,) if _is_instructions(path) else memory_files_in(path)
        files += found
        others += [] if found else [path]
    if memories or (sections and not paths):
        project = require_project(invocation.folder, env=os.environ)
        files += native_memories_of(project, env=os.environ) if memories else ()
        files += section_files_of(project) if sections and not paths else ()
    return Chosen(files=tuple(dict.fromkeys(files)), others=tuple(others), has_sections=sections)


def offer(memory: Memory | NullMemory, what: Chosen, *, dry_run: bool) -> Offered:
    """Read the files, all of them before anything is kept, and let a person look through them."""
    proposals: list[Proposal] = []
    for file in what.files:
        proposals += proposals_in(file, has_sections=what.has_sections)
    return memory.offer(proposals, is_dry_run=dry_run)


def offered_row(what: Chosen, offered: Offered) -> dict[str, object]:
    """Return what came of it as JSON shows it."""
    return {
        "files": what.files,
        "waiting": offered.waiting,
        "known": offered.known,
        "refused": offered.refused,
        "left": offered.left,
    }


def tell_offered(screen: Screen, what: Chosen, *, offered: Offered, dry_run: bool) -> None:
    """Say what waits, and how to look at it."""
    if not what.files:
        screen.line(_nothing_found(what))
        return
    screen.line(_waiting(what, offered, dry_run=dry_run))
    for statement in offered.waiting[: _SHOWN if dry_run else 0]:
        screen.line("    ", one_line(statement))
    if offered.refused:
        refused = counted(offered.refused, "statement")
        screen.line(said(f"{refused} left out: forgotten or taken back before."))
    if offered.left:
        screen.line(said(f"{offered.left:,} more when you have looked at some: import again."))
    if offered.waiting and not dry_run:
        screen.line(said("Nothing of it is memory yet: backstory review"))


def _nothing_found(what: Chosen) -> str:
    if what.has_sections:
        return said(
            "Nothing that another program remembers of this project was found, "
            "and no file instructs agents."
        )
    return said("Nothing that another program remembers of this project was found.")


def _waiting(what: Chosen, offered: Offered, *, dry_run: bool) -> str:
    statements = counted(len(offered.waiting), "statement")
    files, known = counted(len(what.files), "file"), f"{offered.known:,}"
    if dry_run:
        return said(f"{statements} of {files} would wait for your approval; {known} known before.")
    if len(offered.waiting) == 1:
        return said(f"{statements} of {files} waits for your approval; {known} known before.")
    return said(f"{statements} of {files} wait for your approval; {known} known before.")


def tell_of_native(screen: Screen, project: Project) -> None:
    """Offer what Claude Code remembers of a project by itself, where it does."""
    files = native_memories_of(project, env=os.environ)
    if files:
        told = said(
            f"Claude Code has {counted(len(files), 'file')} of memories of this project: "
            "`backstory import --memories` offers them for review."
        )
        screen.line(told)


def _is_instructions(path: Path) -> bool:
    return path.is_file() and path.name in INSTRUCTIONS
