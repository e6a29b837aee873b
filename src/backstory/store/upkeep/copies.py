"""Finding the files beside a store that still hold words which were erased from it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

# What Backstory keeps beside the store file, and may therefore look into.
_FOLDERS = ("exports", "spool", "log")
_CHUNK_BYTES = 1024 * 1024


def copies_holding(path: Path, forms: Sequence[bytes]) -> tuple[Path, ...]:
    """Return exports, copies and set-aside stores that hold any of these byte strings."""
    return tuple(file for file in _files_beside(path) if _holds(file, forms))


def _files_beside(path: Path) -> Iterator[Path]:
    # Not the store's own files: these were rewritten.
    own = {path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))}
    yield from sorted(file for file in path.parent.glob(f"{path.name}?*") if file not in own)
    for folder in _FOLDERS:
        yield from sorted((path.parent / folder).rglob("*"))


def _holds(file: Path, forms: Sequence[bytes]) -> bool:
    if not file.is_file() or not forms:
        return False
    overlap = max(len(form) for form in forms) - 1
    tail = b""
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            window = tail + chunk
            if any(form in window for form in forms):
                return True
            tail = window[-overlap:] if overlap else b""
    return False
