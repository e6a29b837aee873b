"""From entries to changed files: what each file becomes, its diff, its copy, and the writing."""

import difflib
import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from backstory.adapters.installing.entries import Entry, is_ours
from backstory.adapters.installing.json_edits import added, depth_of, found, removed
from backstory.model.errors import UnreadableInputError

_START = "# >>> backstory >>>\n"
_END = "# <<< backstory <<<\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What one file is and is to be. None is no file."""

    file: Path
    before: str | None
    after: str | None
    is_program: bool = False

    @property
    def diff(self) -> str:
        """The change as a person reads it."""
        lines = difflib.unified_diff(
            (self.before or "").splitlines(),
            (self.after or "").splitlines(),
            fromfile=str(self.file) if self.before is not None else "no file",
            tofile=str(self.file) if self.after is not None else "no file",
            lineterm="",
        )
        return "\n".join(lines)


def installing(entries: Sequence[Entry]) -> list[Change]:
    """Return what installing changes; nothing where everything is there already.

    Raises `UnreadableInputError` naming a file that cannot be edited.
    """
    return _changes(entries, copies=None)


def uninstalling(entries: Sequence[Entry], *, copies: Path) -> list[Change]:
    """Return what taking everything out changes.

    A file that is as installing left it becomes what it was before, byte for byte.
    """
    return _changes(entries, copies=copies)


def write(change: Change, *, copies: Path) -> None:
    """Write a change whole, and keep what the file was before we first touched it."""
    target = Path(os.path.realpath(change.file))
    if change.after is None:
        change.file.unlink(missing_ok=True)
        _prune(change.file.parent)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    part.write_bytes(change.after.encode("utf-8", "surrogateescape"))
    part.chmod(0o700 if change.is_program else mode)
    part.replace(target)
    _keep_copy(change, copies=copies)


def forget(file: Path, *, copies: Path) -> None:
    """Drop the copy of what a file was."""
    _copy_of(file, copies).unlink(missing_ok=True)


def _changes(entries: Sequence[Entry], *, copies: Path | None) -> list[Change]:
    changes: list[Change] = []
    for file in dict.fromkeys(entry.file for entry in entries):
        before = _read(file)
        ours = [entry for entry in entries if entry.file == file]
        try:
            after = _with(before, ours) if copies is None else _out(before, ours, copies=copies)
        except UnreadableInputError as error:
            raise UnreadableInputError(f"{file} was left as it is: {error}") from error
        if after != before:
            is_program = any(entry.is_program for entry in ours)
            changes.append(Change(file=file, before=before, after=after, is_program=is_program))
    return changes


def _out(before: str | None, entries: Sequence[Entry], *, copies: Path) -> str | None:
    original, is_unchanged = _untouched(entries[0].file, before, copies=copies)
    after = _without(before, entries, original=original)
    return original if is_unchanged and after != before else after


def _with(before: str | None, entries: Sequence[Entry]) -> str:
    text = before or ""
    for entry in entries:
        if entry.whole:
            text = entry.whole
        elif entry.block:
            text = _with_block(text, entry)
        else:
            text = _with_value(text or entry.skeleton, entry)
    return text


def _with_value(text: str, entry: Entry) -> str:
    there = found(text, entry.path)
    if entry.is_in_list and isinstance(there, list):
        if entry.value in there:
            return text
        # One of another version or place makes room for this one.
        text = removed(text, entry.path, is_ours=is_ours)
    elif there == entry.value:
        return text
    return added(text, entry.path, value=entry.value, to_list=entry.is_in_list)


def _with_block(text: str, entry: Entry) -> str:
    if entry.block in text:
        return text
    text = _without_block(text)
    if "[mcp_servers.backstory]" in text:
        raise UnreadableInputError("it has a server named backstory that is not ours")
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{entry.block}"


def _without(before: str | None, entries: Sequence[Entry], *, original: str | None) -> str | None:
    """Return a file without our entries; what it was tells which empty parts are not ours."""
    text = before
    for entry in entries:
        if text is not None:
            text = _without_entry(text, entry, original=original or "")
    is_empty = text is not None and not text.strip(" \t\r\n{}")
    return None if original is None and is_empty else text


def _without_entry(text: str, entry: Entry, *, original: str) -> str | None:
    if entry.whole:
        return None if " hook" in text and "backstory" in text else text
    if entry.block:
        rest = _without_block(text)
        had_end = not original or original.endswith("\n")
        return rest if had_end or rest == text else rest.removesuffix("\n")
    stays = depth_of(original, entry.path)
    return removed(text, entry.path, is_ours=is_ours, stays=stays)


def _without_block(text: str) -> str:
    start, end = text.find(_START), text.find(_END)
    if start < 0 or end < start:
        return text
    # The empty line before it is ours, too.
    head = text[: start - 1] if text[:start].endswith("\n\n") else text[:start]
    return head + text[end + len(_END) :]


def _untouched(file: Path, before: str | None, *, copies: Path) -> tuple[str | None, bool]:
    """Return what the file was before we touched it, and whether nobody has changed it since."""
    try:
        kept = json.loads(_copy_of(file, copies).read_text(encoding="utf-8"))
        return kept["before"], kept["digest"] == _digest(before or "")
    except (OSError, ValueError, KeyError):
        return before, False


def _keep_copy(change: Change, *, copies: Path) -> None:
    assert change.after is not None
    path = _copy_of(change.file, copies)
    before = change.before
    with suppress(OSError, ValueError):
        before = json.loads(path.read_text(encoding="utf-8"))["before"]
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = {"file": str(change.file), "before": before, "digest": _digest(change.after)}
    path.write_text(json.dumps(kept), encoding="utf-8")
    path.chmod(0o600)


def _copy_of(file: Path, copies: Path) -> Path:
    return copies / f"{hashlib.sha256(os.fsencode(file.absolute())).hexdigest()[:24]}.json"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _read(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableInputError(f"{file} cannot be read: {error.strerror}") from error


def _prune(folder: Path) -> None:
    """Remove a directory that holds nothing now; only those that we may have made."""
    if folder.name in {"plugin", "hooks", "Hooks", ".opencode", ".clinerules"}:
        with suppress(OSError):
            folder.rmdir()
            _prune(folder.parent)
