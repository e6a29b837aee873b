"""From entries to changed files: what each file becomes, and its diff. Nothing is written here."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backstory.adapters.installing.blocks import (
    refuse_broken,
    refuse_taken,
    with_block,
    with_block_on_top,
    without_block,
)
from backstory.adapters.installing.copies import digest_of, kept_for
from backstory.adapters.installing.entries import Entry, is_our_file, is_ours
from backstory.adapters.installing.json_edits import (
    added,
    depth_of,
    found,
    removed,
    removed_within,
    with_blanks_of,
)
from backstory.model.errors import UnreadableInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What one file is and is to be. None is no file."""

    file: Path
    before: str | None
    after: str | None
    without_us: str | None = None  # what it would be had nothing ever been installed
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


def installing(entries: Sequence[Entry], *, copies: Path) -> list[Change]:
    """Return what installing changes; nothing where everything is there already.

    Raises `UnreadableInputError` naming a file that cannot be edited.
    """
    return _changes(entries, copies=copies, is_in=True)


def uninstalling(entries: Sequence[Entry], *, copies: Path) -> list[Change]:
    """Return what taking everything out changes.

    A file that is as installing left it becomes what it was before, byte for byte.
    """
    return _changes(entries, copies=copies, is_in=False)


def read(file: Path) -> str | None:
    """Return a file as it is, whatever its bytes; None where there is none."""
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UnreadableInputError(f"{file} cannot be read: {error.strerror}") from error


def _changes(entries: Sequence[Entry], *, copies: Path, is_in: bool) -> list[Change]:
    changes: list[Change] = []
    for file in dict.fromkeys(entry.file for entry in entries):
        before = read(file)
        if not is_in and "backstory" not in (before or ""):
            continue  # nothing of ours is there, whether the rest can be read or not
        ours = [entry for entry in entries if entry.file == file]
        try:
            without_us = _original(file, before, entries=ours, copies=copies)
            after = _with(before, ours) if is_in else without_us
        except UnreadableInputError as error:
            raise UnreadableInputError(f"{file} was left as it is: {error}") from error
        if after != before:
            changes.append(
                Change(
                    file=file,
                    before=before,
                    after=after,
                    without_us=without_us,
                    is_program=any(entry.is_program for entry in ours),
                )
            )
    return changes


def _original(
    file: Path, before: str | None, *, entries: Sequence[Entry], copies: Path
) -> str | None:
    """Return what the file is without us: as it was, with what others changed since."""
    kept = kept_for(file, copies=copies)
    original = before if kept is None else kept.before
    without_us = _without(before, entries, original=original)
    if kept is None and without_us is not None and without_us != before:
        # Others may have moved a script that we made: pre-commit puts it aside.
        heads = {entry.skeleton for entry in entries if entry.is_on_top}
        without_us = None if without_us in heads else without_us
    is_as_left = kept is not None and before is not None and kept.digest == digest_of(before)
    return original if is_as_left and without_us != before else without_us


def _with(before: str | None, entries: Sequence[Entry]) -> str:
    text = before or ""
    for entry in entries:
        if entry.whole:
            if text.strip() and not is_our_file(text):
                raise UnreadableInputError(
                    "it is a program of your own; call Backstory from it, or move it away"
                )
            text = entry.whole
        elif entry.block:
            text = _with_lines(text or entry.skeleton, entry)
        else:
            text = _with_value(text or entry.skeleton, entry)
    return text


def _with_lines(text: str, entry: Entry) -> str:
    if entry.is_on_top:
        return with_block_on_top(text, entry.block, marks=entry.marks)
    if entry.file.suffix != ".toml":
        return with_block(text, entry.block, marks=entry.marks)
    refuse_taken(text, entry.marks)
    changed = with_block(text, entry.block, marks=entry.marks)
    refuse_broken(changed)
    return changed


def _with_value(text: str, entry: Entry) -> str:
    there = found(text, entry.path)
    if entry.is_in_list and isinstance(there, list):
        if entry.value in there:
            return text
        # One of another version or place makes room for this one.
        text = removed(text, entry.path, is_ours=is_ours, stays=len(entry.path))
        return added(text, entry.path, value=entry.value, to_list=True)
    if there is None or entry.is_in_list:
        return added(text, entry.path, value=entry.value, to_list=entry.is_in_list)
    if not (is_ours(there) and isinstance(there, dict) and isinstance(entry.value, dict)):
        raise UnreadableInputError(f"it has {'.'.join(entry.path)} already, which is not ours")
    # What a person added to ours (an environment, a time limit) stays.
    value = {**there, **entry.value}
    return text if value == there else added(text, entry.path, value=value)


def _without(before: str | None, entries: Sequence[Entry], *, original: str | None) -> str | None:
    """Return a file without our entries; what it was tells which empty parts are not ours."""
    text = before
    for entry in entries:
        if text is not None:
            text = _without_entry(text, entry, original=original or "")
    rest = "" if text is None else text.strip("\ufeff \t\r\n{}")
    skeletons = {entry.skeleton.strip("\ufeff \t\r\n{}") for entry in entries}
    return None if original is None and rest in {"", *skeletons} else text


def _without_entry(text: str, entry: Entry, *, original: str) -> str | None:
    if entry.whole:
        return None if is_our_file(text) else text
    if entry.block:
        return without_block(text, entry.marks, original=original)
    stays = depth_of(original, entry.path) if original.strip() else 0
    if entry.is_in_list:
        text = removed_within(text, entry.path, key="hooks", is_ours=is_ours)
    rest = removed(text, entry.path, is_ours=is_ours, stays=stays)
    return rest if rest == text else with_blanks_of(original, rest, path=entry.path[:stays])
