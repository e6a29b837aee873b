"""Finding the sessions of a project that other programs have kept, and nobody else's.

A session is the project's if the directory it ran in belongs to the project now. Folder names
only narrow the search: they are made from paths by rules that two paths can share.
"""

import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from backstory.adapters.importers.formats import Format
from backstory.adapters.importers.formats.detection import (
    CLAUDE_CODE,
    CODEX,
    GEMINI,
    SPECSTORY,
    format_of,
    head_of,
    records_of,
)
from backstory.adapters.importers.formats.records import dict_of, milliseconds_of, text_of
from backstory.adapters.importers.formats.specstory import session_in
from backstory.adapters.importers.turns import Record
from backstory.adapters.project import Project, find_project, work_trees
from backstory.model.errors import NoProjectError, UnreadableInputError

_SLUG_CHARS_MAX = 200  # Claude Code cuts longer ones and adds a hash
_NOT_IN_SLUG = re.compile(r"[^A-Za-z0-9]")
# Inside a text its quotes would be escaped.
_CWD = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})+")')


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSession:
    """A file that holds a session of the project."""

    path: Path
    host: str
    started_at_ms: int
    is_headless: bool  # run by a script, with no person at the keyboard


@dataclass(frozen=True, slots=True, kw_only=True)
class _Places:
    """Where programs keep sessions, and which directories are the project's."""

    project: Project
    trees: tuple[Path, ...]
    env: Mapping[str, str]
    claude: Path
    codex: Path
    gemini: Path


def sessions_for(project: Project, *, env: Mapping[str, str]) -> tuple[FoundSession, ...]:
    """Return the sessions of a project, oldest first.

    Looks where Claude Code (`CLAUDE_CONFIG_DIR`), Codex (`CODEX_HOME`) and Gemini CLI keep
    theirs, and into `.specstory/history` of each work tree. A SpecStory history of a session
    whose own transcript was found is left out.
    """
    home = _home(env)
    places = _Places(
        project=project,
        trees=work_trees(project) or (project.root,),
        env=env,
        claude=claude_folder(env),
        codex=Path(env.get("CODEX_HOME") or home / ".codex"),
        gemini=home / ".gemini",
    )
    found = [*_claude_code(places), *_codex(places), *_gemini(places)]
    keys = {session.path.stem for session in found}
    found += [s for s in _specstory(places) if not _is_told_by(s.path, keys)]
    return tuple(sorted(found, key=lambda session: (session.started_at_ms, session.path)))


def claude_folder(env: Mapping[str, str]) -> Path:
    """Return where Claude Code keeps what is a user's."""
    return Path(env.get("CLAUDE_CONFIG_DIR") or _home(env) / ".claude")


def transcripts_in(path: Path) -> tuple[Path, ...]:
    """Return the transcripts that a person named: a file itself, or those inside a directory.

    A file that is no transcript is an error only where it was named itself.
    """
    if not path.is_dir():
        return (path,)
    files = sorted(file for file in path.rglob("*") if file.suffix in (".jsonl", ".md"))
    found = [f for f in files if f.is_file() and not _is_subagents(f) and _format(f) is not None]
    if not found:
        raise UnreadableInputError(f"{path} holds no transcript of a program known here")
    return tuple(found)


def _home(env: Mapping[str, str]) -> Path:
    return Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())


def _claude_code(places: _Places) -> Iterator[FoundSession]:
    slugs = tuple(slug_of(tree) for tree in places.trees)
    # A session that began in a subdirectory has a folder whose name only begins alike.
    folders = [f for f in _entries(places.claude / "projects") if f.name.startswith(slugs)]
    for path in (path for folder in folders for path in _entries(folder)):
        if path.suffix == ".jsonl" and not _is_subagents(path):
            yield from _session(path, CLAUDE_CODE, places=places)


def _codex(places: _Places) -> Iterator[FoundSession]:
    for folder in ("sessions", "archived_sessions"):
        for path in sorted((places.codex / folder).rglob("rollout-*.jsonl")):
            yield from _session(path, CODEX, places=places)


def _gemini(places: _Places) -> Iterator[FoundSession]:
    folders = [folder / "chats" for folder in _gemini_folders(places)]
    for path in (path for folder in folders for path in _entries(folder)):
        records = records_of(_head(path)) if path.suffix == ".jsonl" else []
        if records and _is_hash_of(text_of(records[0].get("projectHash")), places):
            yield _found(path, GEMINI, records=records)


def _gemini_folders(places: _Places) -> list[Path]:
    """Return the folders of the project: named by its path's hash, or in a register of names."""
    root = places.gemini / "tmp"
    folders = [root / _hash(tree) for tree in places.trees]
    try:
        register = json.loads((places.gemini / "projects.json").read_bytes())
    except (OSError, ValueError):
        return folders
    names = dict_of(dict_of(register).get("projects")) or dict_of(register)
    for path, name in names.items():
        if isinstance(name, str) and _is_ours(path, places):
            folders.append(root / Path(name).name)
    return list(dict.fromkeys(folders))


def _is_hash_of(value: str, places: _Places) -> bool:
    """Whether a chat's header names a directory of the project, or none at all."""
    ours = {_hash(tree) for tree in places.trees}
    return not value or value in ours or len(value) != 64


def _specstory(places: _Places) -> Iterator[FoundSession]:
    for tree in places.trees:
        for path in _entries(tree / ".specstory" / "history"):
            if path.suffix == ".md" and _format(path) == SPECSTORY:
                yield _found(path, SPECSTORY, records=[])


def _is_told_by(path: Path, keys: set[str]) -> bool:
    return session_in(_head(path)) in keys


def _session(path: Path, form: Format, *, places: _Places) -> Iterator[FoundSession]:
    head = _head(path)
    records = records_of(head)
    directory = next(filter(None, map(_directory_of, records)), "") or _directory_in(head)
    if format_of(head) == form and directory and _is_ours(directory, places):
        yield _found(path, form, records=records)


def _found(path: Path, form: Format, *, records: list[Record]) -> FoundSession:
    written_ms = path.stat().st_mtime_ns // 1_000_000
    moments = (r.get("timestamp") or r.get("startTime") for r in records)
    first = next((moment for moment in moments if moment), None)
    return FoundSession(
        path=path,
        host=form.host,
        started_at_ms=milliseconds_of(first, default=written_ms),
        is_headless=any(_is_headless(record) for record in records),
    )


def _directory_of(record: Record) -> str:
    return text_of(record.get("cwd")) or text_of(dict_of(record.get("payload")).get("cwd"))


def _directory_in(head: bytes) -> str:
    """Return the directory that a head names whose lines are too long to be read whole."""
    match = _CWD.search(head)
    return text_of(json.loads(match.group(1))) if match else ""


def _is_headless(record: Record) -> bool:
    payload = dict_of(record.get("payload"))
    return record.get("entrypoint") == "sdk-cli" or payload.get("source") == "exec"


def _is_ours(directory: str, places: _Places) -> bool:
    """Whether a directory belongs to the project, by what is on disk now."""
    try:
        project = find_project(Path(directory), env=places.env)
    except (NoProjectError, ValueError, OSError):
        return False
    return project is not None and project.state_dir == places.project.state_dir


def _is_subagents(path: Path) -> bool:
    return path.name.startswith("agent-") or "subagents" in path.parts


def _format(path: Path) -> Format | None:
    return format_of(_head(path))


def _head(path: Path) -> bytes:
    try:
        return head_of(path)
    except UnreadableInputError:
        return b""


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def slug_of(tree: Path) -> str:
    """Return how Claude Code names the folder of a directory."""
    name = unicodedata.normalize("NFC", os.path.realpath(tree))
    # Its characters are UTF-16 units: one beyond the first plane becomes two dashes.
    units = "".join("--" if ord(char) > 0xFFFF else char for char in name)
    return _NOT_IN_SLUG.sub("-", units)[:_SLUG_CHARS_MAX]


def _hash(tree: Path) -> str:
    return hashlib.sha256(os.fsencode(tree)).hexdigest()
